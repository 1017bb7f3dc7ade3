use super::*;

#[test]
fn refusals_that_an_independent_trial_found() {
    for (text, target) in [
        ("Payment failed", "pay now"),
        ("Your account is blocked", "save"),
        ("Your changes were not saved", "save"),
        ("You do not have permission to do this", "pay now"),
        ("Ask your administrator for access", "pay now"),
        ("This record was changed by another user", "save"),
        ("You are already subscribed with this address.", "subscribe"),
        ("We do not accept addresses from this domain", "subscribe"),
        ("Please sign in to subscribe", "subscribe"),
        ("Are you a robot?", "subscribe"),
        ("Not subscribed", "subscribe"),
        ("Duplicate address", "subscribe"),
        ("This address is on our block list", "subscribe"),
        ("Quarantined: cv.txt", "upload"),
    ] {
        assert_eq!(tone(text, target), MessageTone::Refusal, "{text}");
        assert!(is_addressed_refusal(text, target), "{text}");
    }
    for (text, target) in [
        ("2 of 3 archived", "archive"),
        ("0 of 1 rows imported", "import"),
        ("All 5 seats are in use. Remove somebody first.", "invite"),
        ("Code has already been taken", "save"),
        ("We do not know this code", "apply"),
        ("Someone else has changed this record", "save"),
        ("Upload failed: list.csv was rejected by the virus scanner", "upload"),
    ] {
        assert_eq!(tone(text, target), MessageTone::Refusal, "{text}");
        assert!(is_addressed_refusal(text, target), "{text}");
    }
    for text in [
        "2 of 3 selected",
        "3 of 3 archived",
        "Page 1 of 3",
        "Step 2 of 5 completed",
        "Saved step 1 of 3",
        "Uploaded file 1 of 3",
        "Submitted section 2 of 4",
    ] {
        assert!(!is_addressed_refusal(text, "archive"), "{text}");
    }
    // In a message these refuse; as ordinary texts they are what a page has to say.
    for text in ["Only 2 left in stock", "Only images up to 1 MB", "This page is read-only", "Conflict"] {
        assert_eq!(tone(text, "save"), MessageTone::Refusal, "{text}");
        assert!(!is_addressed_refusal(text, "save"), "{text}");
    }
    for (text, target) in [
        ("You have been logged out. Please log in again.", "log out"),
        ("Already a member? Log in", "sign up"),
        ("If you do not accept these terms, leave", "terms"),
        ("Don't have access? Ask for it", "sign in"),
        ("Not started", "subscribe"),
        ("Only for you: 20 % off", "pay now"),
        ("Duplicate address", "duplicate"),
        ("Spammer42 is blocked.", "block"),
        ("This document is locked", "lock document"),
        ("We’re sorry to see you go", "cancel subscription"),
        ("Sorry, we couldn’t find any results for “zzz”", "search"),
        ("Saved without errors", "save"),
        ("0 errors, 3 saved", "save"),
        ("Import finished: 3 rows imported, 2 skipped", "import"),
        ("Bob failed", "show"),
    ] {
        assert!(!is_addressed_refusal(text, target), "{text}");
    }
}

#[test]
fn messages_state_refusals_successes_or_neither() {
    for refusal in [
        "Login failed.",
        "Your order was not placed",
        "We couldn’t save your changes",
        "Not saved",
        "Email is required",
        "Bitte geben Sie eine gültige Adresse ein",
        "Mot de passe incorrect",
        "Usuario o contraseña incorrectos",
        "Only 3 left: quantity must be at most 3",
        "This user name is already taken",
    ] {
        assert_eq!(tone(refusal, ""), MessageTone::Refusal, "{refusal}");
    }
    for success in [
        "Thank you, the error was reported",
        "Reminder sent: invoice 7 has not been paid",
        "Saved!",
        "Item added to your cart. Undo",
        "No errors found",
        "Import complete: 0 failed, 12 created",
        "Gespeichert",
        "Welcome back, Ada",
    ] {
        assert_eq!(tone(success, ""), MessageTone::Success, "{success}");
    }
    assert_eq!(tone("The capital of France is Paris", ""), MessageTone::Unclear);
    assert_eq!(tone("Error log", "error log"), MessageTone::Unclear, "the target is called so");
    for (text, target) in [
        ("Die Rechnung wurde abgelehnt", "ablehnen"),
        ("Le devis a été refusé", "refuser"),
        ("Invoice rejected", "reject"),
        ("Access denied for Ann", "deny"),
    ] {
        assert_ne!(tone(text, target), MessageTone::Refusal, "{text}");
        assert!(!is_addressed_refusal(text, target), "{text}");
    }
}

