//! The themes that the binary brings along, as text.

/// Each file of `themes` with its name.
pub const FILES: &[(&str, &str)] = &[
    ("themes/default-dark.toml", include_str!("../../../themes/default-dark.toml")),
    ("themes/default-light.toml", include_str!("../../../themes/default-light.toml")),
    ("themes/contrast-dark.toml", include_str!("../../../themes/contrast-dark.toml")),
    ("themes/contrast-light.toml", include_str!("../../../themes/contrast-light.toml")),
    ("themes/harbour.toml", include_str!("../../../themes/harbour.toml")),
    ("themes/lamplight.toml", include_str!("../../../themes/lamplight.toml")),
    ("themes/ledger.toml", include_str!("../../../themes/ledger.toml")),
    ("themes/slate.toml", include_str!("../../../themes/slate.toml")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("themes");
        let mut found: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("a readable entry").file_name().into_string().expect("UTF-8"))
            .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "toml"))
            .map(|name| format!("themes/{name}"))
            .collect();
        let mut embedded: Vec<&str> = FILES.iter().map(|(file, _)| *file).collect();
        found.sort();
        embedded.sort_unstable();
        assert_eq!(found, embedded);
    }
}
