//! Writes `src/tokens/o200k.fst` and `src/tokens/classes.bin` from the vocabulary of tiktoken-rs and the Unicode
//! tables of regex.
//!
//! `cargo run --release -p legwork-observe --example make_vocabulary` in the root of the repository. The files are
//! committed.

use std::{error::Error, fs};

use regex::Regex;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tokens");
    let model = tiktoken_rs::o200k_base()?;
    let mut tokens: Vec<(Vec<u8>, u64)> =
        (0..200_000_u32).filter_map(|rank| Some((model.decode_bytes(&[rank]).ok()?, u64::from(rank)))).collect();
    tokens.retain(|(token, _)| !token.is_empty() && !token.starts_with(b"<|end"));
    tokens.sort();
    let map = fst::Map::from_iter(tokens)?;
    fs::write(format!("{folder}/o200k.fst"), map.as_fst().as_bytes())?;

    // Ranges of one class each, `start << 3 | class`, in order. The numbers are those of `tokens::split`.
    let classes = [r"\s", r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}"];
    let classes: Vec<Regex> = classes.iter().map(|c| Regex::new(&format!("^{c}$"))).collect::<Result<_, _>>()?;
    let (mut bytes, mut before) = (Vec::new(), u32::MAX);
    for c in '\0'..=char::MAX {
        let mut text = [0; 4];
        let text = c.encode_utf8(&mut text);
        let class = classes.iter().position(|class| class.is_match(text)).map_or(0, |at| at as u32 + 1);
        if class != before {
            bytes.extend((u32::from(c) << 3 | class).to_le_bytes());
            before = class;
        }
    }
    fs::write(format!("{folder}/classes.bin"), bytes)?;
    Ok(())
}
