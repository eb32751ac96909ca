//! Payloads made readable: JSON and policy documents laid out, with what each piece is.
//!
//! Numbers and escapes stay as they are written: nothing is read and written anew but the space between.

use crate::workbench::overlay::cell::{PayloadClass, PrettyText};
use serde::de::IgnoredAny;
use std::str::FromStr as _;
use std::sync::OnceLock;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

/// Above this a text is laid out but not coloured.
const COLOURED: usize = 1 << 20;
/// Lines longer than this are not coloured.
const LONG_LINE: usize = 4_096;

/// Makes a payload readable.
pub(super) fn pretty(text: &str) -> PrettyText {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return PrettyText {
            language: "text".to_owned(),
            lines: plain(text),
            remark: Some("it is no valid JSON".to_owned()),
        };
    }
    // A document inside a JSON text is what is meant: policies are often kept so.
    if let Ok(inner) = serde_json::from_str::<String>(text)
        && inner.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<IgnoredAny>(&inner).is_ok()
    {
        let mut inner = pretty(&inner);
        inner.remark = Some("JSON inside of a JSON text".to_owned());
        return inner;
    }
    let laid_out = lay_out(text);
    if laid_out.len() > COLOURED || laid_out.lines().any(|line| line.len() > LONG_LINE) {
        return PrettyText {
            language: "JSON".to_owned(),
            lines: plain(&laid_out),
            remark: Some("too long to be coloured".to_owned()),
        };
    }
    PrettyText { language: "JSON".to_owned(), lines: coloured(&laid_out), remark: None }
}

fn plain(text: &str) -> Vec<Vec<(PayloadClass, String)>> {
    text.lines().map(|line| vec![(PayloadClass::Plain, line.to_owned())]).collect()
}

/// Valid JSON with a line a member, indented by two.
fn lay_out(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    let mut characters = json.chars().peekable();
    let indent = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(character) = characters.next() {
        if in_text {
            out.push(character);
            match character {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match character {
            ' ' | '\t' | '\n' | '\r' => {}
            '"' => {
                in_text = true;
                out.push('"');
            }
            '{' | '[' => {
                out.push(character);
                while characters.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(close) = characters.next_if(|it| matches!(it, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    indent(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                indent(&mut out, depth);
                out.push(character);
            }
            ',' => {
                out.push(',');
                indent(&mut out, depth);
            }
            ':' => out.push_str(": "),
            other => out.push(other),
        }
    }
    out
}

fn syntaxes() -> &'static SyntaxSet {
    static SET: OnceLock<SyntaxSet> = OnceLock::new();
    SET.get_or_init(SyntaxSet::load_defaults_newlines)
}

/// Scopes by what they say of a piece; the first that fits counts.
fn classes() -> &'static [(Scope, PayloadClass)] {
    static CLASSES: OnceLock<Vec<(Scope, PayloadClass)>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        [
            ("meta.structure.dictionary.key", PayloadClass::Key),
            ("entity.name.tag", PayloadClass::Key),
            ("support.type.property-name", PayloadClass::Key),
            ("string", PayloadClass::String),
            ("constant.numeric", PayloadClass::Number),
            ("constant", PayloadClass::Constant),
            ("comment", PayloadClass::Comment),
            ("punctuation", PayloadClass::Punctuation),
        ]
        .into_iter()
        .filter_map(|(scope, class)| Some((Scope::from_str(scope).ok()?, class)))
        .collect()
    })
}

fn coloured(json: &str) -> Vec<Vec<(PayloadClass, String)>> {
    let set = syntaxes();
    let Some(syntax) = set.find_syntax_by_extension("json") else { return plain(json) };
    let (mut state, mut stack) = (ParseState::new(syntax), ScopeStack::new());
    let mut lines = Vec::new();
    for line in json.lines() {
        let with_end = format!("{line}\n");
        let Ok(changes) = state.parse_line(&with_end, set) else { return plain(json) };
        let (mut pieces, mut at) = (Vec::<(PayloadClass, String)>::new(), 0);
        let mut push = |stack: &ScopeStack, from: usize, to: usize| {
            let Some(text) = line.get(from..to.min(line.len())).filter(|text| !text.is_empty()) else {
                return;
            };
            let class = class_of(stack);
            match pieces.last_mut() {
                Some((last, before)) if *last == class => before.push_str(text),
                _ => pieces.push((class, text.to_owned())),
            }
        };
        for (place, change) in changes {
            push(&stack, at, place);
            at = place;
            if stack.apply(&change).is_err() {
                return plain(json);
            }
        }
        push(&stack, at, line.len());
        // A text that a colon follows names a member: the default grammar of JSON does not say so.
        name_keys(&mut pieces);
        lines.push(pieces);
    }
    lines
}

fn class_of(stack: &ScopeStack) -> PayloadClass {
    for scope in stack.as_slice().iter().rev() {
        if let Some((_, class)) = classes().iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)) {
            // The quotation marks belong to their text.
            if *class == PayloadClass::Punctuation && stack.as_slice().iter().any(|it| class_is_text(*it)) {
                return PayloadClass::String;
            }
            return *class;
        }
    }
    PayloadClass::Plain
}

