//! All that the workbench is. A function of the events so far, and nothing else.

use super::cases::Cases;
use super::command::{Done, Invocation};
use super::effect::{Ask, Effect, Tell};
use super::event::{Mode, Moment, Size};
use super::focus::{Focus, Page};
use super::investigate::Workspace;
use super::investigate::history::HistoryEntry;
use super::keys::{Chord, Keymap};
use super::notice::{Gravity, Notices};
use super::overlay::{Overlay, Prompt};
use super::replay::{Replay, ReplayPane};
use super::reply::{Catalogue, OwnTrial};
use super::request::{OPENING, RECORDING, RequestId, Requests};
use super::settings::{Kept, Settings};
use std::sync::Arc;

/// The workbench.
#[derive(Debug, Clone, PartialEq)]
pub struct Workbench {
    /// Time of the latest event.
    pub now: Moment,
    /// The terminal's size.
    pub size: Size,
    /// The terminal's background, once it is known.
    pub background: Option<Mode>,
    /// Settings.
    pub settings: Settings,
    /// What is kept from one time to the next.
    pub kept: Kept,
    /// Whether the mouse is taken.
    pub mouse: bool,
    /// Key bindings.
    pub keymap: Arc<Keymap>,
    /// Keys of a sequence that is not finished.
    pub pending: Vec<Chord>,
    /// The page that is shown.
    pub page: Page,
    /// The area with the focus on the Investigate page.
    pub focus: Focus,
    /// What lies over the page, topmost last.
    pub overlays: Vec<Overlay>,
    /// What was told.
    pub notices: Notices,
    /// What is outstanding.
    pub requests: Requests,
    /// What there is to work on; `None` until it is known.
    pub catalogue: Option<Catalogue>,
    /// Own trials, newest first.
    pub own: Vec<OwnTrial>,
    /// Statements run before, oldest first.
    pub history: Vec<HistoryEntry>,
    /// The Cases page.
    pub cases: Cases,
    /// What is open on the Investigate page.
    pub workspace: Option<Workspace>,
    /// What is open on the Replay page.
    pub replay: Option<Replay>,
    /// What `casebook practice` or a link asked for: done when the catalogue is there.
    pub wanted: Option<Invocation>,
    /// Which trial is shown first when a source of traces is opened: how its name begins.
    pub wanted_trial: Option<String>,
    /// The text that was copied last.
    pub register: String,
    /// Whether the workbench has ended.
    pub has_ended: bool,
}

impl Default for Workbench {
    fn default() -> Self {
        Self::new(Settings::default(), Arc::new(Keymap::default()))
    }
}

impl Workbench {
    /// A workbench that has just begun, 80 columns by 24 rows.
    pub fn new(settings: Settings, keymap: Arc<Keymap>) -> Self {
        Self {
            now: Moment::ZERO,
            size: Size { width: 80, height: 24 },
            background: None,
            mouse: settings.mouse,
            settings,
            kept: Kept::default(),
            keymap,
            pending: Vec::new(),
            page: Page::Cases,
            focus: Focus::Editor,
            overlays: Vec::new(),
            notices: Notices::default(),
            requests: Requests::default(),
            catalogue: None,
            own: Vec::new(),
            history: Vec::new(),
            cases: Cases::default(),
            workspace: None,
            replay: None,
            wanted: None,
            wanted_trial: None,
            register: String::new(),
            has_ended: false,
        }
    }

    /// Whether an area of the Investigate page has the keys: nothing lies over it.
    pub fn has_focus(&self, focus: Focus) -> bool {
        self.page == Page::Investigate
            && self.workspace.is_some()
            && self.overlays.is_empty()
            && self.focus == focus
    }

    /// Whether an area of the Replay page has the keys: nothing lies over it.
    pub fn has_replay_focus(&self, pane: ReplayPane) -> bool {
        self.page == Page::Replay
            && self.overlays.is_empty()
            && self.replay.as_ref().is_some_and(|replay| replay.pane == pane)
    }

    /// Whether time is to be told: something is outstanding, or a trace plays.
    pub fn needs_ticks(&self) -> bool {
        !self.is_settled() || self.replay.as_ref().is_some_and(|replay| replay.playing.is_some())
    }

    /// Whether nothing is outstanding.
    pub fn is_settled(&self) -> bool {
        self.requests.is_settled()
    }

    /// Whether something has been outstanding for long enough that the person should see it.
    pub fn is_slow(&self) -> bool {
        self.requests.open().any(|(_, it)| self.now.saturating_sub(it.since) >= Moment::from_millis(150))
    }

    /// Asks a service.
    pub(super) fn ask(&mut self, what: &'static str, ask: Ask) -> (RequestId, Effect) {
        let id = self.requests.begin(what, self.now);
        (id, Effect::Ask(id, ask))
    }

    /// That the open case can be worked in: no other is being opened, and its answer is not on its way.
    ///
    /// # Errors
    /// In words, what is waited for.
    pub(super) fn is_free(&self) -> Result<(), String> {
        match [OPENING, RECORDING].into_iter().find(|what| self.requests.has(what)) {
            Some(what) => Err(format!("wait a moment: {what}")),
            None => Ok(()),
        }
    }

    /// Tells the person something was done.
    pub(super) fn inform(&mut self, text: impl Into<String>) {
        self.notices.add(Gravity::Info, text, self.now);
    }

    /// Tells the person that something is not as it should be.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.notices.add(Gravity::Warning, text, self.now);
    }

    /// Tells the person that something could not be done.
    pub(super) fn fail(&mut self, text: impl Into<String>) {
        self.notices.add(Gravity::Error, text, self.now);
    }

    /// Keeps sizes and choices.
    pub(super) fn keep(&self) -> Effect {
        Effect::Tell(Tell::Keep(self.kept.clone()))
    }

    /// Asks the person for a text: what a command gives that lacks it.
    #[allow(clippy::unnecessary_wraps)] // what commands give
    pub(super) fn prompt(&mut self, prompt: Prompt) -> Done {
        self.overlays.push(Overlay::Prompt(prompt));
        Ok(Vec::new())
    }

    /// The open workspace.
    ///
    /// # Errors
    /// In words, where none is open.
    pub(super) fn space(&mut self) -> Result<&mut Workspace, String> {
        self.workspace.as_mut().ok_or_else(|| "no case is open; pick one on the Cases page".to_owned())
    }

    /// The name of the theme to draw with: what was chosen, else the settings'.
    pub fn theme(&self) -> &str {
        self.kept.theme.as_deref().unwrap_or(&self.settings.theme)
    }
}
