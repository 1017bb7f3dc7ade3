//! The APIs of providers.

/// An API of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// OpenAI's chat completions at OpenAI.
    OpenAi,
    /// OpenAI's chat completions at any other server.
    Compatible,
    /// Anthropic's Messages API.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}
