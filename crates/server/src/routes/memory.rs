//! Lessons that runs have learned about sites: list and delete.

use std::sync::Arc;

use axum::extract::{Path, State};
use jiff::Timestamp;
use legwork::store::StoredLesson;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{ADMIN, READ, Route, delete, get};
use crate::{app::App, envelope::ApiResponse, error::ApiError};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/memory", "The lessons about sites, the most trusted first", show).response::<Vec<LessonView>>(),
        delete(ADMIN, "/api/memory/{id}", "Deletes a lesson", forget).response::<DeletedLesson>(),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LessonView {
    /// Derived from the fields that identify the lesson.
    id: String,
    #[serde(flatten)]
    kept: StoredLesson,
}

fn id_of(kept: &StoredLesson) -> String {
    let lesson = &kept.lesson;
    let words = serde_json::json!([lesson.kind, lesson.site, lesson.pattern, lesson.key]).to_string();
    Sha256::digest(words).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

async fn show(State(app): State<Arc<App>>) -> Result<ApiResponse<Vec<LessonView>>, ApiError> {
    let recalled = app.lessons().recall(None, Timestamp::now()).await?;
    Ok(ApiResponse::ok(recalled.lessons.into_iter().map(|kept| LessonView { id: id_of(&kept), kept }).collect()))
}

#[derive(Serialize, JsonSchema)]
struct DeletedLesson {
    id: String,
}

async fn forget(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<ApiResponse<DeletedLesson>, ApiError> {
    let recalled = app.lessons().recall(None, Timestamp::now()).await?;
    let known = recalled.lessons.into_iter().find(|kept| id_of(kept) == id);
    let known = known.ok_or_else(|| ApiError::missing(format!("there is no lesson {id:?}")))?;
    app.lessons().forget_lesson(&known.lesson).await?;
    Ok(ApiResponse::ok(DeletedLesson { id }))
}
