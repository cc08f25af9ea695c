//! Imports through the queue: uploaded files become cases, or failed jobs with a reason. Real PostgreSQL and Redis.
use std::sync::Arc;
use std::time::Duration;

use domain::actor::{Actor, Role};
use domain::db;
use domain::ids::{RoleId, TenantId, UserId};
use domain::imports::{self, Import, New, Source};
use domain::jobs::Queue;
use domain::testing::Database;
use jobs::process::{self, Settings};
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

const HEADER: &str = "Toimiku number;Avamise kuupäev;Staatus;Sissenõudja liik;Sissenõudja nimi;Sissenõudja kood;\
                      Võlgniku liik;Võlgniku nimi;Võlgniku kood;Nõude liik;Põhinõue\r\n";
const GOOD: &str = "101/2024/1;05.01.2024;Menetluses;Juriidiline isik;Näidis OÜ;90000009;Eraisik;Aino Näidis;\
                    60001019906;Võlanõue;100,00\r\n";

struct Bureau {
    api: PgPool,
    admin: PgPool,
    store: Arc<dyn ObjectStore>,
    actor: Actor,
    database: Database,
}

impl Bureau {
    async fn new() -> Self {
        let database = Database::new().await;
        let admin = database.admin();
        let (tenant, user): (i64, i64) = sqlx::query_as(
            "with b as (insert into bureaus (code, name) values ('101', 'Büroo') returning id),
                  u as (insert into users (username, username_key, name) values ('t', 't', 'T') returning id)
             select b.id, u.id from b, u",
        )
        .fetch_one(&admin)
        .await
        .expect("a bureau");
        let actor = Actor {
            user_id: UserId(user),
            username: "t".into(),
            role_id: RoleId(1),
            role: Role::Kt,
            tenant_id: TenantId(tenant),
            tenant_code: "101".into(),
            request_id: "r".into(),
        };
        Self {
            api: database.pool("api"),
            admin,
            store: Arc::new(InMemory::new()),
            actor,
            database,
        }
    }

    async fn upload(&self, text: String) -> domain::ids::ImportId {
        let path = imports::new_file_path(&self.actor);
        let new = New {
            source: Source::Taavi,
            file_key: path.to_string(),
            file_name: "toimikud.csv".into(),
            file_bytes: text.len() as u64,
        };
        if !text.is_empty() {
            self.store.put(&path, text.into()).await.expect("stored");
        }
        let mut tx = db::begin(&self.api, self.actor.scope())
            .await
            .expect("begun");
        let id = imports::create(&mut tx, &self.actor, &new)
            .await
            .expect("registered");
        tx.commit().await.expect("committed");
        id
    }

    async fn ended(&self, id: domain::ids::ImportId) -> Import {
        let watch = async {
            loop {
                let mut tx = db::begin(&self.api, self.actor.scope())
                    .await
                    .expect("begun");
                let (import, _) = imports::get(&mut tx, id).await.expect("there");
                tx.commit().await.expect("committed");
                if import.status != 1 {
                    return import;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), watch)
            .await
            .expect("an end within a minute")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_are_worked_one_after_another() {
    let bureau = Bureau::new().await;
    let settings = Settings {
        database: bureau.database.options().username("toimik_jobs"),
        redis_url: std::env::var("REDIS_URL").expect("REDIS_URL names a Redis for tests"),
        redis_prefix: format!("test-{}", bureau.database.name),
        concurrency: vec![(Queue::Import, 1)],
        registers: registers::Config::new("http://127.0.0.1:9/xroad").expect("a URL"),
        store: bureau.store.clone(),
        mail: jobs::mail::Config::to_files(),
        webhooks: jobs::webhook::Config::default(),
        drain: Duration::from_secs(25),
        status: None,
    };
    let stop = CancellationToken::new();
    let process = tokio::spawn(process::run(settings, stop.clone()));
    let good = bureau.upload(format!("{HEADER}{GOOD}")).await;
    let again = bureau.upload(format!("{HEADER}{GOOD}")).await;
    let faulty = bureau
        .upload(format!("{HEADER}{}", GOOD.replace("100,00", "sada")))
        .await;
    let missing = bureau.upload(String::new()).await;
    let import = bureau.ended(good).await;
    assert_eq!((import.status, import.added), (2, 1), "{import:?}");
    let import = bureau.ended(again).await;
    assert_eq!((import.status, import.unchanged), (2, 1), "{import:?}");
    let import = bureau.ended(faulty).await;
    assert_eq!((import.status, import.error_count), (3, 1), "{import:?}");
    let import = bureau.ended(missing).await;
    assert_eq!(import.status, 3);
    assert!(import.message.is_some(), "{import:?}");
    let codes: Vec<String> = sqlx::query_scalar(
        "select error_code from jobs where state = 'failed' order by error_code",
    )
    .fetch_all(&bureau.admin)
    .await
    .expect("codes");
    assert_eq!(codes, ["file_missing", "import_errors"]);
    stop.cancel();
    process.await.expect("no panic").expect("an orderly end");
}
