//! The files of pictures: none without a test that looks at it, and few enough to be read.

use std::fs;
use std::path::Path;

#[test]
fn every_picture_belongs_to_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    let (mut pictures, mut sources) = (Vec::new(), String::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|it| it.to_str()) {
            Some("snap") => pictures.push(path.file_stem().unwrap().to_str().unwrap().to_owned()),
            Some("rs") => sources.push_str(&fs::read_to_string(path).unwrap()),
            _ => {}
        }
    }
    for name in &pictures {
        assert!(sources.contains(&format!("\"{name}\"")), "{name}.snap belongs to no test: remove it");
    }
    assert!((40..=80).contains(&pictures.len()), "{} pictures", pictures.len());
}
