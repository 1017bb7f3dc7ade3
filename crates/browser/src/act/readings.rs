//! The possible meanings of a text for a form control: a number, a date, a time. These are pure functions. If the
//! meaning of a text is ambiguous, it has none: the text is then typed unchanged, and a control that needs the meaning
//! reports which values it accepts.

use jiff::civil::{Date, ISOWeekDate, Time, Weekday};
use schemars::JsonSchema;
use serde::Serialize;

/// The meanings of a text, each in the format of HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Readings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    week: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    datetime_local: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<String>,
}

impl Readings {
    pub(crate) fn of(text: &str) -> Readings {
        let text = text.trim();
        // No text with a meaning is longer, so longer prose is not parsed.
        const LONGEST: usize = 48;
        if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
            return Readings::default();
        }
        let both = date_and_time(text);
        let day = date(text).or(both.map(|(date, _)| date));
        let time = time(text).or(both.map(|(_, time)| time));
        Readings {
            date: day.map(|date| date.to_string()),
            month: month(text).or_else(|| day.map(|date| date.strftime("%Y-%m").to_string())),
            week: week(text).or_else(|| day.map(|date| week_text(date.iso_week_date()))),
            time: time.map(time_text),
            datetime_local: both.map(|(date, time)| format!("{date}T{}", time_text(time))),
            number: number(text),
        }
    }
}

fn time_text(time: Time) -> String {
    time.strftime(if time.second() == 0 { "%H:%M" } else { "%H:%M:%S" }).to_string()
}

fn week_text(week: ISOWeekDate) -> String {
    format!("{:04}-W{:02}", week.year(), week.week())
}

/// A number in the form with a decimal point and without digit grouping. `1,500` is ambiguous (a decimal comma or a
/// group), so it has no meaning.
fn number(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’' | '_')).collect();
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_grouped = |whole: &str, by: char| {
        let mut parts = whole.split(by);
        let first = parts.next().unwrap_or_default();
        is_digits(first) && first.len() <= 3 && parts.all(|part| part.len() == 3 && is_digits(part))
    };
    let commas = digits.matches(',').count();
    let points = digits.matches('.').count();
    let plain = match (commas, points) {
        // Read as the control itself reads it, including a point followed by three digits.
        (0, 0 | 1) => {
            let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
            ((whole.is_empty() || is_digits(whole)) && is_digits(part)).then(|| digits.to_owned())?
        }
        (1, 0) => {
            let (whole, part) = digits.split_once(',')?;
            let may_be_groups = is_grouped(digits, ',') && !whole.starts_with('0');
            (is_digits(whole) && is_digits(part) && !may_be_groups).then(|| format!("{whole}.{part}"))?
        }
        (_, 0) => is_grouped(digits, ',').then(|| digits.replace(',', ""))?,
        (0, _) => is_grouped(digits, '.').then(|| digits.replace('.', ""))?,
        _ => {
            let (decimal, group) = if digits.rfind(',') > digits.rfind('.') { (',', '.') } else { ('.', ',') };
            let (whole, part) = digits.rsplit_once(decimal)?;
            let fits = !whole.contains(decimal) && is_grouped(whole, group) && is_digits(part);
            fits.then(|| format!("{}.{part}", whole.replace(group, "")))?
        }
    };
    Some(format!("{sign}{plain}"))
}

/// Full names precede abbreviations, so that an exact match wins. English and German.
const MONTHS: &[(&str, i8)] = &[
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("januar", 1),
    ("februar", 2),
    ("märz", 3),
    ("mai", 5),
    ("juni", 6),
    ("juli", 7),
    ("oktober", 10),
    ("dezember", 12),
    ("sept", 9),
];

const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

fn month_of(word: &str) -> Option<i8> {
    let word = word.trim_end_matches('.');
    let exact = MONTHS.iter().find(|(name, _)| *name == word);
    let short = || MONTHS.iter().find(|(name, _)| word.chars().count() == 3 && name.starts_with(word));
    exact.or_else(short).map(|(_, month)| *month)
}

