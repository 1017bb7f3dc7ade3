//! Deliveries that are under way. They are stored until they are over, so that the next server continues with those
//! that a stop interrupted; the receiver may then get one twice.

use std::{sync::Arc, time::Duration};

use legwork::protocol::Code;
use uuid::Uuid;

use super::{AlertError, Delivery};
use crate::{app::App, error::ApiError};

/// The kind of the key-value entries.
const KIND: &str = "alert";
/// How long a stop of the server waits for deliveries in progress.
const STOP_WAIT: Duration = Duration::from_secs(5);

/// Stores a delivery and sends it in the background.
pub(crate) async fn post(app: &Arc<App>, delivery: Delivery) -> Result<(), ApiError> {
    let key = Uuid::now_v7().simple().to_string();
    let body = serde_json::to_string(&delivery).map_err(|error| ApiError::internal(Code::Internal, &error))?;
    app.key_value_store().put_entry(KIND, &key, body).await?;
    begin(app, key, delivery);
    Ok(())
}

/// Continues with the deliveries that were under way when the server ended.
pub(crate) async fn restore(app: &Arc<App>) -> Result<(), ApiError> {
    for entry in app.key_value_store().entries(KIND).await? {
        match serde_json::from_str(&entry.body) {
            Ok(delivery) => begin(app, entry.key, delivery),
            Err(error) => {
                tracing::error!(%error, "an alert that was stored cannot be read and is deleted");
                app.key_value_store().delete_entry(KIND, &entry.key).await?;
            }
        }
    }
    Ok(())
}

fn begin(app: &Arc<App>, key: String, delivery: Delivery) {
    let mut deliveries = app.deliveries.lock();
    // Removes those that are over.
    while deliveries.try_join_next().is_some() {}
    let app = app.clone();
    deliveries.spawn(async move {
        let Some(result) = send(&app, &delivery).await else { return };
        let channel = delivery.payload.channel();
        if let Err(refused) = app.schedules.note_delivery(&app, &delivery.schedule, channel, result).await {
            tracing::error!(error = %refused.error, "the result of an alert could not be stored");
        }
        if let Err(error) = app.key_value_store().delete_entry(KIND, &key).await {
            tracing::error!(%error, "an alert that is over is still stored; the next server sends it again");
        }
    });
}

/// Waits for a while for the deliveries in progress, so that the next server does not repeat them.
pub(crate) async fn finish(app: &App) {
    let deliveries = std::mem::take(&mut *app.deliveries.lock());
    // Those that take longer are cut off, and the next server sends them again.
    let _ = tokio::time::timeout(STOP_WAIT, deliveries.join_all()).await;
}

/// Sends it until it is accepted or all retries have failed. `None` if the server stops before the next retry.
async fn send(app: &App, delivery: &Delivery) -> Option<Result<(), AlertError>> {
    let channel = delivery.payload.channel().name();
    let mut waits = app.alert_retries.iter();
    loop {
        let Err(error) = delivery.send(app).await else { return Some(Ok(())) };
        let Some(wait) = waits.next() else {
            let hint = error.hint();
            tracing::error!(channel, %error, hint, "an alert was not accepted; it is not sent again");
            return Some(Err(error));
        };
        tracing::warn!(channel, %error, again_in = wait.as_secs(), "an alert was not accepted");
        app.closing.run_until_cancelled(tokio::time::sleep(*wait)).await?;
    }
}
