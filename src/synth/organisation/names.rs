//! Names of people from several cultures, and what becomes of a name in a log-in.
//!
//! A name is two numbers into a culture's lists; its spellings are made when they are needed. All pairings are invented.

use std::sync::LazyLock;

/// Given and family names of one culture. `Jose:José` is a name with a plain and a marked spelling; `Robert/Rob` has a
/// short form.
struct Culture {
    /// How often, of all people.
    weight: usize,
    /// Places where they are more, and how many times.
    homes: &'static [(&'static str, usize)],
    given: &'static str,
    family: &'static str,
}

const CULTURES: &[Culture] = &[
    Culture {
        weight: 24,
        homes: &[("London", 2), ("Austin", 2)],
        given: "James/Jim Robert/Rob Michael/Mike William/Bill David/Dave Thomas/Tom Daniel/Dan Matthew/Matt \
                Anthony/Tony Steven/Steve Andrew/Andy Joshua/Josh Kevin Brian Edward/Ed Timothy/Tim Jason Jeffrey/Jeff \
                Ryan Nicholas/Nick Eric Jonathan/Jon Benjamin/Ben Samuel/Sam Gregory/Greg Patrick/Pat Alexander/Alex \
                Nathan/Nate Zachary/Zach Peter/Pete Kyle Mary Patricia/Trish Jennifer/Jen Linda Elizabeth/Liz Barbara \
                Susan/Sue Jessica/Jess Sarah Karen Nancy Margaret/Meg Ashley Kimberly/Kim Emily/Em Amanda/Mandy \
                Melissa/Mel Deborah/Deb Stephanie/Steph Rebecca/Becky Laura Cynthia/Cindy Kathleen/Kathy Amy Angela/Angie \
                Rachel Katherine/Kate Victoria/Vicky Heather Hannah Megan Abigail/Abby",
        family: "Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Jackson Martin Thompson \
                 White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Baker Nelson \
                 Carter Mitchell Roberts Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Murphy \
                 Cook Rogers Morgan Cooper Peterson Reed Bailey Bell Kelly Howard Ward Cox Richardson Wood Watson Brooks \
                 Bennett Gray Hughes Price Foster Sanders Ross Powell Sullivan Russell Fisher Henderson Cole Jenkins Perry",
    },
    Culture {
        weight: 12,
        homes: &[("Austin", 3)],
        given: "Jose:José Luis Carlos Juan Jorge Pedro Manuel/Manu Francisco/Paco Alejandro/Alex Miguel Rafael/Rafa Diego \
                Fernando/Fer Sergio Ricardo Andres:Andrés Javier/Javi Pablo Hector:Héctor Raul:Raúl Maria:María \
                Guadalupe/Lupe Juana Carmen Ana Sofia:Sofía Isabel/Isa Lucia:Lucía Elena Patricia/Paty Gabriela/Gaby \
                Daniela/Dani Valentina/Vale Camila/Cami Paula Mariana Rosa Veronica:Verónica Natalia/Nati Beatriz/Bea",
        family: "Garcia:García Rodriguez:Rodríguez Martinez:Martínez Hernandez:Hernández Lopez:López Gonzalez:González \
                 Perez:Pérez Sanchez:Sánchez Ramirez:Ramírez Torres Flores Rivera Gomez:Gómez Diaz:Díaz Cruz Morales \
                 Reyes Gutierrez:Gutiérrez Ortiz Ramos Ruiz Alvarez:Álvarez Mendoza Vasquez:Vásquez Castillo Moreno \
                 Jimenez:Jiménez Romero Herrera Medina Aguilar Vargas Castro Guzman:Guzmán Mendez:Méndez Munoz:Muñoz \
                 Salazar Soto Delgado Pena:Peña",
    },
    Culture {
        weight: 11,
        homes: &[("Bengaluru", 12), ("London", 2)],
        given: "Aarav Arjun Rohan Vikram/Vik Rahul Amit Sanjay Rajesh/Raj Suresh Anil Karthik Nikhil/Nik Aditya/Adi Varun \
                Siddharth/Sid Ravi Manoj Deepak Ashwin Pranav Priya Ananya Kavya Neha Pooja Divya Shreya Aishwarya/Aish \
                Meera Lakshmi Sunita Anjali Nandini Ritu Swati Radhika Sneha Vidya Tara Isha",
        family: "Sharma Patel Singh Kumar Gupta Verma Reddy Iyer Nair Menon Rao Mehta Shah Joshi Desai Kulkarni Banerjee \
                 Mukherjee Chatterjee Das Bose Sen Pillai Krishnan Subramanian Raman Chandra Agarwal Bhatt Kapoor Malhotra \
                 Chopra Saxena Mishra Pandey Tiwari Naidu Hegde Shetty Venkatesan",
    },
    Culture {
        weight: 9,
        homes: &[],
        given: "Wei Jun Ming Hao Jie Lei Tao Bo Feng Chen Kai Yang Peng Bin Long Hui Fang Li Na Min Jing Yan Xiu Ying Mei \
                Lan Yue Qing Ting Xin Rui Zihan Yuxuan Haoran Jiayi Siyu Yichen Ruoxi Mengyao Jiahui",
        family: "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Tang \
                 Song Deng Han Feng Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Yu Du",
    },
    Culture {
        weight: 9,
        homes: &[("Berlin", 9)],
        given: "Lukas Maximilian/Max Jonas Felix Paul Leon Finn Elias Moritz Niklas Jan Tobias/Tobi Stefan Andreas Markus \
                Matthias Christoph Florian/Flo Sebastian/Basti Jorg:Jörg Jurgen:Jürgen Anna Lena Julia Katharina/Kathi \
                Johanna Sophie Marie Laura Sabine Claudia Petra Ute Birgit Franziska/Franzi Theresa Greta Ida Charlotte \
                Kathe:Käthe",
        family: "Mueller:Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein \
                 Wolf Schroeder:Schröder Neumann Schwarz Zimmermann Braun Krueger:Krüger Hofmann Hartmann Lange Werner Krause \
                 Lehmann Koehler:Köhler Herrmann Walter Koenig:König Huber Kaiser Fuchs Peters Scholz Moeller:Möller Weiss:Weiß \
                 Jung Hahn",
    },
    Culture {
        weight: 7,
        homes: &[],
        given: "Pierre Jean Antoine Louis Hugo Lucas Theo:Théo Gabriel/Gab Nicolas/Nico Julien Mathieu Guillaume \
                Francois:François Etienne:Étienne Remi:Rémi Camille Chloe:Chloé Manon Lea:Léa Emma Ines:Inès Juliette Sarah \
                Margaux Clara Elise:Élise Helene:Hélène Sylvie Nathalie Aurelie:Aurélie",
        family: "Bernard Dubois Moreau Laurent Lefebvre:Lefèbvre Leroy Roux Girard Bonnet Dupont Lambert Fontaine Rousseau \
                 Vincent Mercier Blanc Guerin:Guérin Boyer Garnier Chevalier Francois:François Legrand Gauthier Perrin Morel \
                 Andre:André Lemaire Renard Marchand Duval",
    },
    Culture {
        weight: 6,
        homes: &[("Tel Aviv", 9)],
        given: "Noam Itai Yonatan/Yoni Omer Eitan Daniel/Dani Amit Guy Nadav Tomer Ofer Ronen Gil Shai Eyal Noa Tamar Maya \
                Shira Yael Michal Adi Dana Hila Inbar Liat Orly Rivka/Rivki Sivan Tali",
        family: "Cohen Levi Mizrahi Peretz Biton Dahan Avraham Friedman Katz Azoulay Malka Amar Shapira Ben-David Hadad Gabay \
                 Yosef Levy Segal Rosen Goldberg Klein Shavit Barak Harel Regev Sasson Tal Stern Weiss",
    },
    Culture {
        weight: 6,
        homes: &[("Berlin", 2)],
        given: "Jakub/Kuba Piotr Pawel:Paweł Tomasz/Tomek Marcin Michal:Michał Krzysztof/Krzys Andrzej Lukasz:Łukasz Mateusz \
                Wojciech/Wojtek Katarzyna/Kasia Anna/Ania Agnieszka/Aga Magdalena/Magda Monika Joanna/Asia Ewa Zofia/Zosia \
                Malgorzata/Gosia Vaclav:Václav Tomas:Tomáš Katerina:Kateřina Zdenek:Zdeněk Ivana Marek Radek Lenka Petra \
                Ondrej:Ondřej",
        family: "Nowak Kowalski:Kowalski Wisniewski:Wiśniewski Wojcik:Wójcik Kaminski:Kamiński Lewandowski Zielinski:Zieliński \
                 Szymanski:Szymański Wozniak:Woźniak Kozlowski:Kozłowski Jankowski Mazur Krawczyk Novak:Novák Svoboda \
                 Novotny:Novotný Dvorak:Dvořák Cerny:Černý Prochazka:Procházka Kucera:Kučera Vesely:Veselý Horak:Horák Nemec:Němec \
                 Pokorny:Pokorný Marek Hajek:Hájek Jelinek:Jelínek Kral:Král Ruzicka:Růžička Benes:Beneš",
    },
    Culture {
        weight: 5,
        homes: &[("Tel Aviv", 2)],
        given: "Ahmed Mohammed/Mo Omar Ali Hassan Hussein Khalid Youssef Tariq Karim Samir Nabil Rami Faisal Ibrahim Fatima \
                Aisha Mariam Layla Noor Zainab Hana Salma Yasmin Rania Dina Amira Huda Leila Samira",
        family: "Hassan Ali Ahmed Ibrahim Khalil Mansour Haddad Nasser Saleh Farah Khoury Aziz Rahman Karim Hamdan Najjar \
                 Sabbagh Shaheen Darwish Qasim Othman Bakr El-Amin Abboud Saad Zaki Awad Halabi Mahmoud Taha",
    },
    Culture {
        weight: 4,
        homes: &[],
        given: "Haruto Yuto Sota Ren Hiroshi Kenji Takashi Daisuke Kazuki Satoshi Akira Makoto Naoki Ryota Shun Yui Aoi Hina \
                Sakura Yuki Emi Keiko Naomi Haruka Misaki Ayumi Mai Kana Rina Tomoko",
        family: "Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Yamaguchi \
                 Matsumoto Inoue Kimura Hayashi Shimizu Saito Mori Abe Ikeda Hashimoto Ishikawa Ogawa Okada Hasegawa Fujita Goto",
    },
    Culture {
        weight: 4,
        homes: &[("London", 2)],
        given: "Chinedu Emeka Oluwaseun/Seun Tunde Babajide/Jide Kwame Kofi Kwabena Sipho Thabo Tendai Juma Baraka Amara Ngozi \
                Chioma Adaeze/Ada Folake Yetunde Abena Akosua Ama Zanele Nomvula Lerato Wanjiru Achieng Makena Halima Zuri",
        family: "Okafor Adeyemi Okonkwo Nwosu Eze Balogun Adebayo Ogunleye Mensah Owusu Boateng Asante Dlamini Nkosi Ndlovu \
                 Khumalo Mokoena Moyo Kamau Otieno Mwangi Kimani Njoroge Abebe Tesfaye Bekele Diallo Traore Keita Sow",
    },
    Culture {
        weight: 3,
        homes: &[("Lisbon Hub", 24)],
        given: "Joao:João Pedro Tiago Rui Nuno Goncalo:Gonçalo Bruno Caio Thiago Felipe/Lipe Mateus Vitor Ana Beatriz/Bia Ines \
                Marta Joana Larissa Leticia:Letícia Fernanda/Nanda Renata Bruna Juliana/Ju Debora:Débora Taina:Tainá Lars Erik \
                Soren:Søren Astrid Ingrid",
        family: "Silva Santos Oliveira Souza Pereira Costa Carvalho Almeida Ferreira Ribeiro Rodrigues Gomes Martins Araujo:Araújo \
                 Melo Barbosa Cardoso Teixeira Goncalves:Gonçalves Lima Nunes Pinto Correia Andersen Nielsen Hansen Larsen \
                 Sorensen:Sørensen Lindqvist Berg",
    },
];

