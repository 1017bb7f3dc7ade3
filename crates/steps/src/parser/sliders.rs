//! Sentence forms for moving a slider to a value.

use super::lists::instruction;
use crate::{
    ast::{Clause, Operation, TargetPhrase},
    tokens::TokenStream,
};

/// Moves a slider, then verifies its value.
pub(super) fn slide(words: TokenStream<'_>, target: TargetPhrase, value: String) -> Vec<Clause> {
    let slide = |moved| Operation::Slide { target: target.clone(), value: value.clone(), moved };
    [false, true].map(|moved| instruction(words, slide(moved))).to_vec()
}
