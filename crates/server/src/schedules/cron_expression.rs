//! The times of a schedule: a cron expression in a time zone. What is wrong in an expression is said by field, and an
//! expression whose days do not exist is refused, because its schedule would never run.

use std::fmt;

use croner::{
    Cron,
    parser::{CronParser, Seconds, Year},
};
use jiff::{Timestamp, Zoned, tz::TimeZone};
use thiserror::Error;

/// The macros that stand for five fields.
const MACROS: &str = "@hourly, @daily, @weekly, @monthly and @yearly";

/// A field of an expression, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CronField {
    Minute,
    Hour,
    Day,
    Month,
    Weekday,
}

impl CronField {
    const ALL: [CronField; 5] =
        [CronField::Minute, CronField::Hour, CronField::Day, CronField::Month, CronField::Weekday];

    /// The values that are allowed, with examples for this field.
    fn allowed(self) -> &'static str {
        match self {
            CronField::Minute => "use 0–59, * for every minute, a list (0,30), a range (0-10) or a step (*/15)",
            CronField::Hour => "use 0–23, * for every hour, a list (8,12), a range (8-18) or a step (*/2)",
            CronField::Day => {
                "use 1–31, L for the last day, * for every day, a list (1,15), a range (1-7) or a step (*/2)"
            }
            CronField::Month => "use 1–12 or JAN–DEC, * for every month, a list (1,7), a range (6-8) or a step (*/3)",
            CronField::Weekday => {
                "use 0–7 (0 and 7 are Sunday) or SUN–SAT, * for every weekday, a list (MON,FRI) or a range (1-5)"
            }
        }
    }

    /// The expression with this field and no others.
    fn alone(self, text: &str) -> String {
        CronField::ALL.map(|field| if field == self { text } else { "*" }).join(" ")
    }
}

impl fmt::Display for CronField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CronField::Minute => "minute",
            CronField::Hour => "hour",
            CronField::Day => "day",
            CronField::Month => "month",
            CronField::Weekday => "weekday",
        })
    }
}

/// Why a schedule cannot start at the times of its expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ScheduleTimesError {
    #[error(
        "five fields are needed (minute, hour, day, month and weekday), such as `0 8 * * 1-5` for weekdays at 8:00, and \
         there are {found}{}", if *.found == 6 { "; leave out the seconds" } else { "" }
    )]
    FieldCount { found: usize },
    #[error("there is no {0}; the macros are {MACROS}")]
    Macro(String),
    #[error("the {field} {text:?} is not valid: {}", .field.allowed())]
    Field { field: CronField, text: String },
    #[error("{0}")]
    Combination(String),
    #[error("the schedule would never run: no month of {month:?} has a day {day:?}")]
    Never { day: String, month: String },
    #[error("{0:?} does not exist; use a name such as Europe/Lisbon")]
    TimeZone(String),
}

impl ScheduleTimesError {
    /// The field of the schedule that has to be changed.
    pub(crate) fn field(&self) -> &'static str {
        if matches!(self, ScheduleTimesError::TimeZone(_)) { "timezone" } else { "cron" }
    }
}

/// The start times of a schedule.
#[derive(Clone, Debug)]
pub(crate) struct ScheduleTimes {
    cron: Cron,
    zone: TimeZone,
}

impl ScheduleTimes {
    /// Reads an expression with five fields, or a macro, and a time zone.
    ///
    /// # Errors
    /// Every problem: of the expression, then of the time zone.
    pub(crate) fn new(cron: &str, timezone: &str) -> Result<ScheduleTimes, Vec<ScheduleTimesError>> {
        let zone = TimeZone::get(timezone).map_err(|_| ScheduleTimesError::TimeZone(timezone.to_owned()));
        match (parse(cron), zone) {
            (Ok(cron), Ok(zone)) => Ok(ScheduleTimes { cron, zone }),
            (Ok(_), Err(error)) => Err(vec![error]),
            (Err(mut problems), zone) => {
                problems.extend(zone.err());
                Err(problems)
            }
        }
    }

    /// The start times after a point in time, without an end.
    pub(crate) fn after(&self, from: Timestamp) -> impl Iterator<Item = Timestamp> {
        let mut at = from.to_zoned(self.zone.clone());
        std::iter::from_fn(move || {
            at = self.next(&at)?;
            Some(at.timestamp())
        })
    }

    fn next(&self, after: &Zoned) -> Option<Zoned> {
        self.cron.find_next_occurrence(after, false).ok()
    }
}