/// One name of a list.
struct Entry {
    plain: &'static str,
    marked: Option<&'static str>,
    short: Option<&'static str>,
}

struct Lists {
    given: Vec<Entry>,
    family: Vec<Entry>,
}

static LISTS: LazyLock<Vec<Lists>> = LazyLock::new(|| {
    let entry = |word: &'static str| {
        let (name, short) = word.split_once('/').map_or((word, None), |(name, short)| (name, Some(short)));
        let (plain, marked) =
            name.split_once(':').map_or((name, None), |(plain, marked)| (plain, Some(marked)));
        Entry { plain, marked: marked.filter(|it| *it != plain), short }
    };
    let list = |words: &'static str| words.split_whitespace().map(entry).collect();
    CULTURES
        .iter()
        .map(|culture| Lists { given: list(culture.given), family: list(culture.family) })
        .collect()
});

/// A person's name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(in crate::synth) struct Name {
    culture: u8,
    given: u8,
    family: u8,
    /// A second family name, joined by a hyphen.
    second: Option<u8>,
    /// Written with its marks, where it has any.
    marked: bool,
}

impl Name {
    /// A name by the dice, plainly written.
    pub(in crate::synth) fn draw(dice: &mut super::Dice) -> Self {
        Self::draw_at("", dice)
    }