fn is_day_name(word: &str) -> bool {
    DAYS.iter().any(|day| *day == word || (word.len() == 3 && day.starts_with(word)))
}

/// `3rd` and `3.` are 3.
fn day_of(word: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th", "."].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    if digits.len() > 2 { None } else { digits.parse().ok() }
}

fn year_of(word: &str) -> Option<i16> {
    if word.len() == 4 { word.parse().ok() } else { None }
}

/// A date, if the whole text is one.
fn date(text: &str) -> Option<Date> {
    let lower = text.to_lowercase().replace(',', " ");
    let words: Vec<&str> =
        lower.split_whitespace().filter(|word| !matches!(*word, "the" | "of") && !is_day_name(word)).collect();
    match words.as_slice() {
        [day, month, year] if month_of(month).is_some() => {
            Date::new(year_of(year)?, month_of(month)?, day_of(day)?).ok()
        }
        [month, day, year] if month_of(month).is_some() => {
            Date::new(year_of(year)?, month_of(month)?, day_of(day)?).ok()
        }
        [year, month, day] if month_of(month).is_some() => {
            Date::new(year_of(year)?, month_of(month)?, day_of(day)?).ok()
        }
        [one] => digits_date(one),
        _ => None,
    }
}

/// `2026-03-03`, or `3.4.2026` (with points, the day comes first). With slashes, the order is certain only if one of
/// the numbers cannot be a month, or both are the same.
fn digits_date(text: &str) -> Option<Date> {
    let separator = text.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '-' | '.' | '/'))?;
    let parts: Vec<&str> = text.split(separator).collect();
    let [first, second, third] = parts.as_slice() else { return None };
    if let Some(year) = year_of(first) {
        return Date::new(year, second.parse().ok()?, day_of(third)?).ok();
    }
    let (year, first, second) = (year_of(third)?, day_of(first)?, day_of(second)?);
    let (day, month) = match (first, second) {
        _ if separator == '.' || first == second => (first, second),
        (13.., 1..=12) => (first, second),
        (1..=12, 13..) => (second, first),
        _ => return None,
    };
    Date::new(year, month, day).ok()
}

fn time(text: &str) -> Option<Time> {
    let lower = text.to_lowercase();
    let lower = lower.trim();
    if lower == "noon" {
        return Time::new(12, 0, 0, 0).ok();
    }
    let (digits, half) = match lower.trim_end_matches('.').replace("a.m", "am").replace("p.m", "pm") {
        text if text.ends_with("am") => (text[..text.len() - 2].trim_end().to_owned(), Some(0)),
        text if text.ends_with("pm") => (text[..text.len() - 2].trim_end().to_owned(), Some(12)),
        text => (text, None),
    };
    let parts: Vec<&str> = digits.split(':').collect();
    let two = |text: &str| -> Option<i8> { (text.len() <= 2).then(|| text.parse().ok())? };
    let (hour, minute, second) = match parts.as_slice() {
        [hour] if half.is_some() => (two(hour)?, 0, 0),
        [hour, minute] if minute.len() == 2 => (two(hour)?, two(minute)?, 0),
        [hour, minute, second] if minute.len() == 2 && second.len() == 2 => (two(hour)?, two(minute)?, two(second)?),
        _ => return None,
    };
    let hour = match half {
        None => hour,
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
    };
    Time::new(hour, minute, second, 0).ok()
}

fn date_and_time(text: &str) -> Option<(Date, Time)> {
    let lower = text.to_lowercase();
    if let Some((day, rest)) = lower.split_once('t')
        && let (Some(day), Some(time)) = (digits_date(day), time(rest))
    {
        return Some((day, time));
    }
    lower.match_indices(char::is_whitespace).find_map(|(at, _)| {
        let (day, rest) = lower.split_at(at);
        let day = day.trim().trim_end_matches([',', ' ']).trim_end_matches(" at");
        let rest = rest.trim();
        let rest = rest.strip_prefix("at ").unwrap_or(rest);
        Some((date(day)?, time(rest)?))
    })
}

