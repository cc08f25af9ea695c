//! Cases come in from an office's old program as a CSV file: taken in by the api, read and applied by a job.
mod apply;
mod csv;
mod file;
mod header;
mod issues;
mod judge;
mod orphans;
mod progress;
mod receipts;
mod row;
mod run;
mod sql;
mod stage;
mod tell;
mod text;
mod values;
mod view;

use object_store::path::Path;
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use unicode_normalization::UnicodeNormalization;

pub use header::{Field, Source};
pub use issues::KEPT;
pub use orphans::remove_orphans;
pub use run::{Limits, fail, run};
pub use tell::given_up;
pub use text::{HEAD_BYTES, not_text};
pub use view::{Found, Import, get, list};

use crate::actor::{Actor, Role};
use crate::audit::{self, By, Entry};
use crate::ids::ImportId;
use crate::jobs::{self, Kind, NewJob};
use crate::{Error, Result, db};

/// The largest file that is taken: 100 MB.
pub const FILE_BYTES: u64 = 104_857_600;

/// Where the files of all imports lie in the store.
const FOLDER: &str = "imports";

/// An uploaded file that lies in the store.
#[derive(Debug, Clone)]
pub struct New {
    pub source: Source,
    pub file_key: String,
    pub file_name: String,
    pub file_bytes: u64,
}

/// Only a bailiff imports, into the own bureau.
pub fn may_import(actor: &Actor) -> Result<()> {
    if actor.role == Role::Kt {
        Ok(())
    } else {
        Err(Error::Forbidden)
    }
}

/// Where a new file of the bureau is kept: under a name of our own.
pub fn new_file_path(actor: &Actor) -> Path {
    Path::from(format!(
        "{FOLDER}/{}/{}",
        actor.tenant_id,
        uuid::Uuid::new_v4()
    ))
}

/// Registers the file and enqueues the job that reads it.
pub async fn create(conn: &mut PgConnection, actor: &Actor, new: &New) -> Result<ImportId> {
    may_import(actor)?;
    let bytes =
        i64::try_from(new.file_bytes).map_err(|_| Error::invalid("file", "Fail on liiga suur."))?;
    let id = sql::insert(conn, actor, new, bytes).await?;
    let job = NewJob {
        args: Some(json!({ "importId": id.0 })),
        created_by: Some(actor.user_id),
        request_id: Some(&actor.request_id),
        ..NewJob::new(Kind::ImportCases, actor.tenant_id)
    };
    let job = jobs::enqueue(conn, &job).await?;
    sql::set_job(conn, id, job).await?;
    let entry = Entry {
        after: Some(
            json!({ "type": new.source.as_str(), "fileName": new.file_name, "fileBytes": bytes }),
        ),
        ..Entry::new(actor.tenant_id, "create", "Import", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(id)
}

/// Whether an import of the bureau owns this file: asked when a commit's outcome was lost.
pub async fn has_file(pool: &PgPool, actor: &Actor, key: &str) -> Result<bool> {
    let mut tx = db::begin(pool, actor.scope()).await?;
    let found = sql::has_file(&mut tx, key).await?;
    tx.commit().await?;
    Ok(found)
}

/// The name to show for an uploaded file: no folders, no control characters, at most 150 characters.
pub fn clean_file_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last
        .nfc()
        .filter(|c| !c.is_control() && !values::is_invisible(*c))
        .take(150)
        .collect();
    let name = name.trim();
    if name.trim_matches('.').is_empty() {
        "import.csv".into()
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans_file_names() {
        for (given, kept) in [
            ("toimikud.csv", "toimikud.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\fakepath\\õ.csv", "õ.csv"),
            ("%2e%2e%2fx.csv", "%2e%2e%2fx.csv"),
            ("a\r\nSet-Cookie: x.csv", "aSet-Cookie: x.csv"),
            ("\u{202e}vsc.exe", "vsc.exe"),
            ("..", "import.csv"),
            ("", "import.csv"),
            ("x/", "import.csv"),
        ] {
            assert_eq!(clean_file_name(given), kept, "{given:?}");
        }
        assert_eq!(clean_file_name(&"õ".repeat(5000)).chars().count(), 150);
    }
}
