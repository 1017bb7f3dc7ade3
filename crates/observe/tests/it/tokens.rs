//! Our counts equal those of tiktoken.

use std::sync::LazyLock;

use legwork_observe::tokens;
use proptest::prelude::*;
use tiktoken_rs::CoreBPE;

static MODEL: LazyLock<CoreBPE> = LazyLock::new(|| tiktoken_rs::o200k_base().expect("the vocabulary is built in"));

#[track_caller]
fn check(text: &str) {
    assert_eq!(tokens::count(text), MODEL.encode_ordinary(text).len(), "{text:?}");
}

#[test]
fn texts_of_many_kinds() {
    for text in [
        "",
        " ",
        "\n",
        "  \n\n  x",
        "Hello, world!  It's   12345 o'clock.\r\n\r\n\tEnd",
        "- button \"Add to cart\" [ref=e12] [disabled]\n  - text: naïve café ﬁne\n",
        "DON'T don'T we'LL I'm x'ſ 'sX 's",
        "HTTPServer camelCaseWord XMLHttpRequestABC ʰX Xʰ Xʰa",
        "http://site.test/a//b/c?d=e#f/// /\n//\n",
        "日本語のテキスト。中文字符 한국어 ไทย العربية עברית हिन्दी",
        "👩‍👩‍👧‍👦 🇩🇪 e\u{301}a\u{300} \u{301}x  \u{301}",
        "١٢٣٤٥ ⅷ ½ ²³ 1234567",
        "\u{a0}\u{a0}x\u{2003}y\u{3000}\u{3000}",
        "a\u{85}b\u{b}c\u{0}d\u{feff}e\u{200b}f",
        "<|endoftext|> <|endofprompt|>",
        // A mark ends a word of the first alternative, although the second one would take the capital with it.
        "\u{1e023}Ⴭ{ \u{301}É \u{301}ÉA",
        "fn main() { println!(\"{:?}\", vec![1, 2]); } // ---- ==== ....",
    ] {
        check(text);
        check(&format!("{text}{text}"));
    }
}

#[test]
fn a_long_word_without_an_end() {
    check(&"a".repeat(20_000));
    check(&"abcXYZ".repeat(3_000));
    check(&"日本".repeat(2_000));
    check(&" ".repeat(5_000));
    check(&"=-".repeat(3_000));
}

#[test]
fn every_letter_of_the_basic_plane() {
    let all: Vec<char> = ('\0'..='\u{ffff}').collect();
    for some in all.chunks(64) {
        check(&some.iter().flat_map(|c| [*c, 'a', ' ']).collect::<String>());
        check(&some.iter().collect::<String>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text(text in "\\PC{0,60}") { check(&text); }

    #[test]
    fn text_that_provokes(text in "([a-z]{1,4}|[A-Z]{1,3}|[0-9]{1,5}|'(s|t|RE|ve|m|ll|D)|[ \t\r\n]{1,3}|[./\\-_!\"]{1,3}|[é漢ʰ\u{301}½ſǅ ]){0,24}") {
        check(&text);
    }
}
