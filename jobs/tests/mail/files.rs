//! Without a server mails become files; a sent one is not sent again; and the daily digests' own job.
use domain::ids::TenantId;
use domain::jobs::{self as queue, NewJob};
use domain::mail::{Kind, file_path};
use domain::{Scope, db};
use object_store::ObjectStoreExt;

use crate::server::parsed;
use crate::stack::{Stack, action};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_server_mails_are_files() {
    let mut stack = Stack::new().await;
    stack.start(None);
    let mari = stack.person("Mari", Some("mari@example.ee"), "et").await;
    stack.tell(mari, Kind::BulkAction, 1, action()).await;
    assert_eq!(stack.ended(mari).await.0, "ok");
    let id: i64 = sqlx::query_scalar("select id from mails")
        .fetch_one(&stack.admin)
        .await
        .unwrap();
    let path = file_path(id.into());
    let file = stack.store.get(&path).await.unwrap().bytes().await.unwrap();
    let content = String::from_utf8(file.to_vec()).unwrap();
    assert!(
        parsed(&content)
            .subject()
            .unwrap()
            .starts_with("Masstegevus")
    );

    // The job runs again, as after a crash between its end and ours, or by a person's hand: nothing is written twice.
    stack.store.delete(&path).await.unwrap();
    sqlx::query("update jobs set state = 'queued', run_at = now(), finished_at = null")
        .execute(&stack.admin)
        .await
        .unwrap();
    let (state, said) = stack.ended(mari).await;
    assert_eq!(
        (state.as_str(), said.as_str()),
        ("ok", "Kiri oli juba saadetud.")
    );
    assert!(stack.store.get(&path).await.is_err());
    stack.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_daily_digest_comes_by_its_job() {
    let mut stack = Stack::new().await;
    let mari = stack.person("Mari", Some("mari@example.ee"), "en").await;
    sqlx::query(
        "insert into mail_preferences (user_id, kind, wanted) values ($1, 'daily_digest', true)",
    )
    .bind(mari.0)
    .execute(&stack.admin)
    .await
    .unwrap();
    stack.start(None);
    for _ in 0..2 {
        let mut tx = db::begin(&stack.jobs, Scope::Queue).await.unwrap();
        queue::enqueue(
            &mut tx,
            &NewJob::new(queue::Kind::SendDailyDigests, TenantId(1)),
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(stack.ended(mari).await.0, "ok");
    let subjects: Vec<String> = sqlx::query_scalar("select subject from mails")
        .fetch_all(&stack.admin)
        .await
        .unwrap();
    assert_eq!(subjects.len(), 1, "two ticks, one mail");
    assert!(
        subjects[0].starts_with("The day in short: "),
        "{subjects:?}"
    );
    stack.stop().await;
}
