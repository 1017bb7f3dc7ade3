//! Lists and statistics of many runs in SQL: the database counts and sums, and only the rows of one page are parsed.

use rusqlite::{Connection, Row, params, params_from_iter, types::Value};

use super::reader::Reader;
use crate::{DailyStats, RunFilter, RunPage, RunStats, StoreError, WorkflowStats};

const DAYS: &str = "SELECT day, count(*), sum(state = 'success'), sum(state = 'failure'), sum(state = 'error'),
    sum(state = 'cancelled'), sum(state = 'parked'), sum(took_ms >= 0), sum(CASE WHEN took_ms >= 0 THEN took_ms END),
    sum(prompt_tokens), sum(completion_tokens), sum(cost_usd),
    sum(state = 'success' AND validation = 'validated'), sum(validation = 'rejected')
    FROM runs WHERE day >= ?1 GROUP BY day ORDER BY day";

/// The median duration of a workflow is the mean of its one or two middle durations.
const WORKFLOWS: &str = "WITH most AS (
        SELECT name, count(*) AS runs, sum(state = 'success') AS success,
            sum(state IN ('success', 'failure', 'error')) AS judged,
            sum(state = 'success' AND validation = 'validated') AS validated,
            sum(prompt_tokens) + sum(completion_tokens) AS tokens, sum(cost_usd) AS cost
        FROM runs WHERE day >= ?1 GROUP BY name ORDER BY runs DESC, name LIMIT ?2),
    timed AS (
        SELECT name, took_ms, row_number() OVER (PARTITION BY name ORDER BY took_ms) AS place,
            count(*) OVER (PARTITION BY name) AS count
        FROM runs WHERE day >= ?1 AND took_ms >= 0 AND name IN (SELECT name FROM most)),
    middles AS (
        SELECT name, avg(took_ms) AS median FROM timed WHERE place IN ((count + 1) / 2, (count + 2) / 2) GROUP BY name)
    SELECT name, runs, success, judged, median, tokens, cost, validated FROM most LEFT JOIN middles USING (name)
    ORDER BY runs DESC, name";

impl Reader {
    /// A page of the runs, and their total number.
    pub(crate) async fn list(&self, filter: RunFilter) -> Result<RunPage, StoreError> {
        let (rows, total) = self.with(move |connection| list(connection, &filter)).await?;
        Ok(RunPage { runs: self.summaries(rows)?, total })
    }

    /// Statistics of the runs since a day.
    pub(crate) async fn stats(&self, since: &str) -> Result<RunStats, StoreError> {
        let since = since.to_owned();
        self.with(move |connection| figures(connection, &since)).await
    }
}

type Rows = Vec<(String, String)>;

