fn main() {
    for (i, s) in ["small", "medium", "large"].iter().enumerate() {
        let c = rusqlite::Connection::open(format!("/tmp/gen-{s}.sqlite")).unwrap();
        for r in casebook::synth::rates(&c, jiff::civil::date(2026, 6, 30)).unwrap() {
            let ok = r.holds(i);
            if !ok || std::env::args().len() > 1 {
                println!(
                    "{s:7} {:65} wanted {:7.1} got {:5} of {:5} {}",
                    r.name,
                    r.wanted_hits(i),
                    r.got,
                    r.of,
                    if ok { "" } else { "<<<" }
                );
            }
        }
    }
}
