//! Which events are told, to whom, and that each run is told once.
use domain::bulk_actions::{self as actions, Status};
use domain::clock;
use domain::ids::MailId;
use domain::jobs::{Ending, Queue};
use domain::mail::{self, Kind, Notice, Told, notify};
use domain::{Scope, db};
use serde_json::json;

use crate::world::{World, act, failed};
use crate::{deliver, mails, person, role};

async fn notices(world: &World) -> Vec<(String, i32, i64)> {
    sqlx::query_as("select kind, run, user_id from notices order by id")
        .fetch_all(&world.admin)
        .await
        .unwrap()
}

#[tokio::test]
async fn each_run_is_told_once_and_a_hand_s_change_not_at_all() {
    let world = World::new().await;
    world.cases(world.b101, 4).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs[..2], |_| failed()).await;
    assert!(notices(&world).await.is_empty(), "it still runs");
    world.end(&jobs[2..], |_| Ending::Ok).await;
    let first = [("bulk_action".to_owned(), 1, kt.user_id.0)];
    assert_eq!(notices(&world).await, first);

    // A single retry, marking as done, asking for the result: the rule runs again, and nobody is told.
    act(&world, &kt, async |tx| {
        actions::retry_task(tx, &kt, jobs[0].id).await
    })
    .await
    .unwrap();
    let again = world.claim_all(Queue::Bulk).await;
    world.end(&again, |_| Ending::Ok).await;
    act(&world, &kt, async |tx| {
        actions::mark_done(tx, &kt, jobs[1].id, "Tehtud käsitsi.").await
    })
    .await
    .unwrap();
    act(&world, &kt, async |tx| {
        actions::confirm_success(tx, &kt, id).await
    })
    .await
    .unwrap();
    let mut tx = world.queue().await;
    actions::sweep(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.action(id).await.status, Status::Ok);
    assert_eq!(notices(&world).await, first);
    // Also when the notice itself is gone by then.
    sqlx::query("delete from notices")
        .execute(&world.admin)
        .await
        .unwrap();
    act(&world, &kt, async |tx| {
        actions::confirm_success(tx, &kt, id).await
    })
    .await
    .unwrap();
    assert!(notices(&world).await.is_empty());
}

#[tokio::test]
async fn a_retry_of_the_action_is_another_run() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs, |_| failed()).await;
    let other = person(&world, "peeter").await;
    let helper = domain::Actor {
        user_id: domain::ids::UserId(other),
        ..kt.clone()
    };
    act(&world, &helper, async |tx| {
        actions::retry(tx, &helper, id, &[]).await
    })
    .await
    .unwrap();
    let jobs = world.claim_all(Queue::Bulk).await;
    world
        .end(&jobs, |n| if n == 0 { Ending::Ok } else { Ending::Warning })
        .await;
    let mut told = notices(&world).await;
    told.sort();
    let kind = || "bulk_action".to_owned();
    let mut expected = vec![
        (kind(), 1, kt.user_id.0),
        (kind(), 2, kt.user_id.0),
        (kind(), 2, other),
    ];
    expected.sort();
    assert_eq!(told, expected, "who ordered it, and who ordered this run");
    deliver(&world, clock::now()).await;
    let last: i64 = sqlx::query_scalar("select max(id) from mails where user_id = $1")
        .bind(other)
        .fetch_one(&world.admin)
        .await
        .unwrap();
    let mut tx = world.queue().await;
    let letter = mail::letter(&mut tx, MailId(last)).await.unwrap().unwrap();
    let Told::One(facts) = letter.told else {
        panic!()
    };
    assert_eq!(
        (
            &facts["ok"],
            &facts["warning"],
            &facts["failed"],
            &facts["status"],
            &facts["orderedBy"]
        ),
        (&json!(1), &json!(1), &json!(0), &json!(5), &json!("PEETER"))
    );
    assert_eq!(letter.to.email.as_deref(), Some("peeter@example.ee"));
}

#[tokio::test]
async fn who_cancels_an_action_himself_knows_it() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    act(&world, &kt, async |tx| actions::cancel(tx, &kt, id).await)
        .await
        .unwrap();
    assert_eq!(world.action(id).await.status, Status::Cancelled);
    assert!(notices(&world).await.is_empty());
    let chamber = world.chamber();
    let id = world.launch(&chamber, 3, json!({})).await;
    let other = domain::Actor {
        user_id: domain::ids::UserId(person(&world, "peeter").await),
        ..chamber.clone()
    };
    act(&world, &other, async |tx| {
        actions::cancel(tx, &other, id).await
    })
    .await
    .unwrap();
    assert_eq!(
        notices(&world).await,
        [("bulk_action".to_owned(), 1, chamber.user_id.0)]
    );
}