#[test]
fn an_ordinary_text_is_a_refusal_only_when_it_is_said_to_somebody() {
    for refusal in [
        "Invalid user name or password",
        "Page not found",
        "404",
        "404 – Not Found",
        "Sorry, something went wrong",
        "Das Passwort ist falsch",
        "Error 500",
        "The upgrade failed",
        "Cannot delete author",
        "Votre session a expiré",
        "Draft not stored on the server",
        "Nothing was changed",
        "Le montant dépasse le plafond autorisé",
        "There was a problem with your submission.",
        "No changes were saved",
        "Your session has ended",
        "You need to sign in to continue",
        "Only managers may approve this",
        "This order can no longer be changed",
        "You have reached your limit",
        "You have reached your export limit for today.",
        "The daily export limit of 5 has been reached.",
        "Upload too large",
        "0 items updated",
    ] {
        assert!(is_addressed_refusal(refusal, ""), "{refusal}");
    }
    for plain in [
        "Why startups fail",
        "Failed logins: 3",
        "3 tests failed",
        "Error handling in Rust",
        "500 words about cats and many other animals of the house",
        "Lost and found",
        "Wrong Turn (2003)",
        "You have not reached the export limit",
        "When the credit limit is reached, orders are put on hold",
        "Limited edition: we reached 500 members",
    ] {
        assert!(!is_addressed_refusal(plain, ""), "{plain}");
    }
}

#[test]
fn times_and_ages_are_clocks() {
    for clock in ["12:30", "Now 12:30:05 PM", "2 minutes ago", "Last update: 09:15", "just now"] {
        assert!(is_clock(clock), "{clock}");
    }
    for other in [
        "Order 1230",
        "Cart (2)",
        "Ratio 1:1000",
        "The meeting about the new office building begins at 12:30 in the large room",
    ] {
        assert!(!is_clock(other), "{other}");
    }
}

#[test]
fn less_than_was_asked_for_is_told_from_what_was_asked_for() {
    for (text, target) in [
        ("Imported 7 rows, left out 3", "import"),
        ("Name saved. Phone kept as it was.", "save"),
        ("0 replacements", "replace all"),
        ("Requested", "follow"),
        ("Saved as draft", "publish"),
        ("2 archived, 1 skipped", "archive"),
    ] {
        assert!(is_lesser(text, target), "{text}");
        assert!(!states_done(text, target), "{text}");
    }
    for (text, target) in [
        ("Review requested", "request review"),
        ("0 items", "clear the cart"),
        ("0 errors", "save"),
        ("Saved as draft", "save draft"),
    ] {
        assert!(!is_lesser(text, target), "{text}");
    }
    assert_eq!(tone("Archived 2 of 3", "archive selected"), MessageTone::Refusal);
    assert_eq!(tone("Archived 3 of 3", "archive selected"), MessageTone::Success);
}

#[test]
fn what_names_the_action_states_it_as_done() {
    for (text, target) in [("Published", "publish"), ("Order placed", "place order"), ("Following", "follow")] {
        assert!(states_done(text, target), "{text}");
    }
    for (text, target) in [
        ("Free workspaces come with 3 projects.", "new project"),
        ("All projects", "project"),
        ("Publish", "publish"),
        ("Something else", "publish"),
    ] {
        assert!(!states_done(text, target), "{text}");
    }
}

#[test]
fn a_prefix_denies_only_a_form_of_the_verb() {
    for (text, target) in [("Inactive", "activate"), ("Unpublished", "publish")] {
        assert_eq!(tone(text, target), MessageTone::Refusal, "{text} after {target}");
    }
    for (text, target) in [
        ("Inactive", "deactivate"),
        ("Unpublished", "unpublish"),
        ("Information saved", "save form"),
        ("Unfollowed", "following"),
        ("Unsubscribed", "subscribed"),
        ("Unpublished", "published"),
    ] {
        assert_ne!(tone(text, target), MessageTone::Refusal, "{text} after {target}");
    }
}

#[test]
fn what_follows_from_what_was_asked_for_is_no_refusal() {
    assert_ne!(tone("This document is locked and cannot be edited.", "lock document"), MessageTone::Refusal);
    assert_ne!(tone("This cannot be changed later. See the guide.", "create account"), MessageTone::Refusal);
    assert!(!is_addressed_refusal("The name can't be changed afterwards", ""));
    assert_eq!(tone("The name cannot be changed: it is in use.", "save"), MessageTone::Refusal);
    assert_eq!(tone("This document is locked and cannot be edited.", "save"), MessageTone::Refusal);
    assert_eq!(tone("The draft was saved but cannot be published.", "save draft"), MessageTone::Refusal);
}

