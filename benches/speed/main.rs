//! Speed, against a peer or a floor in the same run: `cargo bench` for all, `cargo bench -- analysis` for one.
//!
//! Targets stand at the head of each file. These are not tests: a machine that is busy proves nothing.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // a benchmark stops at the first thing that fails, and prints

mod analysis;
mod evidence;
mod foreign;
mod isolate;
mod measure;
mod private_copy;
mod query;
mod replay_page;
mod start;
mod synth;
mod workbench;

/// The benchmarks by name.
const ALL: [(&str, fn()); 10] = [
    ("private_copy", private_copy::run),
    ("query", query::run),
    ("isolate", isolate::run),
    ("analysis", analysis::run),
    ("start", start::run),
    ("synth", synth::run),
    ("evidence", evidence::run),
    ("foreign", foreign::run),
    ("workbench", workbench::run),
    ("replay_page", replay_page::run),
];

fn main() {
    casebook::query::count_memory_by_statement();
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    for (name, run) in ALL {
        if wanted.is_empty() || wanted.iter().any(|it| it == name) {
            println!("== {name}");
            run();
        }
    }
}