#[tokio::test]
async fn preferences_decide_and_alerts_go_to_those_who_oversee() {
    let world = World::new().await;
    let (bailiff, chamber, gone) = (
        person(&world, "anu").await,
        person(&world, "kersti").await,
        person(&world, "lahkunud").await,
    );
    role(&world, bailiff, world.b101, "KT").await;
    role(&world, chamber, world.koda, "koda").await;
    sqlx::query("update users set disabled_at = now() where id = $1")
        .bind(gone)
        .execute(&world.admin)
        .await
        .unwrap();
    let all = [bailiff, chamber, gone].map(domain::ids::UserId);
    let tell = async |kind: Kind, id: i64| {
        let notice = Notice {
            kind,
            object: ("Test", id),
            run: 1,
            tenant: world.b101,
            facts: json!({"status": 2}),
        };
        let mut tx = world.queue().await;
        notify(&mut tx, &notice, &all).await.unwrap();
        notify(&mut tx, &notice, &all).await.unwrap();
        tx.commit().await.unwrap();
        deliver(&world, clock::now()).await;
    };
    let counts = async || {
        (
            mails(&world, bailiff).await.len(),
            mails(&world, chamber).await.len(),
        )
    };
    tell(Kind::AlertFired, 1).await;
    assert_eq!(counts().await, (0, 1), "told twice, sent once");
    tell(Kind::Import, 1).await;
    assert_eq!(counts().await, (1, 2));

    let choose = async |user: i64, kind: Kind, wanted: bool| {
        let actor = domain::Actor {
            user_id: domain::ids::UserId(user),
            ..world.kt()
        };
        let mut tx = db::begin(&world.api, Scope::Auth).await.unwrap();
        mail::save_preferences(&mut tx, &actor, &[(kind, wanted)])
            .await
            .unwrap();
        let (_, saved) = mail::preferences(&mut tx, actor.user_id).await.unwrap();
        tx.commit().await.unwrap();
        saved.iter().find(|one| one.kind == kind).unwrap().wanted
    };
    assert!(choose(bailiff, Kind::AlertFired, true).await);
    assert!(!choose(chamber, Kind::AlertFired, false).await);
    assert!(!choose(bailiff, Kind::Import, false).await);
    tell(Kind::AlertFired, 2).await;
    assert_eq!(counts().await, (2, 2));
    tell(Kind::Import, 2).await;
    assert_eq!(counts().await, (2, 3));
    assert!(
        mails(&world, gone).await.is_empty(),
        "who has left is told nothing"
    );
    // What was not wanted when it happened does not come later.
    assert!(choose(bailiff, Kind::Import, true).await);
    deliver(&world, clock::now()).await;
    assert_eq!(counts().await, (2, 3));
}

#[tokio::test]
async fn what_is_kept_long_enough_goes_with_its_file() {
    use object_store::ObjectStoreExt;
    let world = World::new().await;
    let user = person(&world, "anu").await;
    let notice = |id| Notice {
        kind: Kind::Import,
        object: ("Test", id),
        run: 1,
        tenant: world.b101,
        facts: json!({}),
    };
    let store = object_store::memory::InMemory::new();
    let mut tx = world.queue().await;
    for id in 1..=2 {
        notify(&mut tx, &notice(id), &[domain::ids::UserId(user)])
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    deliver(&world, clock::now()).await;
    sqlx::raw_sql(
        "update mails set created_at = now() - interval '31 days' where id = (select min(id) from mails);
         update notices set created_at = now() - interval '31 days' where id = (select min(id) from notices)",
    )
    .execute(&world.admin)
    .await
    .unwrap();
    let mut tx = world.queue().await;
    domain::jobs::sweep::retire(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(mails(&world, user).await, [1]);
    assert_eq!(notices(&world).await.len(), 1);

    store
        .put(&mail::file_path(MailId(1)), "x".into())
        .await
        .unwrap();
    let now = clock::now();
    assert_eq!(mail::remove_old_files(&store, now).await.unwrap(), 0);
    let later = now + chrono::TimeDelta::days(mail::KEPT_DAYS) + chrono::TimeDelta::seconds(5);
    assert_eq!(mail::remove_old_files(&store, later).await.unwrap(), 1);
}
