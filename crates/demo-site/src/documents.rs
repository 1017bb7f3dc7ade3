//! Documents: uploaded files by name, size and hash. Their content is not stored.

use std::sync::Arc;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Multipart, State, multipart::MultipartError},
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use minijinja::{context, value::Serde};
use sha2::{Digest, Sha256};

use super::{document::Document, ledger::PostOutcome, signin::SignedIn, site::Site, token::new_token};

/// The maximum size of an upload in bytes.
const LARGEST: usize = 64 << 20;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route("/documents", get(list).post(receive)).layer(DefaultBodyLimit::max(LARGEST))
}

async fn list(_: SignedIn, State(site): State<Arc<Site>>) -> Html<String> {
    let documents = site.books().documents.clone();
    site.templates.page(
        "documents.html",
        "Documents",
        &context! { documents => Serde(documents), form_token => new_token() },
    )
}

async fn receive(_: SignedIn, State(site): State<Arc<Site>>, form: Multipart) -> Response {
    let (fields, files) = match read(form).await {
        Ok(parts) => parts,
        Err(broken) => return broken.into_response(),
    };
    let verdict = if files.is_empty() { PostOutcome::Refused } else { PostOutcome::Accepted };
    site.ledger.record("/documents", verdict, &fields);
    site.books().documents.extend(files);
    Redirect::to("/documents").into_response()
}

/// The fields of the form, with each file as `name (size bytes, sha256 …)`, and the files.
async fn read(mut form: Multipart) -> Result<(Vec<(String, String)>, Vec<Document>), MultipartError> {
    let (mut fields, mut files) = (Vec::new(), Vec::new());
    while let Some(part) = form.next_field().await? {
        let name = part.name().unwrap_or_default().to_owned();
        let Some(file) = part.file_name().map(str::to_owned) else {
            fields.push((name, part.text().await?));
            continue;
        };
        let bytes = part.bytes().await?;
        // A form without a selected file sends a file without a name.
        if file.is_empty() {
            continue;
        }
        let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        fields.push((name, format!("{file} ({} bytes, sha256 {sha256})", bytes.len())));
        files.push(Document { name: file, about: String::new(), size: bytes.len(), sha256 });
    }
    let about = fields.iter().find(|(name, _)| name == "about").map(|(_, text)| text.clone()).unwrap_or_default();
    files.iter_mut().for_each(|file| file.about.clone_from(&about));
    Ok((fields, files))
}