fn class_is_text(scope: Scope) -> bool {
    classes().iter().any(|(prefix, class)| *class == PayloadClass::String && prefix.is_prefix_of(scope))
}

fn name_keys(pieces: &mut [(PayloadClass, String)]) {
    for at in 1..pieces.len() {
        let (before, after) = pieces.split_at_mut(at);
        if let (Some((class, _)), Some((_, next))) = (before.last_mut(), after.first())
            && *class == PayloadClass::String
            && next.trim_start().starts_with(':')
        {
            *class = PayloadClass::Key;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{lay_out, pretty};
    use crate::workbench::overlay::cell::PayloadClass;

    fn text(lines: &[Vec<(PayloadClass, String)>]) -> String {
        lines
            .iter()
            .map(|line| line.iter().map(|(_, text)| text.as_str()).collect::<String>() + "\n")
            .collect()
    }

    #[test]
    fn json_is_laid_out_and_its_spelling_stays() {
        let json = r#"{"b":[1.50,{}, []],"a":"x:\"{,","n":null}"#;
        let wanted =
            "{\n  \"b\": [\n    1.50,\n    {},\n    []\n  ],\n  \"a\": \"x:\\\"{,\",\n  \"n\": null\n}";
        assert_eq!(lay_out(json), wanted);
        let pretty = pretty(json);
        assert_eq!((pretty.language.as_str(), pretty.remark), ("JSON", None));
        assert_eq!(text(&pretty.lines).trim_end(), wanted);
    }

    #[test]
    fn pieces_are_told_apart() {
        let pretty = pretty(r#"{"Effect": "Allow", "n": 12, "is": true}"#);
        let class = |wanted: &str| {
            let mut pieces = pretty.lines.iter().flatten();
            pieces.find(|(_, text)| text.contains(wanted)).map(|(class, _)| *class)
        };
        assert_eq!(class("Effect"), Some(PayloadClass::Key));
        assert_eq!(class("Allow"), Some(PayloadClass::String));
        assert_eq!(class("12"), Some(PayloadClass::Number));
        assert_eq!(class("true"), Some(PayloadClass::Constant));
    }

    #[test]
    fn what_is_none_stays_as_it_is() {
        let pretty = pretty("{not json\n}");
        assert_eq!((pretty.language.as_str(), text(&pretty.lines).as_str()), ("text", "{not json\n}\n"));
        let inner = super::pretty(r#""{\"a\":1}""#);
        assert_eq!(text(&inner.lines), "{\n  \"a\": 1\n}\n");
        assert!(inner.remark.unwrap().contains("inside"));
        let long = format!("[\"{}\"]", "x".repeat(2 << 20));
        assert!(super::pretty(&long).remark.unwrap().contains("too long"));
    }
}
