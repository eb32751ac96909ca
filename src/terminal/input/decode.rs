//! What a sequence means: keys and mouse by `termina`, answers by [`report`](super::report).

use super::{Input, MouseButton, MouseInput, MouseKind, report};
use crate::workbench::keys::{Chord, Key};
use termina::escape::csi::{Csi, Cursor};
use termina::event::{Event, KeyCode, KeyEvent, KeyEventKind, Modifiers, MouseEvent, MouseEventKind};
use termina::{OneBased, Parser};

/// Decodes one whole sequence at a time.
pub(super) struct Decoder {
    parser: Parser,
}

impl Decoder {
    pub(super) fn new() -> Self {
        Self { parser: Parser::default() }
    }

    /// What a whole sequence means; `None` for what is of no interest: the release of a key.
    pub(super) fn decode(&mut self, sequence: &[u8]) -> Option<Input> {
        let unknown = || Some(Input::Unknown(sequence.to_vec()));
        if let Some(answer) = report::read(sequence) {
            return Some(answer);
        }
        // Before the parser, which holds such a pair for the begin of a sequence.
        if let [0x1b, byte @ 0x20..=0x7e] = sequence {
            return Some(Input::Key(Chord { alt: true, ..Chord::plain(Key::Char(char::from(*byte))) }));
        }
        let Some(event) = self.parse(sequence) else { return unknown() };
        match event {
            Event::Key(KeyEvent { kind: KeyEventKind::Release, .. }) => None,
            Event::Key(key) => chord(key, sequence).map(Input::Key).or_else(unknown),
            Event::Mouse(mouse) => Some(Input::Mouse(mouse_input(mouse))),
            Event::FocusIn => Some(Input::FocusGained),
            Event::FocusOut => Some(Input::FocusLost),
            // F3 with modifiers has the form of an answer to a question that is never asked.
            Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, col })) if line.get() == 1 => {
                modified_f3(col).map(Input::Key).or_else(unknown)
            }
            _ => unknown(),
        }
    }

    /// The event that the whole sequence is for the parser, not one that it makes of a part of it.
    fn parse(&mut self, sequence: &[u8]) -> Option<Event> {
        let (last, begin) = sequence.split_last()?;
        if !begin.is_empty() {
            self.parser.parse(begin, true);
        }
        let is_early = self.parser.pop().is_some();
        self.parser.parse(&[*last], false);
        let event = self.parser.pop().filter(|event| !is_early && is_of(sequence, event));
        if event.is_none() {
            // It may hold bytes still, and would take the next key for their rest.
            self.parser = Parser::default();
        }
        event
    }
}

/// Whether an event can come of such a sequence. The parser drops the begin of a sequence that it doesn't know, and takes
/// what follows for typed characters.
fn is_of(sequence: &[u8], event: &Event) -> bool {
    let is_character = matches!(event, Event::Key(KeyEvent { code: KeyCode::Char(_), .. }));
    match sequence {
        [0x1b, b'[', b'0'..=b'9', .., b'u'] => true,
        [0x1b, b'[' | b'O', ..] => !is_character,
        _ => true,
    }
}

fn modified_f3(parameter: OneBased) -> Option<Chord> {
    // 1 and a bit for each modifier; from 8 on those that a chord doesn't have.
    let held = parameter.get_zero_based();
    (1..8).contains(&held).then_some(Chord {
        key: Key::Function(3),
        shift: held & 1 != 0,
        alt: held & 2 != 0,
        control: held & 4 != 0,
    })
}

/// The chord of a key; `None` for keys and modifiers that no chord has.
fn chord(event: KeyEvent, sequence: &[u8]) -> Option<Chord> {
    // Super-C must not type a c.
    if event.modifiers.intersects(Modifiers::SUPER | Modifiers::HYPER | Modifiers::META) {
        return None;
    }
    let control = event.modifiers.contains(Modifiers::CONTROL);
    let alt = event.modifiers.contains(Modifiers::ALT);
    let shift = event.modifiers.contains(Modifiers::SHIFT);
    let named = |key| Some(Chord { key, control, alt, shift });
    match event.code {
        KeyCode::Char(character) => {
            let character = plain_character(character, control, shift, sequence)?;
            Some(Chord { key: Key::Char(character), control, alt, shift: false })
        }
        KeyCode::BackTab => Some(Chord { key: Key::Tab, control, alt, shift: true }),
        KeyCode::Enter => named(Key::Enter),
        KeyCode::Backspace => named(Key::Backspace),
        KeyCode::Tab => named(Key::Tab),
        KeyCode::Escape => named(Key::Escape),
        KeyCode::Left => named(Key::Left),
        KeyCode::Right => named(Key::Right),
        KeyCode::Up => named(Key::Up),
        KeyCode::Down => named(Key::Down),
        KeyCode::Home => named(Key::Home),
        KeyCode::End => named(Key::End),
        KeyCode::PageUp => named(Key::PageUp),
        KeyCode::PageDown => named(Key::PageDown),
        KeyCode::Insert => named(Key::Insert),
        KeyCode::Delete => named(Key::Delete),
        KeyCode::Function(number) => named(Key::Function(number)),
        _ => None,
    }
}

/// The character of a chord, which says by itself whether Shift is held.
fn plain_character(character: char, control: bool, shift: bool, sequence: &[u8]) -> Option<char> {
    let character = match (character, sequence.last()) {
        // The parser names the four control bytes after digits, as old keyboards had them.
        ('4'..='7', Some(0x1c..=0x1f)) => match character {
            '4' => '\\',
            '5' => ']',
            '6' => '^',
            _ => '_',
        },
        _ => character,
    };
    // Keys that have no character are given one of the private ones, of which the parser knows some.
    let is_private = matches!(character, '\u{e000}'..='\u{f8ff}') && sequence.ends_with(b"u");
    if character.is_control() || is_private {
        return None;
    }
    Some(if control {
        single(character.to_lowercase()).unwrap_or(character)
    } else if shift {
        single(character.to_uppercase()).unwrap_or(character)
    } else {
        character
    })
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    characters.next().filter(|_| characters.next().is_none())
}

fn mouse_input(event: MouseEvent) -> MouseInput {
    let button = |button| match button {
        termina::event::MouseButton::Left => MouseButton::Left,
        termina::event::MouseButton::Middle => MouseButton::Middle,
        termina::event::MouseButton::Right => MouseButton::Right,
    };
    MouseInput {
        kind: match event.kind {
            MouseEventKind::Down(which) => MouseKind::Press(button(which)),
            MouseEventKind::Up(which) => MouseKind::Release(button(which)),
            MouseEventKind::Drag(which) => MouseKind::Drag(button(which)),
            MouseEventKind::Moved => MouseKind::Moved,
            MouseEventKind::ScrollUp => MouseKind::ScrollUp,
            MouseEventKind::ScrollDown => MouseKind::ScrollDown,
            MouseEventKind::ScrollLeft => MouseKind::ScrollLeft,
            MouseEventKind::ScrollRight => MouseKind::ScrollRight,
        },
        column: event.column,
        row: event.row,
        control: event.modifiers.contains(Modifiers::CONTROL),
        alt: event.modifiers.contains(Modifiers::ALT),
        shift: event.modifiers.contains(Modifiers::SHIFT),
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
