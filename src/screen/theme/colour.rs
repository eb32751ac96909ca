//! Colours as they are written, and as light.
//!
//! Not here: what a terminal can show ([`super::depth`]).

use ratatui::style::Color;

/// The sixteen colours of a terminal as themes write them, in their order; `black` is 0 and `white` is 15.
pub const ANSI: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("grey", Color::Gray),
    ("dark_grey", Color::DarkGray),
    ("bright_red", Color::LightRed),
    ("bright_green", Color::LightGreen),
    ("bright_yellow", Color::LightYellow),
    ("bright_blue", Color::LightBlue),
    ("bright_magenta", Color::LightMagenta),
    ("bright_cyan", Color::LightCyan),
    ("white", Color::White),
];

/// Three bytes of sRGB.
pub type Rgb = (u8, u8, u8);

/// The sixteen colours as xterm has them unless it is told otherwise. Only for judging nearness: a terminal's own are
/// its user's business.
pub const XTERM: [Rgb; 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// A colour that is written without a palette: `#rrggbb`, a name of [`ANSI`], or `default` for the terminal's own.
pub fn parse(text: &str) -> Option<Color> {
    if text == "default" {
        return Some(Color::Reset);
    }
    if let Some(digits) = text.strip_prefix('#') {
        // from_str_radix takes a sign; a colour has none.
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        return Some(Color::Rgb(red, green, blue));
    }
    let text = text.replace("gray", "grey");
    ANSI.iter().find(|(name, _)| *name == text).map(|(_, colour)| *colour)
}

/// The place among the sixteen of a colour that is one of them.
pub fn ansi_index(colour: Color) -> Option<u8> {
    if let Color::Indexed(index @ 0..16) = colour {
        return Some(index);
    }
    ANSI.iter().position(|(_, named)| *named == colour).and_then(|at| u8::try_from(at).ok())
}

/// What the colours 16 to 255 are: a cube of 6 × 6 × 6, then 24 greys. They are fixed, the first sixteen are not.
pub fn indexed(index: u8) -> Option<Rgb> {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index {
        0..16 => None,
        16..232 => {
            let at = usize::from(index - 16);
            Some((STEPS[at / 36], STEPS[at / 6 % 6], STEPS[at % 6]))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            Some((grey, grey, grey))
        }
    }
}

/// Linear light of one sRGB byte, 0 to 1 (IEC 61966-2-1).
fn linear(byte: u8) -> f32 {
    let value = f32::from(byte) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Relative luminance, 0 (black) to 1 (white), as WCAG 2 defines it.
pub fn luminance((red, green, blue): Rgb) -> f32 {
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// Contrast of two colours by WCAG 2: 1 (none) to 21.
pub fn contrast(one: Rgb, other: Rgb) -> f32 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// A colour in Oklab (Björn Ottosson, 2020), where equal steps look equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oklab {
    /// Lightness, 0 to 1.
    pub lightness: f32,
    /// Green to red.
    pub a: f32,
    /// Blue to yellow.
    pub b: f32,
}

impl Oklab {
    /// Distance to another, squared.
    pub fn distance(self, other: Self) -> f32 {
        (self.lightness - other.lightness).powi(2) + (self.a - other.a).powi(2) + (self.b - other.b).powi(2)
    }

    /// How far from grey it is; about 0.3 at most in sRGB.
    pub fn chroma(self) -> f32 {
        self.a.hypot(self.b)
    }

    /// The angle of its hue, in radians.
    pub fn hue(self) -> f32 {
        self.b.atan2(self.a)
    }
}

impl From<Rgb> for Oklab {
    fn from((red, green, blue): Rgb) -> Self {
        let (red, green, blue) = (linear(red), linear(green), linear(blue));
        let l = (0.412_221_46 * red + 0.536_332_55 * green + 0.051_445_995 * blue).cbrt();
        let m = (0.211_903_5 * red + 0.680_699_5 * green + 0.107_396_96 * blue).cbrt();
        let s = (0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue).cbrt();
        Self {
            lightness: 0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            a: 1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            b: 0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_they_are_written() {
        for (text, colour) in [
            ("#1b1714", Some(Color::Rgb(0x1b, 0x17, 0x14))),
            ("#ABCDEF", Some(Color::Rgb(0xab, 0xcd, 0xef))),
            ("default", Some(Color::Reset)),
            ("red", Some(Color::Red)),
            ("bright_cyan", Some(Color::LightCyan)),
            ("dark_gray", Some(Color::DarkGray)),
            ("#fff", None),
            ("#+12345", None),
            ("#12345g", None),
            ("Red", None),
            ("", None),
        ] {
            assert_eq!(parse(text), colour, "{text}");
        }
    }

    #[test]
    fn the_sixteen_have_their_places() {
        for (index, (name, colour)) in ANSI.iter().enumerate() {
            assert_eq!(parse(name), Some(*colour));
            assert_eq!(ansi_index(*colour).map(usize::from), Some(index));
        }
        assert_eq!(ansi_index(Color::Indexed(3)), Some(3));
        assert_eq!(ansi_index(Color::Indexed(16)), None);
        assert_eq!(ansi_index(Color::Reset), None);
    }

    #[test]
    fn light_is_measured_as_wcag_does() {
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 0.01);
        // The grey that WCAG's own technique pages give as the lightest for text on white.
        assert!((contrast((0x76, 0x76, 0x76), (255, 255, 255)) - 4.54).abs() < 0.01);
        assert_eq!(indexed(15), None);
        assert_eq!(indexed(16), Some((0, 0, 0)));
        assert_eq!(indexed(196), Some((255, 0, 0)));
        assert_eq!(indexed(231), Some((255, 255, 255)));
        assert_eq!(indexed(232), Some((8, 8, 8)));
        assert_eq!(indexed(255), Some((238, 238, 238)));
    }

    #[test]
    fn oklab_agrees_with_its_author() {
        // Ottosson's table: white is (1, 0, 0).
        let white = Oklab::from((255, 255, 255));
        assert!((white.lightness - 1.0).abs() < 1e-3 && white.chroma() < 1e-3);
        // CSS Color 4: sRGB red is oklab(0.628 0.2249 0.1258).
        let red = Oklab::from((255, 0, 0));
        assert!(
            (red.lightness - 0.628).abs() < 1e-3
                && (red.a - 0.2249).abs() < 1e-3
                && (red.b - 0.1258).abs() < 1e-3
        );
    }
}
