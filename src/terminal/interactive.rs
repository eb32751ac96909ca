//! The loop: events from the terminal, from services and from signals, one picture after them, and sleep.
//!
//! The first picture is drawn before any file is read and any answer has come. While nothing happens nothing wakes up; while
//! something is outstanding a tick shows how long. Not here: what an event means (`workbench`), what is drawn (`screen`).

use super::clipboard::{ClipboardEnvironment, ProgramFailed, copy};
use super::panic_hook::{self, PanicPlan};
use super::pointer::Pointer;
use super::{
    ClaimOptions, ColourScheme, Draw, Ending, FramePacer, Guard, Heard, Input, InputThread, Signal,
    SignalThread,
};
use super::{Output, Rgb, Size, probes, size};
use crate::screen::theme::{ChosenTheme, Depth, Mode};
use crate::screen::{HitMap, view};
use crate::services::{Config, Session};
use crate::workbench::Workbench;
use crate::workbench::effect::Drive;
use crate::workbench::event::{Event, Size as Cells};
use crate::workbench::notice::Gravity;
use crossbeam_channel::{Receiver, Sender, at, never, select_biased, unbounded};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};
use ratatui::{Terminal, TerminalOptions, Viewport};
use rustix::io::Errno;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Events that are taken before a picture is drawn.
const BATCH: usize = 256;
/// Between two looks at how long something has taken.
const TICK: Duration = Duration::from_millis(100);
/// Takes away all that was drawn, and the colours that it would be cleared with.
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";
/// How long the way out waits for answers that would else be typed at the shell.
const SETTLE: Duration = Duration::from_millis(60);

/// What the workbench starts with.
#[derive(Debug)]
pub struct Launch {
    /// The state.
    pub state: Workbench,
    /// What services need.
    pub config: Config,
    /// The theme.
    pub theme: ChosenTheme,
    /// The value of `TERM`.
    pub term: Option<String>,
    /// Where the report of a panic goes.
    pub report: PathBuf,
    /// Said when the workbench begins.
    pub problems: Vec<String>,
}

/// How it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    /// What the process exits with.
    pub code: u8,
    /// What could not be written.
    pub problems: Vec<String>,
}

/// Runs the workbench in the terminal of this process until it ends.
///
/// # Errors
/// Where there is no terminal, or it is gone.
pub fn run(launch: Launch) -> io::Result<Left> {
    let Launch { mut state, config, mut theme, term, report, problems } = launch;
    // A size that changes before anybody listens would be missed, and a signal leave the terminal claimed.
    let heard = Heard::begin()?;
    let guard = Guard::claim(ClaimOptions { mouse: state.mouse, ..ClaimOptions::default() })?;
    let output = guard.output().with_few_colours(theme.depth() == Depth::Ansi16);
    let (sender, signals) = unbounded();
    let listener = SignalThread::spawn(heard, sender, guard.restorer())?;
    let known = size::of(guard.tty().output());
    let measured = known.unwrap_or(Size::FALLBACK);
    state.size = cells(measured);
    let mut pictures = Pictures::new(&output, measured)?;
    let hits = pictures.draw(&state, &mut theme)?;
    // Everything else comes after the first picture.
    output.send(probes::questions(term.as_deref(), known.is_some()).as_bytes())?;
    let session = Session::start(state, config);
    let wish = session.last_wishes();
    panic_hook::install(PanicPlan { restorer: guard.restorer(), report, last_wishes: vec![Box::new(wish)] });
    let (typed, inputs) = unbounded();
    let reader = InputThread::spawn(guard.tty(), typed.clone())?;
    let (failed, failures) = unbounded();
    let began = Instant::now();
    let mut running = Loop {
        reader: Some(reader),
        typed,
        guard,
        output,
        session,
        theme,
        pictures,
        hits,
        pointer: Pointer::default(),
        began,
        drawn: Some(began.elapsed()),
        is_dirty: false,
        is_answered: false,
        ending: None,
        clipboard: ClipboardEnvironment::detect(),
        failed,
    };
    running.dispatch(Event::Started)?;
    for text in problems {
        running.dispatch(Event::Told { gravity: Gravity::Warning, text })?;
    }
    let mut result = running.run(&inputs, &signals, &failures);
    if result.as_ref().is_err_and(is_gone) {
        // The picture noticed before the signal came: it is the same.
        running.ending = running.ending.or(Some(Ending::Hangup));
        result = Ok(());
    }
    let is_answered = running.is_answered;
    running.guard.restore();
    if !is_answered && result.is_ok() {
        probes::settle(&inputs, SETTLE);
    }
    running.reader = None;
    drop(listener);
    let code = running.ending.map_or(0, Ending::exit_code);
    let problems = running.session.close();
    result?;
    Ok(Left { code: u8::try_from(code).unwrap_or(1), problems })
}

