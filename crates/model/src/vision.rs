//! Which models accept pictures, by name, as of November 2026. Providers have no common API for this, and a model
//! without vision answers a picture with an error or, worse, with an invention. A model that is not in the list
//! therefore counts as one without vision, unless a setting says otherwise.

/// Names, and beginnings of names after the provider and the vendor, of models that accept pictures.
const VISION_MODELS: &[&str] = &[
    "gpt-4o",
    "gpt-4.1",
    "gpt-5",
    "gpt-6",
    "o1",
    "o3",
    "o4",
    "claude-3",
    "claude-4",
    "claude-haiku",
    "claude-sonnet",
    "claude-opus",
    "claude-fable",
    "gemini-",
    "gemma-3",
    "gemma3",
    "gemma-4",
    "gemma4",
    "llama-4",
    "llama4",
    "llama-3.2-11b",
    "llama-3.2-90b",
    "llama3.2-vision",
    "llava",
    "bakllava",
    "moondream",
    "minicpm-v",
    "pixtral",
    "mistral-small-3.1",
    "mistral-small3.1",
    "mistral-small-3.2",
    "mistral-small3.2",
    "mistral-medium-3",
    "qwen-vl",
    "qwen2-vl",
    "qwen2.5-vl",
    "qwen2.5vl",
    "qwen3-vl",
    "qwen3vl",
    "internvl",
    "phi-3-vision",
    "phi-3.5-vision",
    "phi-4-multimodal",
    "granite3.2-vision",
    "kimi-vl",
    "kimi-k2.5",
    "glm-4.5v",
    "glm-4.6v",
    "grok-2-vision",
    "grok-4",
    "step3-vl",
    "smolvlm",
    "aya-vision",
    "nova-lite",
    "nova-pro",
];

/// Exceptions: names that match the list, of models that do not accept pictures.
const TEXT_ONLY_MODELS: &[&str] =
    &["o1-mini", "o1-preview", "o3-mini", "claude-3-5-haiku-20241022", "gemma-3-1b", "gemma3:1b", "gemini-embedding"];

/// Whether the model `provider/name` is known to accept pictures.
pub fn accepts_images(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let begins = |known: &str| {
        // `o1` does not match `o1x`; `gpt-5` matches `gpt-5-mini`, `gpt-5.1` and `gpt-5:latest`.
        name.strip_prefix(known).is_some_and(|rest| {
            known.ends_with('-') || rest.chars().next().is_none_or(|next| !next.is_ascii_alphanumeric())
        })
    };
    VISION_MODELS.iter().any(|known| begins(known)) && !TEXT_ONLY_MODELS.iter().any(|known| begins(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_see_and_names_that_do_not() {
        for name in [
            "openai/gpt-5-mini",
            "openai/gpt-4o-2024-08-06",
            "anthropic/claude-sonnet-4-5",
            "gemini/gemini-2.5-flash",
            "openrouter/qwen/qwen2.5-vl-72b-instruct",
            "ollama/gemma3:4b",
            "ollama/llava:13b",
            "openai/o3",
            "openai/gpt-5.1",
        ] {
            assert!(accepts_images(name), "{name}");
        }
        for name in [
            "openai/o3-mini",
            "openai/gpt-3.5-turbo",
            "ollama/qwen3",
            "ollama/gemma3:1b",
            "openrouter/deepseek/deepseek-chat",
            "compatible/scripted",
            "openai/o1x",
        ] {
            assert!(!accepts_images(name), "{name}");
        }
    }
}
