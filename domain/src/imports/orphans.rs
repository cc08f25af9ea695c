//! Files that no import names: left by an api that died between storing an upload and writing its row.
use chrono::{DateTime, Utc};
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use sqlx::PgConnection;

use super::{FOLDER, sql};
use crate::Result;

/// Files that are judged by one statement.
const AT_ONCE: usize = 1_000;

/// Removes files that were stored before `before` and that no import of any bureau names; returns how many. `before` lies
/// further back than any upload takes, since a file is there before its row. The connection is the queue's, which sees
/// the imports of all bureaus.
pub async fn remove_orphans(
    conn: &mut PgConnection,
    store: &dyn ObjectStore,
    before: DateTime<Utc>,
) -> Result<usize> {
    let folder = Path::from(FOLDER);
    let old = store
        .list(Some(&folder))
        .try_filter(|file| std::future::ready(file.last_modified < before));
    let mut parts = old.try_chunks(AT_ONCE);
    let mut removed = 0;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|broken| broken.1)?;
        let keys: Vec<String> = part.iter().map(|file| file.location.to_string()).collect();
        let named = sql::named_files(conn, &keys).await?;
        for file in part {
            if !named.contains(file.location.as_ref()) {
                store.delete(&file.location).await?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}