#[test]
fn confirmations_are_asked_for_in_usual_words() {
    for text in ["Sure?", "Are you sure to delete this task?", "Click again to confirm", "Wirklich löschen?"] {
        assert!(asks_to_confirm(text), "{text}");
    }
    for text in ["Confirmed", "Delete", "Your order is confirmed"] {
        assert!(!asks_to_confirm(text), "{text}");
    }
    assert!(leaves("No, keep it") && leaves("Cancel") && !leaves("Delete") && !leaves("Notify me"));
}

#[test]
fn courtesies_do_not_change_what_else_is_said() {
    assert_ne!(tone("Sorry to see you go. Sorry that you are leaving.", "cancel"), MessageTone::Refusal);
    assert_eq!(tone("Sorry to see you go, but the account could not be closed", "close account"), MessageTone::Refusal);
}

#[test]
fn what_a_text_denies_is_no_success() {
    for (text, target) in [
        ("No orders were archived", "archive"),
        ("Nothing was left to publish", "publish"),
        ("Published pages: 0", "publish"),
        ("Deleted 0 items", "publish"),
        ("Publishing is for admins", "publish"),
        ("Bob was invited before", "invite"),
        ("Saved by Eve", "save"),
        ("Saved by Eve 3 minutes ago", "save"),
        ("Nichts gelöscht", "löschen"),
        ("0 of 3 messages sent", "send"),
        ("Rien n'a été supprimé", "supprimer"),
    ] {
        assert_ne!(tone(text, target), MessageTone::Success, "{text}");
        assert!(!states_done(text, target), "{text}");
    }
    for (text, target) in [
        ("No errors. 3 orders archived", "archive"),
        ("Published with no errors", "publish"),
        ("Saved. Nothing else to do", "save"),
        ("Invitation sent by e-mail", "invite"),
        ("Version 2.0 saved", "save"),
        ("The page is no longer pinned: removed", "unpin"),
        ("Discount updated to 0", "save"),
        ("Marked as read: 0 unread", "mark as read"),
        ("Saved by you", "save"),
        ("Paid by card", "pay"),
    ] {
        assert_eq!(tone(text, target), MessageTone::Success, "{text}");
    }
    for text in ["Nothing to publish", "Rien à publier", "Export limit: 0 left", "Published pages: 0"] {
        assert!(has_denial(text), "{text}");
    }
    for text in ["Published", "No errors", "Version 2.0", "Errors: 0"] {
        assert!(!has_denial(text), "{text}");
    }
    assert_eq!(tone("Account locked", "lock"), MessageTone::Unclear);
    assert!(!is_addressed_refusal("Account locked", "lock"));
    assert!(is_addressed_refusal("Account locked", "log in"));
}

#[test]
fn german_participles_are_forms_of_their_verb() {
    for (text, target) in [("Gelöscht", "löschen"), ("Die Datei wurde gespeichert", "speichern")] {
        assert!(states_done(text, target), "{text}");
    }
    for (text, target) in
        [("20 Stück umgelagert", "umlagern"), ("Verlof aangevraagd", "aanvragen"), ("Antrag eingereicht", "einreichen")]
    {
        assert!(states_done(text, target), "{text}");
    }
    for (text, target) in [("Angezeigt", "anlegen"), ("Umgezogen", "umlagern")] {
        assert!(!states_done(text, target), "{text}");
    }
    assert!(!states_done("Nichts gelöscht", "löschen"));
    assert!(!states_done("Generated report", "rate"), "a word that only begins alike");
}

#[test]
fn a_cancelled_contract_is_a_change_and_a_cancelled_form_is_none() {
    for name in ["Cancel", "Close", "Back to the list", "Next"] {
        assert!(asks_for_page(name), "{name}");
    }
    for name in ["cancel subscription", "close account", "save"] {
        assert!(!asks_for_page(name), "{name}");
    }
}

#[test]
fn an_error_code_is_told_from_a_number_of_a_record() {
    for code in ["E-1043", "ERR_4012", "Error 77"] {
        assert!(is_error_code(code), "{code}");
    }
    for number in ["INV-1043", "Ticket #4812", "E", "1043", "E-mail"] {
        assert!(!is_error_code(number), "{number}");
    }
}

#[test]
fn a_promise_to_answer_leaves_the_result_open_unless_something_was_sent() {
    let text = "Our host will answer you tonight.";
    assert!(is_lesser(text, "book") && is_lesser("We call you between 8 and 12.", "book appointment"));
    assert!(!is_lesser(text, "send message") && !is_lesser(text, "submit request"));
    assert!(!is_lesser("The host has answered.", "book"));
}

