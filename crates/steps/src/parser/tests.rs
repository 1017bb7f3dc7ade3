use super::*;

fn form_of(sentence: &str) -> Result<&'static str, ParseError> {
    let tokens = tokens::lex(sentence)?;
    form_and_clauses(TokenStream::new(sentence, &tokens), false).map(|(form, _)| form.name)
}

/// Every example is of its form, with each of the form's verbs, and a clause may begin with it.
#[test]
fn every_example_is_of_its_form_with_every_verb() {
    let mut wrong = Vec::new();
    for form in FORMS {
        let verbs: Vec<&str> = form.verbs.split('|').collect();
        let rest = &form.example[verbs[0].len()..];
        assert_eq!(form.example[..verbs[0].len()].to_lowercase(), verbs[0], "{}", form.name);
        for verb in verbs {
            let sentence = format!("{verb}{rest}");
            match form_of(&sentence) {
                Ok(name) if name == form.name => {}
                other => wrong.push(format!("{sentence} is of {} and was read as {other:?}", form.name)),
            }
            let joined = format!("Click \"Next\" and {sentence}");
            match read(&joined).map(|sentence| sentence.clauses().len()) {
                Ok(2..) => {}
                other => wrong.push(format!("{joined} was read as {other:?}")),
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_form_has_a_name_of_its_own() {
    let mut names: Vec<&str> = FORMS.iter().map(|form| form.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMS.len());
}

/// Three lists of verbs had drifted: a check could begin with `validate that`, and a second clause could not.
#[test]
fn a_second_clause_begins_with_any_verb() {
    for verb in ["verify that", "validate that", "double-check that", "should see"] {
        let sentence = read(&format!("Click \"Save\" and {verb} \"Saved\" is shown")).expect(verb);
        assert!(matches!(sentence.clauses(), [Clause::Do(_), Clause::Check(_)]), "{verb}");
    }
}

#[test]
fn an_incomplete_sentence_is_shown_the_example_of_its_form() {
    let error = |sentence: &str| read(sentence).expect_err("a part is missing").to_string();
    insta::assert_snapshot!(error("Drag \"Card 1\""), @r#"it does not say onto what; write it like: Drag "Card 1" onto "Done""#);
    insta::assert_snapshot!(error("Replace \"Name\""), @r#"it does not say with what; write it like: Replace "Name" with "Ada""#);
    insta::assert_snapshot!(error("Fill \"Name\""), @r#"it does not say with what to fill it; write it like: Fill "Name" with "Ada""#);
}

#[test]
fn every_pattern_is_well_formed() {
    let patterns = FORMS.iter().flat_map(|form| form.patterns);
    let mistakes: Vec<String> = patterns.flat_map(|(pattern, _)| pattern::mistakes(pattern)).collect();
    assert_eq!(mistakes, Vec::<String>::new());
}

/// The second clause has no target of its own: the click starts the download.
#[test]
fn a_download_follows_the_click_that_starts_it() {
    let clauses = |sentence: &str| read(sentence).map(|sentence| sentence.into_clauses());
    for second in ["download the file", "download it", "download the file, then check that \"Done\" is shown"] {
        let clauses = clauses(&format!("Click \"Export\" and {second}")).expect(second);
        assert!(matches!(&clauses[..2], [Clause::Do(_), Clause::Check(check)] if check.about_effects()), "{second}");
    }
    let error = |sentence: &str| clauses(sentence).expect_err("nothing starts the download").to_string();
    insta::assert_snapshot!(error("Download the file"), @r#"it does not say what to click to download it; write it like: Download the file by clicking "Export""#);
    assert!(error("Wait 2 seconds and download the file").contains("what to click to download it"));
    assert!(error("Check that \"Export\" is shown and download the file").contains("what to click to download it"));
}