fn list(connection: &Connection, filter: &RunFilter) -> rusqlite::Result<(Rows, usize)> {
    let (condition, mut values) = condition(filter);
    let total: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM runs{condition}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    let number = |count: usize| Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
    values.extend([number(filter.limit), number(filter.offset)]);
    let rows = connection
        .prepare_cached(&page(&condition))?
        .query_map(params_from_iter(&values), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Rows>>()?;
    Ok((rows, usize::try_from(total).unwrap_or(0)))
}

fn page(condition: &str) -> String {
    format!("SELECT id, summary FROM runs{condition} ORDER BY n DESC LIMIT ? OFFSET ?")
}

/// The condition of a list. The names of states are our own constants; the words come from outside and are bound as
/// values.
fn condition(filter: &RunFilter) -> (String, Vec<Value>) {
    let mut parts = Vec::new();
    let mut values = Vec::new();
    if !filter.states.is_empty() {
        let names: Vec<String> = filter.states.iter().map(|state| format!("'{}'", state.name())).collect();
        parts.push(format!("state IN ({})", names.join(", ")));
    }
    if !filter.words.is_empty() {
        parts.push("(instr(search, ?) > 0 OR instr(id, ?) > 0)".to_owned());
        values.extend([Value::Text(filter.words.clone()), Value::Text(filter.words.replace('-', ""))]);
    }
    let condition = if parts.is_empty() { String::new() } else { format!(" WHERE {}", parts.join(" AND ")) };
    (condition, values)
}

fn figures(connection: &Connection, since: &str) -> rusqlite::Result<RunStats> {
    let days = connection.prepare_cached(DAYS)?.query_map([since], day)?.collect::<rusqlite::Result<_>>()?;
    let most = RunStats::WORKFLOWS as i64;
    let workflows = connection
        .prepare_cached(WORKFLOWS)?
        .query_map(params![since, most], workflow)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(RunStats { days, workflows })
}

fn day(row: &Row<'_>) -> rusqlite::Result<DailyStats> {
    Ok(DailyStats {
        day: row.get(0)?,
        runs: count(row, 1)?,
        success: count(row, 2)?,
        failure: count(row, 3)?,
        error: count(row, 4)?,
        cancelled: count(row, 5)?,
        parked: count(row, 6)?,
        timed: count(row, 7)?,
        took_ms: row.get::<_, Option<f64>>(8)?.unwrap_or(0.0),
        prompt_tokens: count(row, 9)? as u64,
        completion_tokens: count(row, 10)? as u64,
        cost_usd: row.get(11)?,
        validated: count(row, 12)?,
        rejected: count(row, 13)?,
    })
}

fn workflow(row: &Row<'_>) -> rusqlite::Result<WorkflowStats> {
    Ok(WorkflowStats {
        name: row.get(0)?,
        runs: count(row, 1)?,
        success: count(row, 2)?,
        judged: count(row, 3)?,
        median_ms: row.get(4)?,
        tokens: count(row, 5)? as u64,
        cost_usd: row.get(6)?,
        validated: count(row, 7)?,
    })
}

/// The sum of no rows is NULL.
fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    let count: Option<i64> = row.get(column)?;
    Ok(usize::try_from(count.unwrap_or(0)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;
    use crate::{RunState, sqlite::schema::open_writer};

    const RUNS: i64 = 20_000;

    /// Fills a log with many runs: every seventh failed, names repeat, and ids are not in the order of time.
    fn many() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let connection = open_writer(&folder.path().join("runs.db")).unwrap();
        let made = connection.execute(
            "WITH RECURSIVE at(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM at WHERE n < ?1)
             INSERT INTO runs (id, last_seq, updated_ms, state, name, search, day, took_ms, prompt_tokens, completion_tokens,
                 cost_usd, validation, summary)
             SELECT printf('%032x', 20001 - n), 9, n, iif(n % 7 = 0, 'failure', 'success'), 'Order ' || (n % 5), 'order ' || (n % 5),
                 printf('2026-05-%02d', 1 + n % 20), 500 + 1000 * (n % 3), 10, 1, 0.25,
                 iif(n % 7 = 0, 'rejected', iif(n % 2 = 0, 'validated', 'unvalidated')),
                 json_object('state', iif(n % 7 = 0, 'failure', 'success'))
             FROM at",
            [RUNS],
        );
        assert_eq!(made.unwrap(), RUNS as usize);
        (folder, connection)
    }

    /// The number of rows that a statement scanned, other than those that an index found.
    fn scanned(connection: &Connection, sql: &str, values: &[Value]) -> i32 {
        let mut statement = connection.prepare(sql).unwrap();
        let mut rows = statement.query(params_from_iter(values)).unwrap();
        while rows.next().unwrap().is_some() {}
        drop(rows);
        statement.get_status(StatementStatus::FullscanStep)
    }

    fn plan(connection: &Connection, sql: &str, values: &[Value]) -> Vec<String> {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let rows = statement.query_map(params_from_iter(values), |row| row.get(3)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn a_page_of_twenty_thousand_runs_opens_the_runs_of_the_page() {
        let (_folder, connection) = many();
        let first = RunFilter { limit: 20, ..RunFilter::default() };
        let (rows, total) = list(&connection, &first).unwrap();
        assert_eq!((rows.len(), total, rows[0].0.as_str()), (20, RUNS as usize, &*format!("{:032x}", 1)));
        let number = |count| Value::Integer(count);
        assert!(scanned(&connection, &page(""), &[number(20), number(0)]) <= 20);

        let failed = RunFilter { states: vec![RunState::Failure], offset: 40, ..first.clone() };
        let (rows, total) = list(&connection, &failed).unwrap();
        assert_eq!((rows.len(), total), (20, RUNS as usize / 7));
        assert!(rows.iter().all(|(_, summary)| summary.contains("\"state\":\"failure\"")));
        let (condition, _) = condition(&failed);
        assert_eq!(scanned(&connection, &page(&condition), &[number(20), number(40)]), 0);
        // Counting reads an index, never a summary.
        for part in ["", &*condition, " WHERE (instr(search, 'x') > 0 OR instr(id, 'x') > 0)"] {
            let steps = plan(&connection, &format!("SELECT count(*) FROM runs{part}"), &[]);
            assert!(steps.iter().all(|step| step.contains("COVERING INDEX")), "{steps:?}");
        }
    }

    #[test]
    fn words_are_found_in_names_and_ids() {
        let (_folder, connection) = many();
        let of = |words: &str| {
            list(&connection, &RunFilter { words: words.into(), limit: 3, ..RunFilter::default() }).unwrap()
        };
        assert_eq!(of("order 3").1, RUNS as usize / 5);
        let (rows, total) = of(&format!("{:032x}", 4_711)[20..]);
        assert_eq!((rows.len(), total), (1, 1));
        assert_eq!(of("'; DROP TABLE runs; --").1, 0);
    }

    #[test]
    fn figures_are_made_of_an_index_alone() {
        let (_folder, connection) = many();
        let made = figures(&connection, "2026-05-11").unwrap();
        assert_eq!((made.days.len(), made.workflows.len()), (10, 5));
        let day = &made.days[0];
        assert_eq!(
            (day.day.as_str(), day.runs, day.success + day.failure, day.timed),
            ("2026-05-11", 1_000, 1_000, 1_000)
        );
        // Some of the successes are validated, and every failure is a claim that was rejected.
        let all = |count: fn(&DailyStats) -> usize| made.days.iter().map(count).sum::<usize>();
        assert!((1..all(|day| day.success)).contains(&all(|day| day.validated)), "{:?}", made.days);
        assert_eq!(day.rejected, day.failure);
        assert_eq!((day.prompt_tokens, day.completion_tokens, day.cost_usd), (10_000, 1_000, Some(250.0)));
        let one = &made.workflows[0];
        assert_eq!((one.name.as_str(), one.runs, one.judged, one.tokens), ("Order 0", 2_000, 2_000, 22_000));
        assert_eq!(one.median_ms, Some(1_500.0));
        for (sql, values) in [
            (DAYS, vec![Value::Text("2026-05-11".into())]),
            (WORKFLOWS, vec![Value::Text("2026-05-11".into()), Value::Integer(200)]),
        ] {
            let steps = plan(&connection, sql, &values);
            let of_runs: Vec<_> = steps.iter().filter(|step| step.contains(" runs")).collect();
            assert!(!of_runs.is_empty() && of_runs.iter().all(|step| step.contains("COVERING INDEX")), "{steps:#?}");
        }
    }

    #[test]
    fn nothing_on_record_gives_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open_writer(&folder.path().join("runs.db")).unwrap();
        assert_eq!(figures(&connection, "2026-05-11").unwrap(), RunStats::default());
        assert_eq!(list(&connection, &RunFilter { limit: 5, ..RunFilter::default() }).unwrap(), (Vec::new(), 0));
    }
}
