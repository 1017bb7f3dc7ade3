//! `legwork memory`: shows, prunes and deletes what runs have learned about sites.

use jiff::Timestamp;
use legwork::{
    protocol::LessonKind,
    store::{RecalledLessons, StoreError, StoredLesson},
};

use crate::{
    command_args::{Global, MemoryAction, MemoryArgs},
    data_dir::DataDir,
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    style::{Style, escape_control},
};

/// The maximum number of characters of a lesson in the table.
const MAX_CHARACTERS: usize = 72;

pub(crate) async fn memory(global: &Global, args: &MemoryArgs) -> Result<Exit, CliError> {
    let settings = options::plain(global)?;
    let data_dir = DataDir::open(&settings.data_dir)?;
    match &args.action {
        None => list(&data_dir, args).await,
        Some(MemoryAction::Forget { site, .. }) => {
            let site = site.as_deref().map(origin).transpose()?;
            let gone = data_dir.lessons.forget(site.as_deref()).await.map_err(store_error)?;
            print_deleted(global, gone)
        }
        Some(MemoryAction::Prune) => {
            let keep = settings.memory.max_lessons_per_site;
            let gone = data_dir.lessons.prune_lessons(Timestamp::now(), keep).await.map_err(store_error)?;
            print_deleted(global, gone)
        }
    }
}

async fn list(data_dir: &DataDir, args: &MemoryArgs) -> Result<Exit, CliError> {
    let site = args.site.as_deref().map(origin).transpose()?;
    let recalled = data_dir.lessons.recall(site.as_deref(), Timestamp::now()).await.map_err(store_error)?;
    let text = if args.json {
        serde_json::to_string_pretty(&recalled)
            .map_err(|error| CliError::fault("cannot write the list").because(&error))?
            + "\n"
    } else {
        table(&recalled, Style::on(Stream::Out.is_terminal()))
    };
    Stream::Out.write(&text)?;
    if recalled.unreadable > 0 {
        let many = recalled.unreadable;
        Stream::Err.write(&format!("warning: {many} rows cannot be read; `legwork memory prune` deletes them\n"))?;
    }
    Ok(Exit::Success)
}

/// The sites by name, with their lessons by trust.
fn table(recalled: &RecalledLessons, style: Style) -> String {
    if recalled.lessons.is_empty() {
        return "There are no lessons yet. Runs learn while they work, unless `memory.enabled` is off.\n".to_owned();
    }
    let mut lessons: Vec<&StoredLesson> = recalled.lessons.iter().collect();
    lessons.sort_by(|a, b| a.lesson.site.cmp(&b.lesson.site));
    let mut text = String::new();
    for of_site in lessons.chunk_by(|a, b| a.lesson.site == b.lesson.site) {
        let gap = if text.is_empty() { "" } else { "\n" };
        text += &format!("{gap}{}\n", style.bold(escape_control(&of_site[0].lesson.site)));
        for StoredLesson { lesson, trust, proved, .. } in of_site {
            let counts = format!("{}/{}", lesson.successes, lesson.successes.saturating_add(lesson.failures));
            let page = lesson.data["page"].as_str().map_or(String::new(), |page| format!("  {}", escape_control(page)));
            text += &format!(
                "{:>4}  {:<8}  {:>6}  {}  {}{}\n",
                format!("{:.0}%", trust * 100.0),
                kind(lesson.kind),
                counts,
                proved.strftime("%Y-%m-%d"),
                clipped(&escape_control(&lesson.text)),
                style.dim(page),
            );
        }
    }
    text
}

fn kind(kind: LessonKind) -> &'static str {
    match kind {
        LessonKind::ElementDiscovery => "element",
        LessonKind::PageInsight => "page",
        LessonKind::VariableExtraction => "variable",
        LessonKind::PatternLearning => "pattern",
        LessonKind::InvestigationPreference => "tool",
    }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The site for an argument: an origin, any address on it, or a bare host name.
fn origin(text: &str) -> Result<String, CliError> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    legwork::memory::site_of(&whole).ok_or_else(|| {
        CliError::usage(format!("{text} is not a site"))
            .hint("write it as `legwork memory` shows it: https://shop.example")
    })
}

fn print_deleted(global: &Global, gone: usize) -> Result<Exit, CliError> {
    if !global.quiet {
        let lessons = if gone == 1 { "lesson" } else { "lessons" };
        Stream::Out.write(&format!("{gone} {lessons} deleted\n"))?;
    }
    Ok(Exit::Success)
}

fn store_error(error: StoreError) -> CliError {
    let hint = error.hint();
    CliError::fault("the memory cannot be read").because(&error).hint(hint)
}
