//! Runs that are killed, fenced, late or unlucky leave nothing behind, and the next run does it all.
use std::time::Duration;

use domain::db::{self, Scope};
use domain::imports::{self, Limits, Source};
use domain::jobs::failure::{self, Failure};
use object_store::ObjectStoreExt;

use super::support::{World, line, made, small};

#[tokio::test(flavor = "multi_thread")]
async fn past_the_time_limit_nothing_was_changed() {
    let world = World::new().await;
    let job = world
        .upload(&world.actor, Source::Taavi, &made(&["--rows", "200"]))
        .await;
    imports::run(
        &world.jobs,
        &*world.store,
        &job,
        Limits {
            time: Duration::ZERO,
        },
    )
    .await
    .unwrap();
    let (import, _) = world.seen(&job).await;
    assert_eq!(import.status, 3);
    let message = import.message.unwrap();
    assert!(
        message.starts_with("Kõiki failis olevaid ridu ei jõutud 10 minuti jooksul ära töödelda."),
        "{message}"
    );
    assert_eq!(world.footprint().await, 0);
    // A person's retry runs it from the start.
    let again = world.claim(job.id).await;
    world.run(&again).await;
    assert_eq!(world.seen(&again).await.0.added, 200);
    // Each end is told, with what it came to; a run that comes too late tells nothing.
    world.run(&again).await;
    let told: Vec<(i32, String, i32)> = sqlx::query_as(
        "select run, facts ->> 'fileName', (facts ->> 'added')::int from notices where kind = 'import' order by id",
    )
    .fetch_all(&world.admin)
    .await
    .unwrap();
    let file = || "toimikud.csv".to_owned();
    assert_eq!(told, [(1, file(), 0), (2, file(), 200)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_past_the_limit_ends_the_same_way() {
    let world = World::new().await;
    world.import(Source::Taavi, &small("", &[&line(1)])).await;
    // Somebody holds the case that the file would change, for longer than the import may take.
    let mut holder = world.admin.begin().await.unwrap();
    sqlx::query("select id from cases for update")
        .fetch_all(&mut *holder)
        .await
        .unwrap();
    let changed = line(1).replace("100,00", "200,00");
    let job = world
        .upload(&world.actor, Source::Taavi, &small("", &[&changed]))
        .await;
    let limits = Limits {
        time: Duration::from_millis(700),
    };
    imports::run(&world.jobs, &*world.store, &job, limits)
        .await
        .unwrap();
    holder.rollback().await.unwrap();
    let (import, _) = world.seen(&job).await;
    assert_eq!((import.status, import.message.is_some()), (3, true));
    assert_eq!(
        world
            .count("select sum(sum_full_cents)::bigint from claims")
            .await,
        10_000
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_seen_while_it_runs_and_a_kill_changes_nothing() {
    let world = World::new().await;
    world.import(Source::Taavi, &small("", &[&line(1)])).await;
    let before = world.footprint().await;
    let mut holder = world.admin.begin().await.unwrap();
    sqlx::query("select id from cases for update")
        .fetch_all(&mut *holder)
        .await
        .unwrap();
    let changed = line(1).replace("100,00", "200,00");
    let job = world
        .upload(
            &world.actor,
            Source::Taavi,
            &small("", &[&changed, &line(2)]),
        )
        .await;
    let (pool, store, running) = (world.jobs.clone(), world.store.clone(), job.clone());
    let run =
        tokio::spawn(
            async move { imports::run(&pool, &*store, &running, Limits::default()).await },
        );
    // The whole file is read, and the judgement waits for the lock: its backend is the one to kill.
    let killed = loop {
        let killed = world
            .count(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock' and query like '%import_rows%'",
            )
            .await;
        if killed > 0 {
            break killed;
        }
        assert!(!run.is_finished());
        tokio::task::yield_now().await;
    };
    assert_eq!(killed, 1);
    let error = run.await.unwrap().unwrap_err();
    assert!(
        matches!(failure::of(&error), Failure::Released { .. }),
        "{error}"
    );
    let (import, _) = world.seen(&job).await;
    assert_eq!(
        (import.status, import.percent, import.rows_done),
        (1, 40, 2)
    );
    assert_eq!(world.footprint().await, before);
    holder.rollback().await.unwrap();
    let again = world.claim(job.id).await;
    world.run(&again).await;
    let (import, _) = world.seen(&again).await;
    assert_eq!(
        (import.status, import.percent, import.added, import.updated),
        (2, 100, 1, 1)
    );
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fenced_run_writes_nothing() {
    let world = World::new().await;
    let old = world
        .upload(&world.actor, Source::Taavi, &small("", &[&line(1)]))
        .await;
    let new = world.claim(old.id).await;
    world.run(&old).await;
    assert_eq!(world.footprint().await, 0);
    assert_eq!(world.seen(&old).await.0.status, 1);
    world.run(&new).await;
    assert_eq!(world.seen(&new).await.0.added, 1);
    // The old run comes back once more, after all is over.
    let import = "select hashtextextended(string_agg(i::text, ''), 0) from imports i";
    let before = (world.footprint().await, world.count(import).await);
    world.run(&old).await;
    assert_eq!((world.footprint().await, world.count(import).await), before);
    assert_eq!(world.count("select count(*) from attempts").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_in_one_bureau_take_turns() {
    let world = World::new().await;
    let file = made(&["--rows", "300"]);
    let (one, two) = (
        world.upload(&world.actor, Source::Taavi, &file).await,
        world.upload(&world.actor, Source::Taavi, &file).await,
    );
    tokio::join!(world.run(&one), world.run(&two));
    let (a, b) = (world.seen(&one).await.0, world.seen(&two).await.0);
    assert_eq!((a.added + b.added, a.unchanged + b.unchanged), (300, 300));
    world.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_file_fails_for_good() {
    let world = World::new().await;
    let job = world
        .upload(&world.actor, Source::Taavi, &small("", &[&line(1)]))
        .await;
    let key: String = sqlx::query_scalar("select file_key from imports")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    world
        .store
        .delete(&object_store::path::Path::from(key))
        .await
        .unwrap();
    world.run(&job).await;
    let (import, _) = world.seen(&job).await;
    assert_eq!(import.status, 3);
    assert!(import.message.unwrap().contains("Faili") || import.rows.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_job_decides_what_is_shown() {
    let world = World::new().await;
    let job = world
        .upload(&world.actor, Source::Taavi, &small("", &[&line(1)]))
        .await;
    sqlx::query(
        "update jobs set state = 'failed', output = 'töötleja katkes 3 korda' where id = $1",
    )
    .bind(job.id)
    .execute(&world.admin)
    .await
    .unwrap();
    let (import, _) = world.seen(&job).await;
    assert_eq!(
        (import.status, import.message.as_deref()),
        (3, Some("töötleja katkes 3 korda"))
    );
    sqlx::query("update jobs set error_code = 'worker_crashed' where id = $1")
        .bind(job.id)
        .execute(&world.admin)
        .await
        .unwrap();
    let message = world.seen(&job).await.0.message.unwrap();
    assert!(message.contains("Midagi ei muudetud"), "{message}");
    sqlx::query("update jobs set state = 'cancelled' where id = $1")
        .bind(job.id)
        .execute(&world.admin)
        .await
        .unwrap();
    assert_eq!(world.seen(&job).await.0.status, 4);
    // Another bureau sees nothing of it.
    let mut tx = db::begin(&world.api, Scope::Bureau(world.other.tenant_id))
        .await
        .unwrap();
    let page = domain::page::Page::new(1, 10, 100).unwrap();
    assert_eq!(imports::list(&mut tx, page).await.unwrap().total, 0);
    assert!(matches!(
        imports::get(&mut tx, world.seen(&job).await.0.id).await,
        Err(domain::Error::NotFound)
    ));
}

#[tokio::test]
async fn files_that_no_import_names_go_when_they_are_old() {
    let world = World::new().await;
    let own = world
        .upload(&world.actor, Source::Taavi, &small("", &[&line(1)]))
        .await;
    let other = world
        .upload(&world.other, Source::Taavi, &small("", &[&line(1)]))
        .await;
    for actor in [&world.actor, &world.other] {
        world
            .store
            .put(&imports::new_file_path(actor), "a;b".into())
            .await
            .unwrap();
    }
    let elsewhere = object_store::path::Path::from("documents/1/a");
    world.store.put(&elsewhere, "x".into()).await.unwrap();
    let remove = async |before| {
        let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
        imports::remove_orphans(&mut tx, &*world.store, before)
            .await
            .unwrap()
    };
    let now = domain::clock::now();
    let day = chrono::Duration::days(1);
    assert_eq!(remove(now - day).await, 0, "an upload may be under way");
    assert_eq!(remove(now + day).await, 2);
    assert_eq!(remove(now + day).await, 0);
    assert!(world.store.get(&elsewhere).await.is_ok());
    for job in [&own, &other] {
        world.run(job).await;
    }
    assert_eq!(world.seen(&own).await.0.added, 1);
}

/// What the sweep gave up, a panic ended or a hand cancelled, the import's own row hears of from the sweeper.
#[tokio::test]
async fn an_import_whose_job_ended_without_it_is_over_and_told() {
    let world = World::new().await;
    let give_up = async || {
        let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
        let over = imports::given_up(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        over
    };
    for (state, code, status, words) in [
        ("failed", Some("worker_crashed"), 3, "Töötleja katkes"),
        ("failed", Some("panic"), 3, "Midagi läks katki."),
        ("cancelled", None, 4, "Midagi läks katki."),
    ] {
        let job = world.upload(&world.actor, Source::Taavi, b"x").await;
        assert_eq!(give_up().await, 0, "it is under way");
        sqlx::query(
            "update jobs set state = $2::job_state, error_code = $3, output = 'Midagi läks katki.', finished_at = clock_timestamp()
             where id = $1",
        )
        .bind(job.id.0)
        .bind(state)
        .bind(code)
        .execute(&world.admin)
        .await
        .unwrap();
        assert_eq!((give_up().await, give_up().await), (1, 0));
        let (import, _) = world.seen(&job).await;
        assert_eq!(import.status, status);
        assert!(import.finished_at.is_some());
        let told: (i16, String) = sqlx::query_as(
            "select (facts ->> 'status')::smallint, facts ->> 'message' from notices where kind = 'import' order by id desc limit 1",
        )
        .fetch_one(&world.admin)
        .await
        .unwrap();
        assert_eq!(told.0, status);
        assert!(told.1.contains(words), "{}", told.1);
    }
    let told = world.count("select count(*) from notices").await;
    assert_eq!(told, 3);
}
