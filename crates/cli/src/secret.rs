//! `--secret NAME[@ORIGIN][=SOURCE]`: where a secret's value comes from, and the site it is for.

use std::path::PathBuf;

use secrecy::SecretString;
use url::Url;

use crate::trouble::Trouble;

/// A secret as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecretArg {
    pub(crate) name: String,
    pub(crate) origin: Option<Url>,
    pub(crate) source: Source,
}

/// Where the value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The environment variable of the secret's name, in capitals too; else the person.
    Usual,
    Env(String),
    File(PathBuf),
    Prompt,
}

impl SecretArg {
    /// Reads one `--secret`.
    pub(crate) fn parse(text: &str) -> Result<SecretArg, Trouble> {
        let wrong = |what: String| {
            Trouble::usage(format!("--secret {}: {what}", shown(text)))
                .hint("--secret NAME, NAME@https://site, NAME=env:VARIABLE, NAME=file:PATH or NAME=prompt")
        };
        // An origin has no `=` in it, so the first one begins the source.
        let (left, source) = match text.split_once('=') {
            None => (text, Source::Usual),
            Some((left, "prompt")) => (left, Source::Prompt),
            Some((left, source)) => match source.split_once(':') {
                Some(("env", name)) if !name.is_empty() => (left, Source::Env(name.to_owned())),
                Some(("file", path)) if !path.is_empty() => (left, Source::File(path.into())),
                // The value itself on the command line could be read by every process of the machine.
                _ => return Err(wrong("the source is env:VARIABLE, file:PATH or prompt; never the value itself".into())),
            },
        };
        let (name, origin) = match left.split_once('@') {
            None => (left, None),
            Some((name, origin)) => {
                let url = Url::parse(origin).map_err(|error| wrong(format!("{origin:?} is not an address: {error}")))?;
                if !matches!(url.scheme(), "http" | "https") {
                    return Err(wrong(format!("a secret is for an http or https site, not {}:", url.scheme())));
                }
                (name, Some(url))
            }
        };
        if !legwork_protocol::is_variable_name(name) {
            return Err(wrong(format!("{name:?} is not a name: letters, digits and _, not a digit first")));
        }
        Ok(SecretArg { name: name.to_owned(), origin, source })
    }

    /// Gets the value. `ask` asks a person without echo, or is none when nobody is there.
    pub(crate) fn read(
        &self,
        env: impl Fn(&str) -> Option<String>,
        ask: Option<&dyn Fn(&str) -> std::io::Result<String>>,
    ) -> Result<SecretString, Trouble> {
        let name = &self.name;
        let value = match &self.source {
            Source::Env(variable) => env(variable)
                .ok_or_else(|| Trouble::usage(format!("secret {name}: the variable {variable} is not set")))?,
            Source::File(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    Trouble::usage(format!("secret {name}: {} cannot be read", path.display())).because(&error)
                })?;
                // Editors end files with a line break; it is not part of a password.
                text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text)).unwrap_or(&text).to_owned()
            }
            Source::Prompt => asked(name, ask)?,
            Source::Usual => match env(name).or_else(|| env(&name.to_uppercase())) {
                Some(value) => value,
                None => asked(name, ask)?,
            },
        };
        if value.is_empty() {
            return Err(Trouble::usage(format!("secret {name} is empty")));
        }
        Ok(SecretString::from(value))
    }
}

fn asked(name: &str, ask: Option<&dyn Fn(&str) -> std::io::Result<String>>) -> Result<String, Trouble> {
    let ask = ask.ok_or_else(|| {
        Trouble::usage(format!("secret {name} has no value, and nobody is at the terminal to ask"))
            .hint(format!("set the variable {name}, or say --secret {name}=env:VARIABLE or {name}=file:PATH"))
    })?;
    ask(&format!("{name}: ")).map_err(|error| Trouble::usage(format!("secret {name} could not be asked for")).because(&error))
}

/// The argument up to its source: who writes the value there must not find it in a log.
fn shown(text: &str) -> &str {
    text.split_once('=').map_or(text, |(left, _)| left)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn a_secret_names_its_site_and_its_source() {
        let parse = |text| SecretArg::parse(text).unwrap();
        let arg = |name: &str, origin: Option<&str>, source| SecretArg {
            name: name.into(),
            origin: origin.map(|o| Url::parse(o).unwrap()),
            source,
        };
        assert_eq!(parse("pw"), arg("pw", None, Source::Usual));
        assert_eq!(parse("pw=env:X"), arg("pw", None, Source::Env("X".into())));
        assert_eq!(parse("pw=file:/a=b"), arg("pw", None, Source::File("/a=b".into())));
        assert_eq!(parse("pw@https://a.b:8443=prompt"), arg("pw", Some("https://a.b:8443"), Source::Prompt));
    }

    #[test]
    fn a_value_on_the_command_line_is_refused_and_not_repeated() {
        let said = SecretArg::parse("pw=hunter2").unwrap_err().to_string();
        assert!(said.contains("never the value itself") && !said.contains("hunter2"), "{said}");
        for wrong in ["1pw", "", "pw@nowhere", "pw@file:///x", "pw=env:"] {
            assert!(SecretArg::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_usual_source_is_the_variable_of_its_name_then_the_person() {
        let secret = SecretArg::parse("pw").unwrap();
        let env = |name: &str| (name == "PW").then(|| "from env".to_owned());
        assert_eq!(secret.read(env, None).unwrap().expose_secret(), "from env");
        let ask: &dyn Fn(&str) -> std::io::Result<String> = &|prompt| Ok(format!("asked {prompt}"));
        assert_eq!(secret.read(|_| None, Some(ask)).unwrap().expose_secret(), "asked pw: ");
        assert!(secret.read(|_| None, None).unwrap_err().to_string().contains("secret pw has no value"));
    }
}
