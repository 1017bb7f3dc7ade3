//! Prints captures (files with the return value of `legwork.capture()`) as observations, with figures:
//! `cargo run --release -p legwork-observe --example show -- [--tokens N] [--quiet] FILE…`.

use std::{error::Error, fs, time::Instant};

use legwork_observe::{Capture, DocumentKey, FrameCapture, PageFacts, RefTable, assemble, render};
use legwork_protocol::View;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut view, mut quiet) = (View::default(), false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--tokens" => view.max_tokens = arguments.next().ok_or("a number follows")?.parse()?,
            "--quiet" => quiet = true,
            path => {
                let bytes = fs::read(path)?;
                let started = Instant::now();
                let capture = Capture::read(&bytes)?;
                let read = started.elapsed();
                let facts =
                    PageFacts { url: capture.url.clone(), title: capture.title.clone(), ..PageFacts::default() };
                let frames = vec![FrameCapture { document: DocumentKey(1), capture, parent: None }];
                let page = assemble(facts, frames, &mut RefTable::default());
                let assembled = started.elapsed();
                let shown = render(&page, &view);
                let all = started.elapsed();
                if !quiet {
                    println!("{}", shown.text);
                }
                println!(
                    "{path}: {} nodes, {} tokens, read {read:?}, assembled {:?}, rendered {:?}, {:?}",
                    page.nodes.len(),
                    shown.tokens,
                    assembled - read,
                    all - assembled,
                    shown.left_out
                );
            }
        }
    }
    Ok(())
}