/// `March 2026`, `2026-03`, `03/2026`.
fn month(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split([' ', ',', '-', '/']).filter(|word| !word.is_empty()).collect();
    let [first, second] = words.as_slice() else { return None };
    let read = |month: &str, year: &str| {
        let month = month_of(month).or_else(|| day_of(month).filter(|month| (1..=12).contains(month)))?;
        Some(format!("{:04}-{month:02}", year_of(year)?))
    };
    read(first, second).or_else(|| read(second, first))
}

/// `2026-W10`, `week 10 of 2026`.
fn week(text: &str) -> Option<String> {
    let lower = text.to_lowercase().replace("-w", " w");
    let words: Vec<&str> = lower.split([' ', ',']).filter(|word| !word.is_empty() && *word != "of").collect();
    let number = |word: &str| word.strip_prefix('w').unwrap_or(word).parse::<i8>().ok();
    let (year, week) = match words.as_slice() {
        [year, week] if week.starts_with('w') => (year_of(year)?, number(week)?),
        ["week", week, year] => (year_of(year)?, number(week)?),
        _ => return None,
    };
    ISOWeekDate::new(year, week, Weekday::Monday).ok().map(week_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_only_when_it_can_be_one_number() {
        let reads = |text: &str| Readings::of(text).number;
        for (text, number) in [
            ("1,5", "1.5"),
            ("0,125", "0.125"),
            ("1.500", "1.500"),
            ("1,500,000", "1500000"),
            ("1.500.000", "1500000"),
            ("1,234.50", "1234.50"),
            ("1.234,50", "1234.50"),
            ("1 500", "1500"),
            ("-3", "-3"),
            (".5", ".5"),
        ] {
            assert_eq!(reads(text).as_deref(), Some(number), "{text}");
        }
        for text in ["1,500", "1.2.3", "12a", "1,2,3", "1,23.4", "5 €"] {
            assert_eq!(reads(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_is_read_only_when_it_can_be_one_day() {
        let reads = |text: &str| Readings::of(text).date;
        for text in [
            "2026-03-03",
            "3 March 2026",
            "March 3, 2026",
            "Mar 3 2026",
            "the 3rd of March 2026",
            "Tuesday, March 3rd, 2026",
            "3. März 2026",
            "03.03.2026",
            "03/03/2026",
            "2026/3/3",
        ] {
            assert_eq!(reads(text).as_deref(), Some("2026-03-03"), "{text}");
        }
        assert_eq!(reads("13/04/2026").as_deref(), Some("2026-04-13"));
        assert_eq!(reads("04/13/2026").as_deref(), Some("2026-04-13"));
        assert_eq!(reads("03.04.2026").as_deref(), Some("2026-04-03"));
        for text in
            ["03/04/2026", "30 February 2026", "March 2026", "3 March", "1.2.3", "10.0.0.1", "order 3 March 2026"]
        {
            assert_eq!(reads(text), None, "{text}");
        }
    }

    #[test]
    fn times_months_and_weeks() {
        let time = |text: &str| Readings::of(text).time;
        assert_eq!(time("5 pm").as_deref(), Some("17:00"));
        assert_eq!(time("5:30 p.m.").as_deref(), Some("17:30"));
        assert_eq!(time("12:00 AM").as_deref(), Some("00:00"));
        assert_eq!(time("17:30:05").as_deref(), Some("17:30:05"));
        for text in ["13 pm", "25:00", "5", "5:3"] {
            assert_eq!(time(text), None, "{text}");
        }
        let both = |text: &str| Readings::of(text).datetime_local;
        for text in ["2026-03-03T17:30", "2026-03-03 17:30", "March 3, 2026 at 5:30 pm", "3 March 2026, 17:30"] {
            assert_eq!(both(text).as_deref(), Some("2026-03-03T17:30"), "{text}");
        }
        assert_eq!(Readings::of("March 2026").month.as_deref(), Some("2026-03"));
        assert_eq!(Readings::of("2026-03").month.as_deref(), Some("2026-03"));
        assert_eq!(Readings::of("week 10 of 2026").week.as_deref(), Some("2026-W10"));
        assert_eq!(Readings::of("2026-W10").week.as_deref(), Some("2026-W10"));
    }
}