/// Whether an error means that the terminal is not there any more.
fn is_gone(error: &io::Error) -> bool {
    let number = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(number, Some(Errno::IO | Errno::NXIO | Errno::PIPE))
}

const fn cells(size: Size) -> Cells {
    Cells { width: size.columns, height: size.rows }
}

/// Draws pictures.
struct Pictures {
    terminal: Terminal<CrosstermBackend<Output>>,
    output: Output,
}

impl Pictures {
    fn new(output: &Output, size: Size) -> io::Result<Self> {
        let area = Rect::new(0, 0, size.columns, size.rows);
        let options = TerminalOptions { viewport: Viewport::Fixed(area) };
        let terminal = Terminal::with_options(CrosstermBackend::new(output.clone()), options)?;
        Ok(Self { terminal, output: output.clone() })
    }

    /// Draws the state at its size.
    fn draw(&mut self, state: &Workbench, theme: &mut ChosenTheme) -> io::Result<HitMap> {
        let theme = theme.get(state.theme(), state.background);
        let mut hits = HitMap::default();
        self.terminal.draw(|frame| {
            let drawn = view(frame.buffer_mut(), state, theme);
            if let Some((x, y)) = drawn.cursor {
                frame.set_cursor_position(Position::new(x, y));
            }
            hits = drawn.hits;
        })?;
        self.output.present()?;
        Ok(hits)
    }

    /// The terminal has another size, or nothing that was drawn is there any more. `ratatui`'s own ways ask the terminal where
    /// its cursor is and wait for the answer, which a muted terminal never gives and the input thread would take.
    fn anew(&mut self, size: Cells) -> io::Result<()> {
        *self = Self::new(&self.output, Size { columns: size.width, rows: size.height })?;
        self.output.write_all(CLEAR)
    }
}

struct Loop {
    /// Reads the terminal, but not while it is given back.
    reader: Option<InputThread>,
    typed: Sender<Input>,
    guard: Guard,
    output: Output,
    session: Session,
    theme: ChosenTheme,
    pictures: Pictures,
    hits: HitMap,
    pointer: Pointer,
    began: Instant,
    /// When the last picture was drawn.
    drawn: Option<Duration>,
    is_dirty: bool,
    /// Whether the terminal has answered all questions.
    is_answered: bool,
    ending: Option<Ending>,
    clipboard: ClipboardEnvironment,
    failed: Sender<ProgramFailed>,
}

impl Loop {
    fn run(
        &mut self,
        inputs: &Receiver<Input>,
        signals: &Receiver<Signal>,
        failures: &Receiver<ProgramFailed>,
    ) -> io::Result<()> {
        let pacer = FramePacer::default();
        while !self.session.state.has_ended {
            let frame = match pacer.next_draw(self.began.elapsed(), self.drawn, self.is_dirty) {
                Draw::Now => {
                    self.draw()?;
                    continue;
                }
                Draw::At(moment) => at(self.began + moment),
                Draw::Never => never(),
            };
            let tick = if self.session.state.needs_ticks() { at(Instant::now() + TICK) } else { never() };
            let answers = self.session.answers().clone();
            select_biased! {
                recv(signals) -> signal => if let Ok(signal) = signal { self.signal(signal)? },
                recv(inputs) -> input => match input {
                    Ok(input) => self.input(input)?,
                    Err(_) => self.dispatch(Event::Terminate)?,
                },
                recv(answers) -> answer => if let Ok((request, reply)) = answer {
                    self.dispatch(Event::Reply { request, reply })?;
                },
                recv(failures) -> failure => if let Ok(failure) = failure { self.copy_failed(&failure)? },
                recv(frame) -> _ => {}
                recv(tick) -> _ => self.dispatch(Event::Tick)?,
            }
            self.take_ready(inputs, signals)?;
        }
        Ok(())
    }

