//! The post: an event leaves notices, the leader makes mails of them, each sent by a job of its own.
mod day;
mod facts;
mod letters;
mod post;
mod preferences;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;

pub use day::{digest, send_daily_digests};
pub(crate) use facts::value;
pub use facts::{
    AlertFacts, BulkActionFacts, DayFacts, Ended, ErrorCount, ImportFacts, OperatorActionFacts,
};
pub use letters::{Addressee, Letter, Mail, MailState, Told, file_path, find, letter, list, sent};
pub use letters::{KEPT_DAYS, remove_old_files, retire};
pub use post::{MOST, WINDOW, post};
pub use preferences::{Preference, preferences, save_preferences};

use crate::Result;
use crate::ids::{TenantId, UserId};

/// What a mail is about; each person chooses by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A run of a bulk action ended.
    BulkAction,
    Import,
    OperatorAction,
    AlertFired,
    AlertRecovered,
    /// What ended yesterday.
    DailyDigest,
}

impl Kind {
    pub const ALL: [Self; 6] = [
        Self::BulkAction,
        Self::Import,
        Self::OperatorAction,
        Self::AlertFired,
        Self::AlertRecovered,
        Self::DailyDigest,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::BulkAction => "bulk_action",
            Self::Import => "import",
            Self::OperatorAction => "operator_action",
            Self::AlertFired => "alert_fired",
            Self::AlertRecovered => "alert_recovered",
            Self::DailyDigest => "daily_digest",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether a person who chose nothing gets it; alerts go to those who oversee.
    pub fn default_for(self, standing: Standing) -> bool {
        match self {
            Self::BulkAction | Self::Import | Self::OperatorAction => true,
            Self::AlertFired | Self::AlertRecovered => standing == Standing::Oversees,
            Self::DailyDigest => false,
        }
    }
}

/// Whether a person holds a role of the chamber or of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Oversees,
    OwnBureau,
}

impl Standing {
    fn of(oversees: Option<bool>) -> Self {
        if oversees == Some(true) {
            Self::Oversees
        } else {
            Self::OwnBureau
        }
    }
}

/// An event that people are told of.
#[derive(Debug, Clone)]
pub struct Notice {
    pub kind: Kind,
    /// Class and id, as in the audit.
    pub object: (&'static str, i64),
    /// Of the object: the end of each run is told once.
    pub run: i32,
    pub tenant: TenantId,
    /// One of the shapes of `facts`, by kind.
    pub facts: Value,
}

/// Tells these people, in the transaction of the event. Inserts only: nothing waits for the post. Whoever was told of this
/// run of the object before is not told again.
pub async fn notify(conn: &mut PgConnection, notice: &Notice, to: &[UserId]) -> Result<()> {
    let told: Vec<(&Notice, UserId)> = to.iter().map(|user| (notice, *user)).collect();
    notify_all(conn, &told).await
}

/// As [`notify`], many at once.
pub async fn notify_all(conn: &mut PgConnection, told: &[(&Notice, UserId)]) -> Result<()> {
    if told.is_empty() {
        return Ok(());
    }
    let tenants: Vec<i64> = told.iter().map(|(notice, _)| notice.tenant.0).collect();
    let users: Vec<i64> = told.iter().map(|(_, user)| user.0).collect();
    let kinds: Vec<&str> = told.iter().map(|(n, _)| n.kind.as_str()).collect();
    let classes: Vec<&str> = told.iter().map(|(n, _)| n.object.0).collect();
    let objects: Vec<i64> = told.iter().map(|(n, _)| n.object.1).collect();
    let runs: Vec<i32> = told.iter().map(|(n, _)| n.run).collect();
    let facts: Vec<&Value> = told.iter().map(|(n, _)| &n.facts).collect();
    sqlx::query!(
        "insert into notices (tenant_id, user_id, kind, object_class, object_id, run, facts)
         select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::int[], $7::jsonb[])
         on conflict do nothing",
        &tenants,
        &users,
        &kinds as &[&str],
        &classes as &[&str],
        &objects,
        &runs,
        &facts as &[&Value],
    )
    .execute(conn)
    .await?;
    Ok(())
}
