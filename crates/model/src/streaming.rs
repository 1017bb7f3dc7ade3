//! Streaming of replies. The stream is for display only: the reply itself is read when it is complete, from the body
//! that the provider would have sent without streaming.

use serde_json::Value;

use crate::{ModelError, ReplyProblem, wire::Format};

/// Receives the text of a reply as it arrives.
pub trait DeltaSink: Send + Sync {
    /// Whether anything receives the text. If not, the request is sent without streaming.
    fn is_active(&self) -> bool;
    /// The next part of the text.
    fn delta(&self, piece: &str);
    /// Discards the text received so far, because the request is sent again.
    fn reset(&self);
}

/// No receiver.
impl DeltaSink for () {
    fn is_active(&self) -> bool {
        false
    }
    fn delta(&self, _: &str) {}
    fn reset(&self) {}
}

/// Assembles a reply from its server-sent events.
pub(crate) struct SseAssembler<'a> {
    format: Format,
    sink: &'a dyn DeltaSink,
    /// The maximum number of bytes that are kept.
    limit: usize,
    kept: usize,
    /// Bytes of an incomplete line.
    line: Vec<u8>,
    /// Data of an incomplete event.
    data: String,
    whole: Value,
}

impl<'a> SseAssembler<'a> {
    pub(crate) fn new(format: Format, sink: &'a dyn DeltaSink, limit: usize) -> Self {
        SseAssembler { format, sink, limit, kept: 0, line: Vec::new(), data: String::new(), whole: Value::Null }
    }

    /// Adds received bytes, which may end anywhere.
    ///
    /// # Errors
    /// When the provider reports a failure in the stream.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> Result<(), ModelError> {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            self.line_ended(String::from_utf8_lossy(&line).trim_end_matches('\r'))?;
        }
        self.line.extend_from_slice(bytes);
        self.bounded(self.line.len() + self.data.len())
    }

    /// The body as it would be without streaming.
    pub(crate) fn whole(mut self) -> Result<Vec<u8>, ModelError> {
        // The last event may lack its empty line.
        let line = std::mem::take(&mut self.line);
        self.line_ended(String::from_utf8_lossy(&line).trim_end_matches('\r'))?;
        self.line_ended("")?;
        Ok(if self.whole.is_null() { Vec::new() } else { self.whole.to_string().into_bytes() })
    }

    fn bounded(&self, more: usize) -> Result<(), ModelError> {
        let Self { limit, .. } = *self;
        if self.kept + more > limit { Err(ReplyProblem::TooLarge { limit }.into()) } else { Ok(()) }
    }

    fn line_ended(&mut self, line: &str) -> Result<(), ModelError> {
        if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        } else if line.is_empty() && !self.data.is_empty() {
            let data = std::mem::take(&mut self.data);
            // `[DONE]` and similar markers are not JSON; the end of the body says the same.
            let Ok(event) = serde_json::from_str(&data) else { return Ok(()) };
            if let Some(piece) = self.format.assemble(&mut self.whole, event)?.filter(|piece| !piece.is_empty()) {
                self.kept += piece.len();
                self.bounded(0)?;
                self.sink.delta(&piece);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;

    #[derive(Default)]
    struct RecordingSink(Mutex<Vec<String>>);
    impl DeltaSink for RecordingSink {
        fn is_active(&self) -> bool {
            true
        }
        fn delta(&self, piece: &str) {
            self.0.lock().push(piece.to_owned());
        }
        fn reset(&self) {}
    }

    /// Splits the same events at every byte.
    fn check(format: Format, events: &str, pieces: &[&str], text: &str, completion: u64) {
        for cut in 0..events.len() {
            let sink = RecordingSink::default();
            let mut assembler = SseAssembler::new(format, &sink, 1 << 20);
            assembler.take(&events.as_bytes()[..cut]).unwrap();
            assembler.take(&events.as_bytes()[cut..]).unwrap();
            let answer = format.read(&assembler.whole().unwrap()).unwrap();
            assert_eq!((answer.text.as_str(), answer.tokens.completion), (text, completion), "cut at {cut}");
            assert_eq!(answer.finish.as_deref(), Some("stop"));
            assert_eq!(*sink.0.lock(), pieces, "cut at {cut}");
        }
    }

    #[test]
    fn chat_completions_in_chunks() {
        let events = concat!(
            ": a comment\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"dö\"},\"finish_reason\":null}],\"usage\":null}\r\n\r\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\\":1}\"},\"finish_reason\":null}]}\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\n",
            "data: [DONE]\n\n",
        );
        check(Format::OpenAi, events, &["{\"dö", "\":1}"], "{\"dö\":1}", 4);
    }

    #[test]
    fn messages_in_blocks() {
        let events = concat!(
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n",
            "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n",
            "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
            "event: ping\ndata: {\"type\":\"ping\"}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"ab\"}}\n\n",
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"c\"}}\n\n",
            "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":7}}\n\n",
            "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        );
        check(Format::Anthropic, events, &["ab", "c"], "abc", 7);
    }

    #[test]
    fn a_forced_tool_in_pieces() {
        let events = concat!(
            "data: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n",
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"reply\",\"input\":{}}}\n\n",
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\":\"}}\n\n",
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"2}\"}}\n\n",
            "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":3}}\n\n",
        );
        check(Format::Anthropic, events, &["{\"a\":", "2}"], "{\"a\":2}", 3);
    }

    #[test]
    fn candidates_in_parts() {
        let events = concat!(
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hm\",\"thought\":true}],\"role\":\"model\"}}]}\r\n\r\n",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"ab\"}],\"role\":\"model\"}}],\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":1}}\r\n\r\n",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"c\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":2}}\r\n\r\n",
        );
        check(Format::Gemini, events, &["ab", "c"], "abc", 2);
    }

    #[test]
    fn no_more_is_kept_than_allowed() {
        let event = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
        let fed = |bytes: &[u8], times: usize| {
            let mut assembler = SseAssembler::new(Format::OpenAi, &(), 1000);
            (0..times).try_for_each(|_| assembler.take(bytes))
        };
        assert!(fed(event(&"a".repeat(90)).as_bytes(), 11).is_ok());
        let too_large =
            |fed: Result<(), ModelError>| matches!(fed, Err(ModelError::Reply(ReplyProblem::TooLarge { limit: 1000 })));
        assert!(too_large(fed(event(&"a".repeat(90)).as_bytes(), 12)));
        assert!(too_large(fed(b"data: a line that never ends", 50)));
        assert!(too_large(fed(b"data: an event that never ends\n", 50)));
    }

    #[test]
    fn a_failure_in_the_midst_of_a_reply() {
        let check = |format: Format, event: &str, status: u16| {
            let mut assembler = SseAssembler::new(format, &(), 1 << 20);
            let failed = assembler.take(format!("data: {event}\n\n").as_bytes()).unwrap_err();
            let (ModelError::Server { status: code, .. } | ModelError::Refused { status: code, .. }) = failed else {
                panic!("{failed:?}")
            };
            assert_eq!(code, status);
        };
        check(Format::Anthropic, r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#, 529);
        check(Format::Compatible, r#"{"error":{"code":502,"message":"upstream"},"choices":[]}"#, 502);
        check(Format::Gemini, r#"{"error":{"code":400,"message":"no"}}"#, 400);
    }
}