    /// Takes what is ready without waiting, so that a burst is drawn once.
    fn take_ready(&mut self, inputs: &Receiver<Input>, signals: &Receiver<Signal>) -> io::Result<()> {
        let answers = self.session.answers().clone();
        for _ in 0..BATCH {
            if self.session.state.has_ended {
                return Ok(());
            }
            if let Ok(signal) = signals.try_recv() {
                self.signal(signal)?;
            } else if let Ok(input) = inputs.try_recv() {
                self.input(input)?;
            } else if let Ok((request, reply)) = answers.try_recv() {
                self.dispatch(Event::Reply { request, reply })?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        self.hits = self.pictures.draw(&self.session.state, &mut self.theme)?;
        self.drawn = Some(self.began.elapsed());
        self.is_dirty = false;
        Ok(())
    }

    fn dispatch(&mut self, event: Event) -> io::Result<()> {
        self.is_dirty = true;
        let at = self.began.elapsed();
        for drive in self.session.dispatch(at, event) {
            self.drive(drive)?;
        }
        Ok(())
    }

    fn drive(&mut self, drive: Drive) -> io::Result<()> {
        match drive {
            Drive::Copy { text, what } => self.copy(&text, &what),
            Drive::Mouse(is_wanted) => self.guard.set_mouse(is_wanted),
            Drive::Redraw => self.pictures.anew(self.session.state.size),
            Drive::Suspend => self.suspend(),
            Drive::Quit => Ok(()),
        }
    }

    fn copy(&mut self, text: &str, what: &str) -> io::Result<()> {
        let mut bytes = Vec::new();
        let route = copy(text, &self.clipboard, &mut bytes, &self.failed);
        self.output.send(&bytes)?;
        self.dispatch(Event::Told { gravity: Gravity::Info, text: format!("{what}: {route}") })
    }

    /// A clipboard program did not take the text: the terminal may.
    fn copy_failed(&mut self, failure: &ProgramFailed) -> io::Result<()> {
        self.clipboard = self.clipboard.without_program();
        let text = format!("{} failed ({})", failure.name, failure.reason);
        self.copy(&failure.text, &text)
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.reader = None;
        self.guard.suspend()
    }

    /// The process runs again: the terminal is claimed as if for the first time.
    fn resume(&mut self) -> io::Result<()> {
        self.reader = None;
        if self.guard.resume().is_err() {
            // The terminal went while the process stood still.
            self.ending = Some(Ending::Hangup);
            return self.dispatch(Event::Terminate);
        }
        self.reader = Some(InputThread::spawn(self.guard.tty(), self.typed.clone())?);
        self.measure()?;
        self.is_dirty = true;
        self.pictures.anew(self.session.state.size)
    }

    fn signal(&mut self, signal: Signal) -> io::Result<()> {
        match signal {
            Signal::End(ending) => {
                self.ending = Some(ending);
                self.dispatch(Event::Terminate)
            }
            Signal::Suspend => self.suspend(),
            Signal::Continue => self.resume(),
            Signal::WindowChanged => self.measure(),
        }
    }

    fn measure(&mut self) -> io::Result<()> {
        match size::of(self.guard.tty().output()) {
            Some(size) => self.resized(size),
            None => Ok(()),
        }
    }

    fn resized(&mut self, size: Size) -> io::Result<()> {
        let size = cells(size);
        if size == self.session.state.size {
            return Ok(());
        }
        self.pictures.anew(size)?;
        self.dispatch(Event::Resized(size))
    }

    fn input(&mut self, input: Input) -> io::Result<()> {
        match input {
            Input::Key(chord) => self.dispatch(Event::Key(chord)),
            Input::Paste(text) => self.dispatch(Event::Paste(text)),
            Input::Mouse(mouse) => {
                // What is under the pointer is what was drawn last, which may be a few milliseconds old.
                match self.pointer.gives(mouse, self.began.elapsed(), &self.hits) {
                    Some(event) => self.dispatch(event),
                    None => Ok(()),
                }
            }
            Input::Resized(size) => self.resized(size),
            Input::Background(Rgb { red, green, blue }) => {
                self.dispatch(Event::Background(Mode::of_background((red, green, blue))))
            }
            Input::ColourScheme(scheme) => {
                // The colour itself, where the terminal tells it, comes too and counts; a change of scheme asks anew.
                if self.is_answered {
                    self.output.send(probes::ASK_BACKGROUND.as_bytes())?;
                }
                self.dispatch(Event::Background(match scheme {
                    ColourScheme::Dark => Mode::Dark,
                    ColourScheme::Light => Mode::Light,
                }))
            }
            Input::Answered => {
                self.is_answered = true;
                Ok(())
            }
            Input::Closed => {
                self.ending = self.ending.or(Some(Ending::Hangup));
                self.dispatch(Event::Terminate)
            }
            Input::FocusGained
            | Input::FocusLost
            | Input::Foreground(_)
            | Input::KeyboardFlags(_)
            | Input::Unknown(_) => Ok(()),
        }
    }
}
