//! A cache of token counts of words. A page repeats the same words, and an observation is counted several times while
//! a plan is chosen. The table has a fixed size; a new word replaces an older one in the same slot.

use std::cell::RefCell;

const BITS: u32 = 12;
/// A word is stored completely, in one number with its length.
const LONGEST: usize = 15;

#[derive(Clone, Copy, Default)]
struct TokenCache {
    word: u128,
    count: usize,
}

thread_local! {
    static TABLE: RefCell<Box<[TokenCache]>> = RefCell::new(vec![TokenCache::default(); 1 << BITS].into());
}

/// The count of a non-empty word, from the cache or from `count`.
pub(super) fn count_or(word: &[u8], count: impl FnOnce() -> usize) -> usize {
    if word.len() > LONGEST {
        return count();
    }
    let mut bytes = [0; 16];
    bytes[..word.len()].copy_from_slice(word);
    bytes[LONGEST] = word.len() as u8;
    let word = u128::from_le_bytes(bytes);
    let mixed = ((word >> 64) as u64 ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    TABLE.with_borrow_mut(|table| {
        let known = &mut table[(mixed >> (64 - BITS)) as usize];
        if known.word != word {
            *known = TokenCache { word, count: count() };
        }
        known.count
    })
}

#[cfg(test)]
mod tests {
    use super::count_or;

    #[test]
    fn words_do_not_answer_for_each_other() {
        // More words than slots, each requested twice in a row and again after all the others.
        for _ in 0..2 {
            for number in 0..10_000_usize {
                let word = format!("w{number}");
                assert_eq!(count_or(word.as_bytes(), || number), number);
                assert_eq!(count_or(word.as_bytes(), || panic!("{word} is known")), number);
            }
        }
        assert_eq!(count_or(b"a word that is too long", || 1), 1);
        assert_eq!(count_or(b"a word that is too long", || 2), 2);
    }
}