    /// A name of somebody at this place: names of the region are more there.
    pub(super) fn draw_at(place: &str, dice: &mut super::Dice) -> Self {
        let weight = |culture: &Culture| {
            let home = culture.homes.iter().find(|(home, _)| *home == place);
            culture.weight * home.map_or(1, |(_, times)| *times)
        };
        let weights: Vec<(usize, u8)> =
            CULTURES.iter().zip(0..).map(|(it, index)| (weight(it), index)).collect();
        let culture = *dice.weighted(&weights);
        let lists = &LISTS[usize::from(culture)];
        let mut any = |list: &[Entry]| u8::try_from(dice.below(list.len())).unwrap_or(0);
        Self { culture, given: any(&lists.given), family: any(&lists.family), second: None, marked: false }
    }

    /// The same person before a change of surname.
    pub(in crate::synth) fn before_marriage(self, dice: &mut super::Dice) -> Self {
        let families = &LISTS[usize::from(self.culture)].family;
        let step = 1 + dice.below(families.len() - 1);
        let family = u8::try_from((usize::from(self.family) + step) % families.len()).unwrap_or(0);
        Self { family, second: None, ..self }
    }

    /// The name with its marks, or with a second surname where it has none to write.
    pub(in crate::synth) fn with_marks(self, dice: &mut super::Dice) -> Self {
        let marked = Self { marked: true, ..self };
        if marked.given() != self.given() || marked.family() != self.family() {
            return marked;
        }
        let other = self.before_marriage(dice);
        Self { second: Some(other.family), ..self }
    }

