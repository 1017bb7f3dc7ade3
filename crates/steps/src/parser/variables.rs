//! Keeping and showing what the page says.

use legwork_protocol::is_variable_name;

use super::*;
use crate::{element_kind::ElementKind, texts};

pub(super) fn save(input: TokenStream<'_>) -> ParseResult {
    let verb = input.lower(0);
    let mut rest = input.from(1);
    let one = |operation: Operation| Ok(vec![instruction(input, operation)]);
    let shot = rest.strip_articles();
    if verb == "take" || shot.lower(0) == "screenshot" {
        if !matches!(shot.lower(0), "screenshot" | "picture" | "snapshot") {
            return not_known(input);
        }
        let mut of = shot.from(1);
        of.take_prefix("of|showing");
        let page = of.is_empty()
            || matches!(
                of.strip_articles().text().to_lowercase().as_str(),
                "page" | "screen" | "window" | "whole page" | "full page" | "current page" | "whole screen" | "result"
            );
        if !page
            && matches!(
                of.strip_articles().lower(0),
                "page" | "screen" | "window" | "result" | "current" | "whole" | "full"
            )
        {
            return not_known(input);
        }
        return one(Operation::Screenshot(if page { None } else { Some(phrase(of)?) }));
    }
    // The variable: after the last `as` or `into`.
    let mut split = None;
    let mut from = 1;
    while let Some((at, count)) = rest.find(
        from,
        "as the variable|into the variable|in the variable|to the variable|\
            as variable|in variable|into variable|as|into|in|to|under|under the name",
    ) {
        if at + count + 1 == rest.len() {
            split = Some((at, count));
        }
        from = at + 1;
    }
    let Some((at, count)) = split else {
        let things = shot.text().to_lowercase();
        if verb == "save"
            && matches!(things.as_str(), "" | "it" | "changes" | "form" | "settings" | "everything" | "file" | "page")
        {
            return Err(ParseError::new(input.source(), "`save` keeps a value of the page; a button has to be named")
                .at(input)
                .suggest("Click \"Save\""));
        }
        if verb == "read" {
            let (what, _) = saved(rest)?;
            let Saved::Of { target, .. } = what else { return not_known(input) };
            return one(Operation::Read(Some(target).filter(|target| target.source_text.to_lowercase() != "page")));
        }
        return Err(ParseError::new(input.source(), "it does not say as which variable")
            .suggest("Save the text of \"Total\" as total"));
    };
    let text = rest.from(at + count).text();
    let variable = text.trim().trim_start_matches("${").trim_start_matches('$').trim_end_matches('}').to_owned();
    if !is_variable_name(&variable) {
        return Err(ParseError::new(
            input.source(),
            format!("{text:?} cannot be the name of a variable: it needs letters, digits and _, no digit first"),
        )
        .suggest("Save the text of \"Total\" as total"));
    }
    rest = rest.take(at);
    let (what, _) = saved(rest)?;
    one(Operation::Save { what, variable })
}

/// `the amount of Initech`, `the price`, or an element.
fn property(input: TokenStream<'_>) -> Result<Saved, ParseError> {
    let target = target_phrase::with_property(input)?;
    let bare_value = target.kind == Some(ElementKind::Text) && target.name.is_none() && target.scopes.is_empty();
    if bare_value && target.property.is_none() && target.ordinal.is_none() && target.contains.is_empty() {
        return Ok(Saved::Named(input.strip_articles().text()));
    }
    Ok(Saved::Of { target, attribute: None, text: false })
}

pub(super) fn saved(input: TokenStream<'_>) -> Result<(Saved, ()), ParseError> {
    let mut rest = input.strip_articles();
    let text = rest.text().to_lowercase();
    let text = text.strip_suffix(" of the page").or_else(|| text.strip_suffix(" of this page")).unwrap_or(&text);
    match text {
        "address"
        | "url"
        | "current address"
        | "current url"
        | "page address"
        | "page url"
        | "page's address"
        | "page's url"
        | "address of the current page" => return Ok((Saved::Address, ())),
        "title" | "page title" | "page's title" => return Ok((Saved::Title, ())),
        _ => {}
    }
    let mut counted = rest;
    if let Some(lead) = counted.take_prefix("number of|count of|amount of") {
        let shown = counted.take_suffix("shown|visible|displayed|on the page|on this page|on the screen").is_some();
        let things = phrase(counted)?;
        if things.kind.is_some_and(|kind| kind != ElementKind::Text) || (things.quoted && lead != "amount of") || shown
        {
            return Ok((Saved::Count { things, shown }, ()));
        }
        // `the amount of Initech` is no number of things.
        if lead != "amount of" {
            texts::name(counted)?;
            return Ok((Saved::NumberOf(counted.strip_articles().text()), ()));
        }
    }
    let mut attribute = None;
    let mut whole_text = false;
    if rest.lower(0) == "attribute" && rest.quoted(1) {
        attribute = Some(rest.from(1).take(1).text());
        rest = rest.from(2);
        rest.take_prefix("of|from");
    } else if rest.quoted(0) && rest.lower(1) == "attribute" {
        attribute = Some(rest.take(1).text());
        rest = rest.from(2);
        rest.take_prefix("of|from");
    } else if rest.lower(1) == "attribute" && matches!(rest.lower(2), "of" | "from") {
        attribute = Some(rest.lower(0).to_owned());
        rest = rest.from(3);
    } else if matches!(rest.lower(1), "of" | "from" | "in" | "inside") {
        let word = rest.lower(0);
        match word {
            "href" | "link" | "url" | "address" | "target" => attribute = Some("href".to_owned()),
            "src" | "source" => attribute = Some("src".to_owned()),
            "alt" | "title" | "placeholder" | "class" | "id" => attribute = Some(word.to_owned()),
            "text" | "value" | "content" | "contents" | "label" => whole_text = true,
            _ => return Ok((property(rest)?, ())),
        }
        let named = (attribute.is_some() && word != "href" && word != "src").then(|| word.to_owned());
        rest = rest.from(2);
        let target = TargetPhrase { property: named, ..phrase(rest)? };
        return Ok((Saved::Of { target, attribute, text: whole_text }, ()));
    } else if rest.lower(0) == "text" && rest.quoted(1) {
        rest = rest.from(1);
        whole_text = true;
    } else if attribute.is_none() {
        return Ok((property(rest)?, ()));
    }
    Ok((Saved::Of { target: phrase(rest)?, attribute, text: whole_text }, ()))
}
