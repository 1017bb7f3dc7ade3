//! Detects whether a login succeeded: the form is gone, the page demands nothing more, and treats the user as known.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, EvidenceKind};

pub(super) use super::signed_in::log_out;
use super::{EvidenceRule, Finding, FindingSubject, Observed, clipped, fields, named, other_logins, signed_in};
use legwork_observe::wording;

/// Names of buttons that submit a login form.
pub(super) const LOG_IN: [&str; 16] = [
    "log in",
    "login",
    "log-in",
    "sign in",
    "signin",
    "sign-in",
    "anmelden",
    "einloggen",
    "connexion",
    "se connecter",
    "iniciar sesión",
    "entrar",
    "accedi",
    "inloggen",
    "logga in",
    "continue",
];
/// Names of fields for a second factor or a captcha.
const SECOND_FACTOR: [&str; 16] = [
    "verification code",
    "one-time",
    "one time",
    "security code",
    "authentication code",
    "authenticator",
    "two-factor",
    "2fa",
    "otp",
    "passcode",
    "captcha",
    "confirmation code",
    "sicherheitscode",
    "bestätigungscode",
    "code de vérification",
    "código de verificación",
];

/// Parts of names of actions that lead to a log-in page.
pub(super) const LEADS_THERE: [&str; 8] =
    ["register", "sign up", "signup", "password", "account", "verify", "activate", "invit"];

/// Texts with which a page demands another step before the user is logged in.
const DEMANDS: [&str; 57] = [
    "back soon",
    "down for maintenance",
    "6 digits",
    "six digits",
    "sent you a mail",
    "sent you an e-mail",
    "sent you an email",
    "choose your organi",
    "choose an organi",
    "as a guest",
    "signed in elsewhere",
    "choose a new password",
    "account on pause",
    "account is paused",
    "terms have changed",
    "accept our terms",
    "not available where you are",
    "check your e-mail",
    "check your email",
    "check your inbox",
    "sent you a link",
    "sent a link",
    "log-in link",
    "login link",
    "sign-in link",
    "magic link",
    "confirm your e-mail",
    "confirm your email",
    "verify your e-mail",
    "verify your email",
    "confirm your account",
    "activate your account",
    "verify your identity",
    "confirm it's you",
    "two-step verification",
    "two-factor authentication",
    "are you human",
    "you are human",
    "not a robot",
    "captcha",
    "cannot sign in",
    "cannot log in",
    "bestätigen sie ihre e-mail",
    "confirmez votre adresse",
    "digit code",
    "enter the code",
    "sent you a code",
    "code we sent",
    "been suspended",
    "temporarily suspended",
    "been locked",
    "is locked",
    "been disabled",
    "waiting for approval",
    "awaiting approval",
    "pending approval",
    "not been activated",
];

/// The fact of a log-in whose result is open.
const NOBODY: &str = "the password field is gone, and nothing on the page refers to a user who is logged in; state in \
                      `expect` what the page is to show";

/// A code has at least this many digits, each of which may have a field of its own.
const DIGITS: usize = 4;

/// Whether a change was requested and the response is the login page because the session had expired. Logging out,
/// registering and setting a password also lead there.
fn is_sent_to_login(observed: &Observed<'_>) -> bool {
    let names = observed.target_names();
    let is_login_page = |page: &Snapshot| {
        let path = super::url_path::path_of(&page.url).to_lowercase();
        ["login", "signin", "sign_in", "sign-in", "/auth", "/session"].iter().any(|word| path.contains(word))
    };
    // A login of two pages asks for the user name first.
    let leads_on = || observed.before.is_some_and(is_login_page) && wording::leads_on(&names);
    let leads_there = is_login_page(observed.after) && !leads_on();
    let is_named = LOG_IN
        .iter()
        .chain(&wording::LOG_OUT)
        .chain(&LEADS_THERE)
        .any(|word| *word != "continue" && names.contains(word));
    leads_there && !is_named && !observed.is_login && observed.is_reloaded() && observed.sends_change()
}