    fn spell(self, entry: &'static Entry) -> &'static str {
        entry.marked.filter(|_| self.marked).unwrap_or(entry.plain)
    }

    fn entry(self, family: bool, index: u8) -> &'static Entry {
        let lists = &LISTS[usize::from(self.culture)];
        if family { &lists.family[usize::from(index)] } else { &lists.given[usize::from(index)] }
    }

    /// Given name.
    pub(in crate::synth) fn given(self) -> &'static str {
        self.spell(self.entry(false, self.given))
    }

    /// Family name.
    pub(in crate::synth) fn family(self) -> String {
        let first = self.spell(self.entry(true, self.family));
        self.second
            .map_or_else(|| first.to_owned(), |second| format!("{first}-{}", self.entry(true, second).plain))
    }

    /// Given and family name.
    pub(in crate::synth) fn full(self) -> String {
        format!("{} {}", self.given(), self.family())
    }

    /// The given name that friends use, if another.
    pub(in crate::synth) fn short(self) -> Option<&'static str> {
        self.entry(false, self.given).short
    }

    /// Whether any letter is marked or a hyphen joins two surnames.
    pub(in crate::synth) fn is_unusual(self) -> bool {
        self.second.is_some() || !self.full().is_ascii()
    }

    /// Given and family name as a log-in spells them: lower-case letters only.
    pub(in crate::synth) fn letters(self) -> (String, String) {
        let plain = |entry: &Entry| {
            entry.plain.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase()
        };
        (plain(self.entry(false, self.given)), plain(self.entry(true, self.family)))
    }
}

#[cfg(test)]
mod tests {
    use super::{CULTURES, LISTS, Name};
    use crate::synth::dice::Dice;
    use std::collections::HashSet;

    #[test]
    fn no_list_names_anybody_twice_and_all_log_ins_are_plain() {
        for lists in LISTS.iter() {
            for list in [&lists.given, &lists.family] {
                assert!(list.len() >= 30 && list.len() <= 255);
                let names: HashSet<&str> = list.iter().map(|entry| entry.plain).collect();
                assert_eq!(names.len(), list.len());
                assert!(names.iter().all(|name| name.is_ascii()));
            }
        }
        assert_eq!(CULTURES.iter().map(|culture| culture.weight).sum::<usize>(), 100);
    }

    #[test]
    fn marks_show_in_the_name_and_not_in_the_log_in() {
        let mut dice = Dice::new(1, "names", 0);
        for _ in 0..500 {
            let plain = Name::draw(&mut dice);
            assert!(!plain.is_unusual());
            let marked = plain.with_marks(&mut dice);
            assert!(marked.is_unusual(), "{}", marked.full());
            assert_eq!(marked.letters(), plain.letters());
            assert_ne!(plain.before_marriage(&mut dice).family(), plain.family());
            let (given, family) = marked.letters();
            assert!(!given.is_empty() && !family.is_empty());
        }
    }
}
