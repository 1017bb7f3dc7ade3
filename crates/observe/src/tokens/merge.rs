//! Byte-pair merging of one word: repeatedly merges the neighbours whose union has the lowest rank, the leftmost
//! first.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::rank;

/// The number of tokens of a word that is not itself a token.
pub(super) fn count(word: &[u8]) -> usize {
    // The parts form a list by their start offsets; `next[start]` is the end of a part.
    let len = word.len();
    let mut next: Vec<u32> = (1..=len as u32).collect();
    let mut before: Vec<u32> = (0..=len as u32).map(|at| at.wrapping_sub(1)).collect();
    let mut alive = vec![true; len];
    let mut queue = BinaryHeap::with_capacity(len);
    let pair = |start: usize, next: &[u32]| -> Option<(u64, u32, u32)> {
        let middle = *next.get(start)? as usize;
        let end = *next.get(middle)? as usize;
        let rank = rank(&word[start..end]);
        (rank != u64::MAX).then_some((rank, start as u32, end as u32))
    };
    queue.extend((0..len.saturating_sub(1)).filter_map(|start| pair(start, &next)).map(Reverse));
    let mut parts = len;
    while let Some(Reverse((_, start, end))) = queue.pop() {
        let (start, end) = (start as usize, end as usize);
        let middle = next[start] as usize;
        // Outdated: one of the two parts has been merged with another one since.
        if !alive[start] || middle >= len || !alive[middle] || next[middle] as usize != end {
            continue;
        }
        alive[middle] = false;
        next[start] = end as u32;
        before[end] = start as u32;
        parts -= 1;
        queue.extend(pair(start, &next).map(Reverse));
        if start > 0 {
            queue.extend(pair(before[start] as usize, &next).map(Reverse));
        }
    }
    parts
}