pub(super) fn assess(observed: &Observed<'_>) -> Vec<Finding> {
    let Some(before) = observed.before else { return Vec::new() };
    let (was, mut is) = (password_fields(before), password_fields(observed.after));
    // A page offers a field for a new password to a user who is logged in, or who must change it to log in.
    let is_new = |node: &&Node| {
        let name = wording::normalized(&node.name);
        ["new ", "repeat", "confirm", "neues ", "nouveau ", "nueva "].iter().any(|word| name.starts_with(word))
    };
    let (kept, forced): (Vec<&Node>, Vec<&Node>) =
        is.into_iter().partition(|node| !is_new(node) || was.iter().any(|old| old.name == node.name));
    is = kept;
    if was.is_empty() && !is.is_empty() && is_sent_to_login(observed) {
        let fact = "the page asks to log in instead of taking what was sent".to_owned();
        return vec![Finding::new(EvidenceRule::LoginForm, EvidenceKind::Element, fact).about(FindingSubject::Login)];
    }
    if was.is_empty() && !observed.is_login {
        let asked = proof_of_identity(observed, before).or_else(|| other_logins::assess(observed, before));
        return asked.into_iter().collect();
    }
    if was.is_empty() || !(observed.is_login || sends_login(observed, before)) {
        return Vec::new();
    }
    let contradicts = |fact: String| {
        vec![Finding::new(EvidenceRule::LoginForm, EvidenceKind::Element, fact).about(FindingSubject::Login)]
    };
    if let Some(field) = second_factor(observed.after, before) {
        return contradicts(format!("{} is asked for: the log-in is not complete", named(field)));
    }
    let offered = log_out(observed.after).filter(|_| offers_log_out(observed));
    if let (Some(demand), None) = (demand(observed.after, before), offered) {
        return contradicts(format!("{:?} is shown: the log-in is not complete", clipped(demand)));
    }
    match (is.as_slice(), offered) {
        // A user whose password must be changed is logged in.
        ([], Some(node)) | ([_, ..], Some(node)) => {
            vec![Finding::new(
                EvidenceRule::SignedIn,
                EvidenceKind::Element,
                format!("the page offers {}", named(node)),
            )]
        }
        ([], None) => {
            if let Some(offer) = other_logins::still_offered(observed, before) {
                return contradicts(format!("the page still offers {}: nobody is logged in", named(offer)));
            }
            if let Some(field) = forced.first() {
                return contradicts(format!("{} is asked for: the log-in is not complete", named(field)));
            }
            let finding = |fact: String| Finding::new(EvidenceRule::SignedIn, EvidenceKind::Element, fact);
            vec![match signed_in::sign(observed, before) {
                Some(sign) => finding(sign),
                None => finding(NOBODY.to_owned()).neutral(),
            }]
        }
        ([field, ..], None) => contradicts(format!("{} is still there: nobody is logged in", named(field))),
    }
}

/// A field for a code, a password or a captcha with which the page responds to a change: the change has not been made.
/// The next action of the step or run may fill it in.
fn proof_of_identity(observed: &Observed<'_>, before: &Snapshot) -> Option<Finding> {
    if observed.has_further_action || !observed.sends_change() || !observed.submits() {
        return None;
    }
    let is_new = |node: &&Node| !before.nodes.iter().any(|old| old.role == node.role && old.name == node.name);
    let is_test = |node: &&Node| {
        let name = wording::normalized(&node.name);
        node.role.as_ref() == "checkbox" && (name.contains("not a robot") || name.contains("am human"))
    };
    let page = observed.after;
    // Only one field: a registration form has more.
    let fields = page.nodes.iter().filter(|node| node.states.editable()).filter(is_new).count();
    let field = (fields == 1).then(|| {
        let is_secret = |node: &&Node| is_password(node) && is_new(node);
        page.nodes.iter().find(is_secret)
    });
    let code = || second_factor(page, before).filter(|_| fields == 1 || fields >= DIGITS);
    let asked = field.flatten().or_else(code).or_else(|| page.nodes.iter().filter(is_new).find(is_test))?;
    let subject = FindingSubject::Field {
        role: asked.role.to_string(),
        name: asked.name.to_string(),
        value: fields::content(asked),
    };
    let fact = format!("{} is asked for: what was sent is not done yet", named(asked));
    Some(Finding::new(EvidenceRule::LoginForm, EvidenceKind::Element, fact).about(subject))
}