#[test]
fn italian_is_read_like_the_other_languages() {
    for (text, names) in [
        ("Disdetta annotata. Il contratto resta in vigore.", "disdire contratto"),
        ("Richiesta ricevuta, in attesa di conferma", "prenota"),
        ("Ordine in coda", "ordina"),
    ] {
        assert!(is_lesser(text, names), "{text} after {names}");
        assert!(!states_done(text, names), "{text} after {names}");
    }
    for (text, names) in [("Contratto disdetto.", "disdire contratto"), ("Articolo pubblicato", "pubblica")] {
        assert!(states_done(text, names), "{text} after {names}");
    }
    for text in ["Ordine annullato", "Pagamento effettuato", "Documento caricato", "Prenotazione registrata"] {
        assert_eq!(tone(text, "conferma"), MessageTone::Success, "{text}");
    }
    assert_eq!(unwanted_state("Respinto", "approva"), Some(UnwantedState::Refused));
    assert_eq!(unwanted_state("In sospeso", "paga"), Some(UnwantedState::Unfinished));
    assert!(empties("elimina ordine") && saves("Aggiorna profilo") && creates("Nuovo contatto"));
    assert!(asks_for_page("annulla") && !asks_for_page("annulla ordine"));
}

#[test]
fn a_negated_verb_states_no_result_in_other_languages_either() {
    for (text, names) in [
        ("Kunden sparades inte", "spara"),
        ("Ændringerne blev ikke gemt", "gem ændringer"),
        ("Změny nebyly uloženy", "uložit"),
        ("Tietoja ei tallennettu", "tallenna"),
        ("Zmiany nie zostały zapisane", "zapisz"),
    ] {
        assert!(!states_done(text, names), "{text} after {names}");
    }
    for (text, names) in [
        ("Kunden sparades", "spara"),
        ("Změny byly uloženy", "uložit"),
        ("Tiedot tallennettu", "tallenna"),
        ("Ni sparade ändringarna", "spara"),
    ] {
        assert!(states_done(text, names), "{text} after {names}");
    }
}

#[test]
fn what_somebody_else_still_has_to_do_is_less_than_was_asked_for() {
    for (text, names) in [
        ("Invoice 77 approved by you – second approver required", "approve"),
        ("Released by you – waiting for second release", "release"),
        ("Freigegeben – zweite Freigabe erforderlich", "freigeben"),
        ("Saved on this device. Changes will be synchronised when you are online again.", "save"),
        ("Hello Tom ⚠ Tap to retry", "send"),
    ] {
        assert!(is_lesser(text, names), "{text} after {names}");
    }
    for (text, names) in [
        ("Invoice 77 approved", "approve"),
        ("Second approver added", "add approver"),
        ("Invitation sent – waiting for an answer", "send invitation"),
        ("Released – waiting for the build", "release"),
        ("Waiting for approval", "request approval"),
    ] {
        assert!(!is_lesser(text, names), "{text} after {names}");
    }
}

#[test]
fn what_is_done_for_others_is_no_success() {
    for text in ["Stock is reserved for another order", "Reserviert für eine andere Bestellung"] {
        assert_ne!(tone(text, "shipped"), MessageTone::Success, "{text}");
    }
    for text in ["The table is reserved for another hour", "Reserved for you"] {
        assert_eq!(tone(text, "reserve"), MessageTone::Success, "{text}");
    }
    assert!(is_addressed_refusal("This project already existed, so we opened it for you.", "create project"));
}

#[test]
fn a_refusing_word_of_the_target_is_no_refusal() {
    for (text, names) in [
        ("Ihre Karte ist gesperrt", "karte sperren"),
        ("Benutzer gesperrt", "benutzer sperren"),
        ("Your error report was sent", "report a problem"),
        ("Access denied for Tom Berg", "deny access"),
    ] {
        assert_ne!(tone(text, names), MessageTone::Refusal, "{text} after {names}");
        assert!(!is_addressed_refusal(text, names), "{text} after {names}");
    }
    for (text, names) in [
        ("Ihre Karte ist gesperrt", "bezahlen"),
        ("Meldung fehlgeschlagen", "fehler melden"),
        ("Karte konnte nicht gesperrt werden", "karte sperren"),
        ("Already subscribed", "subscribe"),
        ("An error occurred. An error report was sent to our team.", "save report"),
        ("Your error report was not sent", "report a problem"),
    ] {
        assert_eq!(tone(text, names), MessageTone::Refusal, "{text} after {names}");
    }
    assert!(states_done("Access denied for Tom Berg", "deny access"));
    assert!(is_named_state("Invoice is void", "void"));
    assert!(!is_named_state("Invoice is not void", "void") && !is_named_state("This is your order", "confirm order"));
}

#[test]
fn a_rest_is_what_is_there_and_no_more() {
    for (text, rest) in [
        ("Added to cart. Only 4 left in stock.", Some(4)),
        ("Nur noch 4", None),
        ("Nur 4 auf Lager", Some(4)),
        ("Only 4 minutes to go", None),
        ("4 left", None),
    ] {
        assert_eq!(stated_rest(text), rest, "{text}");
    }
}
