//! A database, a worker process with mail, and people to write to.
use std::sync::Arc;
use std::time::Duration;

use domain::clock;
use domain::ids::{TenantId, UserId};
use domain::jobs::Queue;
use domain::mail::{BulkActionFacts, Kind, Notice, notify, post};
use domain::testing::Database;
use domain::{Scope, db};
use jobs::mail::{Config, Server};
use jobs::process::{self, Settings};
use jobs::webhook;
use object_store::memory::InMemory;
use serde_json::Value;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

pub struct Stack {
    pub db: Database,
    pub admin: PgPool,
    pub jobs: PgPool,
    pub store: Arc<InMemory>,
    process: Option<(
        CancellationToken,
        tokio::task::JoinHandle<Result<(), String>>,
    )>,
}

impl Stack {
    pub async fn new() -> Self {
        let db = Database::new().await;
        Self {
            admin: db.admin(),
            jobs: db.pool("jobs"),
            db,
            store: Arc::new(InMemory::new()),
            process: None,
        }
    }

    /// Starts a process that sends to this server, or to files.
    pub fn start(&mut self, server: Option<Server>) {
        self.start_with(server, webhook::Config::default());
    }

    pub fn start_with(&mut self, server: Option<Server>, webhooks: webhook::Config) {
        let from = "Toimik <toimik@example.ee>";
        let settings = Settings {
            database: self.db.options().username("toimik_jobs"),
            redis_url: std::env::var("REDIS_URL").expect("REDIS_URL names a Redis for tests"),
            redis_prefix: format!("test-{}", self.db.name),
            concurrency: vec![(Queue::Mail, 4), (Queue::Cron, 1)],
            registers: registers::Config::new("http://127.0.0.1:9/xroad").expect("a URL"),
            store: self.store.clone(),
            mail: Config::new(server, from, "https://toimik.example.ee").unwrap(),
            webhooks,
            drain: Duration::from_secs(5),
            status: None,
        };
        let stop = CancellationToken::new();
        let process = tokio::spawn(process::run(settings, stop.clone()));
        self.process = Some((stop, process));
    }

    pub async fn stop(mut self) {
        if let Some((stop, process)) = self.process.take() {
            stop.cancel();
            process.await.expect("no panic").expect("an orderly end");
        }
    }

    pub async fn person(&self, name: &str, email: Option<&str>, language: &str) -> UserId {
        sqlx::query_scalar(
            "with one as (
               insert into users (username, username_key, name, email, language) values ($1, $1, $1, $2, $3) returning id
             ), role as (
               insert into user_roles (user_id, tenant_id, role) select one.id, b.id, 'koda' from one, bureaus b where b.is_chamber
             )
             select id from one",
        )
        .bind(name)
        .bind(email)
        .bind(language)
        .fetch_one(&self.admin)
        .await
        .unwrap()
    }

    /// Tells a person of something; facts by kind.
    pub async fn tell(&self, user: UserId, kind: Kind, id: i64, facts: Value) {
        let notice = Notice {
            kind,
            object: ("Test", id),
            run: 1,
            tenant: TenantId(1),
            facts,
        };
        let mut tx = db::begin(&self.jobs, Scope::Queue).await.unwrap();
        notify(&mut tx, &notice, &[user]).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// As the leader would, for what must lie there before a process starts.
    pub async fn post(&self) {
        let mut tx = db::begin(&self.jobs, Scope::Queue).await.unwrap();
        post(&mut tx, "example.ee", clock::now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// A mail of one person's to come, once its job has ended: state and output.
    pub async fn ended(&self, user: UserId) -> (String, String) {
        let ended = async {
            loop {
                let found: Option<(String, String)> = sqlx::query_as(
                    "select j.state::text, coalesce(j.output, '') from mails m join jobs j on j.id = m.job_id
                     where m.user_id = $1 and j.state in ('ok', 'warning', 'failed', 'cancelled')",
                )
                .bind(user.0)
                .fetch_optional(&self.admin)
                .await
                .unwrap();
                if let Some(found) = found {
                    return found;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(90), ended)
            .await
            .expect("an end")
    }

    /// How the runs of jobs of this kind ended, in order.
    pub async fn attempts(&self, kind: &str) -> Vec<(String, Option<String>)> {
        sqlx::query_as(
            "select a.outcome, a.error_code from attempts a join jobs j on j.id = a.job_id where j.kind = $1 order by a.job_id, a.run",
        )
        .bind(kind)
        .fetch_all(&self.admin)
        .await
        .unwrap()
    }

    /// Waits for a run that ended so.
    pub async fn saw(&self, kind: &str, outcome: &str) -> Vec<(String, Option<String>)> {
        let seen = async {
            loop {
                let runs = self.attempts(kind).await;
                if runs.iter().any(|(found, _)| found == outcome) {
                    return runs;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), seen)
            .await
            .unwrap_or_else(|_| panic!("no run that ended {outcome}"))
    }
}

pub fn action() -> Value {
    let facts = BulkActionFacts {
        id: 7,
        kind: 3,
        status: 3,
        run: 1,
        ordered_by: "Mari <b>Näidis</b>".into(),
        ok: 2_830,
        warning: 0,
        failed: 25,
        cancelled: 0,
        started_at: None,
        finished_at: "2026-11-29T12:05:00Z".parse().unwrap(),
    };
    serde_json::to_value(facts).unwrap()
}