/// Whether the actions submit a form with a password field, with a button of such a name or by Enter in that field.
pub(super) fn sends_login(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let fields = password_fields(before);
    // Two password fields are for a registration or a new password.
    if fields.len() != 1 || fields[0].value.as_deref().unwrap_or_default().is_empty() {
        return false;
    }
    observed.actions.iter().map(Action::carried_out).any(|action| {
        let node = fields::target(action, before);
        let is_secret = |node: &&Node| is_password(node);
        match action {
            Action::Click(_) => node.is_some_and(|node| {
                let name = wording::normalized(&node.name);
                node.role.as_ref() == "button" && LOG_IN.iter().any(|word| name.trim() == *word)
            }),
            Action::Press(press) => press.key == "Enter" && node.filter(is_secret).is_some(),
            Action::Fill(fill) => fill.submit && node.filter(is_secret).is_some(),
            _ => false,
        }
    })
}

/// Whether the page offers a logout and did not before.
pub(super) fn offers_log_out(observed: &Observed<'_>) -> bool {
    log_out(observed.after).is_some() && observed.before.is_some_and(|before| log_out(before).is_none())
}

/// Whether the page no longer shows a login form.
pub(super) fn is_over(page: &Snapshot) -> bool {
    password_fields(page).is_empty() || log_out(page).is_some()
}

fn password_fields(page: &Snapshot) -> Vec<&Node> {
    page.nodes.iter().filter(|node| is_password(node)).collect()
}

pub(super) fn is_password(node: &Node) -> bool {
    let input = node.attributes.as_ref().and_then(|attributes| attributes.input.as_deref());
    input == Some("password") && !node.states.disabled()
}

/// A new field for a code, or the first of several fields with one digit each.
pub(super) fn second_factor<'a>(after: &'a Snapshot, before: &Snapshot) -> Option<&'a Node> {
    let is_new = |node: &&Node| !before.nodes.iter().any(|old| old.role == node.role && old.name == node.name);
    let fields = || after.nodes.iter().filter(|node| node.states.editable()).filter(is_new);
    let is_code = |node: &&Node| {
        let name = wording::normalized(&node.name);
        let is_code = matches!(name.trim(), "code" | "otp" | "pin" | "token");
        is_code || SECOND_FACTOR.iter().any(|words| name.contains(words))
    };
    fields().find(is_code).or_else(|| digit_fields(fields().collect()))
}

/// The first of four to eight fields whose names differ only in their number (`Digit 1`), if there are no others.
fn digit_fields(fields: Vec<&Node>) -> Option<&Node> {
    let without_number = |node: &Node| node.name.replace(|c: char| c.is_ascii_digit(), "");
    let first = fields.first().filter(|_| (DIGITS..=2 * DIGITS).contains(&fields.len()))?;
    let is_numbered = |node: &&Node| node.name.contains(|c: char| c.is_ascii_digit());
    let is_alike = fields.iter().all(|node| is_numbered(node) && without_number(node) == without_number(first));
    is_alike.then_some(*first)
}

/// The demand of a page before it completes a login. A page with only this purpose is short. On a longer page, the same
/// words are a reminder to a user who is logged in.
pub(super) fn demand<'a>(page: &'a Snapshot, before: &Snapshot) -> Option<&'a str> {
    let texts = || page.nodes.iter().filter(|node| matches!(node.role.as_ref(), "heading" | "text"));
    if texts().count() > super::lengths::SHORT_PAGE {
        return None;
    }
    texts()
        .map(|node| node.name.as_ref())
        .filter(|text| text.chars().count() <= 120 && !before.nodes.iter().any(|node| *node.name == **text))
        .find(|text| {
            let text = wording::normalized(text);
            // Small print on any page: `This site is protected by reCAPTCHA`.
            !text.contains("protected by") && DEMANDS.iter().any(|words| text.contains(words))
        })
}
