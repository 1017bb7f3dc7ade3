//! The reason why a model's reply is unusable: the one cause that is reported to a person, with its code. The model
//! receives the [`SchemaProblem`]s of each field instead.

use legwork_protocol::{ChatReply, Code};

use crate::schema::SchemaProblem;

/// An unusable reply.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnusableReply {
    pub(super) code: Code,
    /// The cause, worded as the beginning of a sentence.
    pub(super) cause: String,
}

impl UnusableReply {
    /// The reply was truncated at the maximum number of tokens.
    pub(super) fn cut_off(limit: u32) -> UnusableReply {
        let cause = format!("the model's reply was cut off at its limit of {limit} tokens");
        UnusableReply { code: Code::ReplyCutOff, cause }
    }

    /// The reason why a reply is not readable; `limit` is its maximum number of tokens.
    pub(super) fn of(reply: &ChatReply, limit: u32, problems: &[SchemaProblem]) -> UnusableReply {
        let unread = problems.iter().any(|problem| problem.path == "reply");
        let (code, cause) = match reply.finish.as_deref() {
            // The end is missing, whatever other problems it has. A reasoning model may have written only its
            // reasoning.
            Some("length" | "max_tokens") if unread || reply.text.trim().is_empty() => {
                return UnusableReply::cut_off(limit);
            }
            Some("refusal") => (Code::ResponseParsing, "the model refused to answer".to_owned()),
            _ if reply.text.trim().is_empty() => (Code::ReplyEmpty, "the model's reply is empty".to_owned()),
            _ if reply.text.len() > crate::schema::MAX_REPLY_BYTES => {
                let bytes = reply.text.len();
                (Code::ReplyTooLarge, format!("the model's reply is too large to be read: {bytes} bytes"))
            }
            _ if unread => (Code::ResponseParsing, "the model's reply is not the JSON it was asked for".to_owned()),
            _ => (Code::SchemaValidation, "the model's reply does not fit the schema".to_owned()),
        };
        UnusableReply { code, cause }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::schema::{self, SchemaOptions};

    #[test]
    fn each_cause_has_its_words_and_its_code() {
        let check = |text: &str, finish: &str, code: Code, words: &str| {
            let reply = ChatReply {
                model: "test/model".into(),
                text: text.into(),
                finish: Some(finish.into()),
                usage: Default::default(),
                latency: Duration::ZERO,
                retries: 0,
                failed_attempts: Vec::new(),
            };
            let problems = schema::read(text, &SchemaOptions::default()).expect_err("it cannot be used");
            let unusable = UnusableReply::of(&reply, 1_000, &problems);
            assert_eq!(unusable.code, code, "{text:.40}");
            assert!(unusable.cause.contains(words), "{}", unusable.cause);
        };
        check("", "stop", Code::ReplyEmpty, "is empty");
        check("  \n", "length", Code::ReplyCutOff, "cut off at its limit of 1000 tokens");
        check("I would now click on the", "length", Code::ReplyCutOff, "cut off");
        check("Click it.", "stop", Code::ResponseParsing, "not the JSON");
        check(&"x".repeat(300 * 1024), "stop", Code::ReplyTooLarge, "too large to be read: 307200 bytes");
        check("No.", "refusal", Code::ResponseParsing, "refused");
        let other = r#"{"decision":{"action":"PROCEED","message":7},"confidence":2}"#;
        check(other, "stop", Code::SchemaValidation, "does not fit the schema");
    }
}