fn parse(text: &str) -> Result<Cron, Vec<ScheduleTimesError>> {
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    let text = text.trim();
    if text.starts_with('@') {
        return parser.parse(text).map_err(|_| vec![ScheduleTimesError::Macro(text.to_owned())]);
    }
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[_, _, day, month, weekday] = fields.as_slice() else {
        return Err(vec![ScheduleTimesError::FieldCount { found: fields.len() }]);
    };
    let is_wrong = |field: CronField, text: &str| parser.parse(&field.alone(text)).is_err();
    let wrong: Vec<_> = CronField::ALL
        .into_iter()
        .zip(&fields)
        .filter(|(field, text)| is_wrong(*field, text))
        .map(|(field, text)| ScheduleTimesError::Field { field, text: (*text).to_owned() })
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    // Each field is valid alone.
    let cron = parser.parse(text).map_err(|error| vec![ScheduleTimesError::Combination(error.to_string())])?;
    // A schedule whose days are also those of a weekday runs on that weekday. Otherwise its months may lack the day.
    // The search is about dates, so one minute of the day is enough.
    if weekday == "*" && day != "*" {
        let dates = parser.parse(&format!("0 0 {day} {month} *"));
        let from = Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC);
        if dates.is_ok_and(|dates| dates.find_next_occurrence(&from, false).is_err()) {
            return Err(vec![ScheduleTimesError::Never { day: day.to_owned(), month: month.to_owned() }]);
        }
    }
    Ok(cron)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(cron: &str) -> Vec<String> {
        let times = ScheduleTimes::new(cron, "UTC");
        times.err().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_expression_has_five_fields_or_is_a_macro() {
        for text in ["0 8 * * 1-5", "@daily", " */5 * * * MON,WED ", "0 0 L * *", "0 0 29 2 *", "0 0 31 1,2 *"] {
            assert_eq!(problems(text), Vec::<String>::new(), "{text}");
        }
        assert!(problems("* * * * * *")[0].contains("there are 6; leave out the seconds"));
        let expected = "five fields are needed (minute, hour, day, month and weekday)";
        assert!(problems("every day")[0].starts_with(expected), "{:?}", problems("every day"));
        assert!(problems("@often")[0].contains("@daily"), "{:?}", problems("@often"));
    }

    #[test]
    fn each_field_that_is_wrong_is_named_with_what_is_allowed() {
        let check = |cron: &str, field: &str, allowed: &str| {
            let found = problems(cron);
            assert_eq!(found.len(), 1, "{cron}: {found:?}");
            assert!(found[0].starts_with(&format!("the {field} ")) && found[0].contains(allowed), "{cron}: {found:?}");
        };
        check("61 * * * *", "minute", "0–59");
        check("0 25 * * *", "hour", "0–23");
        check("0 8 32 * *", "day", "1–31");
        check("0 8 * 13 *", "month", "1–12");
        check("0 8 * * 9", "weekday", "0–7");
        check("0 8 * * FRY", "weekday", "SUN–SAT");
        assert_eq!(problems("61 25 * * *").len(), 2);
    }

    #[test]
    fn a_schedule_that_never_runs_is_refused() {
        for (cron, day, month) in [("0 0 30 2 *", "30", "2"), ("0 0 31 2,4,6 *", "31", "2,4,6")] {
            let expected = format!("the schedule would never run: no month of {month:?} has a day {day:?}");
            assert_eq!(problems(cron), [expected]);
        }
        // A weekday is another way to match.
        assert!(problems("0 0 30 2 MON").is_empty());
    }

    #[test]
    fn start_times_follow_the_clock_on_the_wall_of_the_time_zone() {
        let next = |cron: &str, zone: &str, from: &str| {
            let times = ScheduleTimes::new(cron, zone).unwrap();
            times.after(from.parse().unwrap()).take(2).map(|at| at.to_string()).collect::<Vec<_>>()
        };
        let lisbon = |from: &str| next("30 9 * * *", "Europe/Lisbon", from);
        assert_eq!(lisbon("2026-01-05T10:00:00Z"), ["2026-01-06T09:30:00Z", "2026-01-07T09:30:00Z"]);
        assert_eq!(lisbon("2026-03-28T10:00:00Z"), ["2026-03-29T08:30:00Z", "2026-03-30T08:30:00Z"]);
        assert_eq!(next("0 8 * * MON", "UTC", "2026-01-05T08:00:00Z")[0], "2026-01-12T08:00:00Z");
        let errors = ScheduleTimes::new("x", "Mars/Base").unwrap_err();
        assert_eq!(errors.iter().map(ScheduleTimesError::field).collect::<Vec<_>>(), ["cron", "timezone"]);
    }
}
