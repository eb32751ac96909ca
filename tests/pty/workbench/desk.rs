//! A place to run the workbench in: folders of its own, and hands that type.

use crate::support::{LONG, Options, Session};
use std::path::PathBuf;
use tempfile::TempDir;

/// A statement that never ends by itself.
pub(crate) const ENDLESS: &str =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

/// Folders for data and settings, empty at first.
pub(crate) struct Desk {
    folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(desk.data()).unwrap();
        std::fs::create_dir(desk.config()).unwrap();
        desk
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.folder.path().join("config")
    }

    /// Where nothing of the workbench is.
    pub(crate) fn elsewhere(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Starts the workbench with arguments. Variables of the options win over the folders of the desk.
    pub(crate) fn start_with(&self, arguments: &[&str], options: &Options<'_>) -> Session {
        let (data, config) = (self.data(), self.config());
        let mut options = options.clone();
        let folders = [("CASEBOOK_DATA_DIR", data.to_str()), ("CASEBOOK_CONFIG_DIR", config.to_str())];
        let folders = folders.into_iter().map(|(name, path)| (name, path.unwrap()));
        options.environment = folders.chain(options.environment).collect();
        Session::casebook(arguments, &options)
    }

    /// Starts the workbench, and waits for the list of cases.
    pub(crate) fn start(&self, options: &Options<'_>) -> Session {
        let session = self.start_with(&[], options);
        session.wait_for("Closed for business");
        session
    }

    /// Starts the workbench on a practice case, where keys write SQL.
    pub(crate) fn practice(&self, options: &Options<'_>) -> Session {
        let session = self.start_with(&["practice", "P-02"], options);
        session.wait_until("the case", |screen| {
            let shown = screen.contents();
            shown.contains("P-02 Locked out") && shown.contains(" query 1 ")
        });
        session
    }

    /// The drafts, as they are written.
    pub(crate) fn drafts(&self) -> String {
        let files = std::fs::read_dir(self.data().join("drafts")).into_iter().flatten().flatten();
        let paths =
            files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|it| it == "json"));
        paths.map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect()
    }
}

/// A terminal of the usual size for the Investigate page.
pub(crate) fn wide<'a>() -> Options<'a> {
    Options { columns: 120, rows: 36, ..Options::default() }
}

/// The same with a variable.
pub(crate) fn with<'a>(name: &'a str, value: &'a str) -> Options<'a> {
    Options { environment: vec![(name, value)], ..wide() }
}

/// Types a text.
pub(crate) fn write(session: &Session, text: &str) {
    session.send(text.as_bytes());
}

/// What a terminal sends for keys, by their names with spaces between. Escape comes as terminals with keyboard flags send
/// it: alone it would be taken for the begin of what is typed next.
pub(crate) fn press(session: &Session, keys: &str) {
    let bytes: Vec<u8> = keys.split(' ').flat_map(|key| bytes_of(key).as_bytes()).copied().collect();
    session.send(&bytes);
}

fn bytes_of(key: &str) -> &str {
    match key {
        "esc" => "\x1b[27u",
        "enter" => "\r",
        "tab" => "\t",
        "down" => "\x1b[B",
        "ctrl-a" => "\x01",
        "ctrl-c" => "\x03",
        "ctrl-u" => "\x15",
        "ctrl-z" => "\x1a",
        "f5" => "\x1b[15~",
        "f9" => "\x1b[20~",
        "f10" => "\x1b[21~",
        "f11" => "\x1b[23~",
        "f12" => "\x1b[24~",
        other => other,
    }
}

/// Waits until a case is the chosen one in the list.
pub(crate) fn wait_for_case(session: &Session, id: &str) {
    session.wait_until(&format!("{id} in front"), |screen| {
        screen.contents().lines().any(|line| line.contains('▌') && line.contains(id))
    });
}

/// Runs a statement in the editor, which has the keys, in place of what is there.
pub(crate) fn run(session: &Session, sql: &str) {
    paste(session, sql);
    press(session, "f5");
}

/// Pastes a text in place of the editor's.
pub(crate) fn paste(session: &Session, text: &str) {
    session.send(format!("\x01\x1b[200~{text}\x1b[201~").as_bytes());
}

/// The exit code, once it has ended.
pub(crate) fn code(session: &mut Session) -> u32 {
    session.exit_status(LONG).expect("it ends").exit_code()
}

/// Quits by the key that always does, and sees to it that nothing is left.
pub(crate) fn quit(mut session: Session) {
    session.send(b"\x11");
    assert_eq!(code(&mut session), 0, "{}", session.contents());
    session.assert_restored();
}
