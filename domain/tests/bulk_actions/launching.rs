//! Preview and freeze: the filter becomes tasks once, for whom it may.
use domain::bulk_actions::{self as actions, Args, Frozen, Launch, Status};
use domain::jobs::{Queue, State};
use domain::money::Cents;
use domain::{Actor, Error, Result};
use serde_json::{Value, json};

use crate::world::{Made, World, act};

async fn created(world: &World, actor: &Actor) -> domain::ids::BulkActionId {
    act(world, actor, async |tx| {
        actions::create(tx, actor, 3, None).await
    })
    .await
    .unwrap()
}

async fn freeze(
    world: &World,
    actor: &Actor,
    id: domain::ids::BulkActionId,
    filters: Value,
    expected: Option<i64>,
) -> Result<Frozen> {
    let launch = Launch {
        filters,
        expected_count: expected,
        include_cases_with_problems: false,
    };
    let mut tx = world.reading(actor).await;
    let frozen = actions::freeze(&mut tx, actor, id, &launch).await?;
    tx.commit().await?;
    Ok(frozen)
}

#[tokio::test]
async fn a_filter_becomes_tasks_by_falling_number_once() {
    let world = World::new().await;
    world.cases(world.b101, 12).await;
    world.cases(world.b102, 3).await;
    let kt = world.kt();
    let id = created(&world, &kt).await;
    let filters = json!({"number": "101/2024/1"});
    let frozen = freeze(&world, &kt, id, filters.clone(), Some(4))
        .await
        .unwrap();
    assert_eq!(frozen, Frozen::Tasks(4), "1, 10, 11, 12");
    let indexes: Vec<i32> = sqlx::query_scalar(
        "select c.index from jobs j join cases c on c.id = j.case_id order by j.id",
    )
    .fetch_all(&world.admin)
    .await
    .unwrap();
    assert_eq!(indexes, [12, 11, 10, 1]);
    let again = freeze(&world, &kt, id, json!({}), None).await;
    assert!(matches!(
        again,
        Err(Error::Refused {
            code: "already_frozen",
            ..
        })
    ));
    let action = world.action(id).await;
    assert_eq!(
        (action.filters, action.status),
        (Some(filters), Status::InProgress)
    );
    assert_eq!(
        (
            world.audited("create", id.0).await,
            world.audited("launch", id.0).await
        ),
        (1, 1)
    );
    world
        .case(
            world.b101,
            Made {
                index: 100,
                ..Made::default()
            },
        )
        .await;
    assert_eq!(
        world.in_state(id, State::Queued).await,
        4,
        "later matches do not join"
    );
}

#[tokio::test]
async fn a_bailiff_takes_own_cases_and_the_chamber_all() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    world.cases(world.b102, 3).await;
    let (kt, koda) = (world.kt(), world.chamber());
    let everyone = json!({"includeAllBailiffs": true});
    let mut tx = world.reading(&kt).await;
    let preview = actions::preview(&mut tx, &kt, 3, None, &everyone)
        .await
        .unwrap();
    assert_eq!(
        (preview.count, preview.left_out, preview.sample.len()),
        (2, 3, 2)
    );
    drop(tx);
    let id = created(&world, &kt).await;
    assert_eq!(
        freeze(&world, &kt, id, everyone, None).await.unwrap(),
        Frozen::Tasks(2)
    );
    let id = created(&world, &koda).await;
    assert_eq!(
        freeze(&world, &koda, id, json!({}), None).await.unwrap(),
        Frozen::Tasks(5)
    );
    let mut shown: Vec<(i64, i32)> =
        sqlx::query_as("select tenant_id, tasks from bulk_action_bureaus where action_id = $1")
            .bind(id.0)
            .fetch_all(&world.admin)
            .await
            .unwrap();
    shown.sort();
    assert_eq!(shown, [(world.b101.0, 2), (world.b102.0, 3)]);
    let jobs = world.claim_all(Queue::Bulk).await;
    assert_eq!(jobs.len(), 7);
}

#[tokio::test]
async fn a_count_that_moved_is_told_and_nothing_is_kept() {
    let world = World::new().await;
    world.cases(world.b101, 30).await;
    let kt = world.kt();
    let id = created(&world, &kt).await;
    let moved = freeze(&world, &kt, id, json!({}), Some(19)).await;
    assert!(matches!(
        moved,
        Err(Error::Refused {
            code: "count_moved",
            ..
        })
    ));
    assert_eq!(world.tasks_of(id).await.len(), 0);
    assert!(matches!(
        freeze(&world, &kt, id, json!({}), Some(-1)).await,
        Err(Error::Invalid(_))
    ));
    assert_eq!(
        freeze(&world, &kt, id, json!({}), Some(20)).await.unwrap(),
        Frozen::Tasks(30)
    );
}

#[tokio::test]
async fn a_filter_that_matches_nothing_cancels() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let kt = world.kt();
    let id = created(&world, &kt).await;
    assert_eq!(
        freeze(&world, &kt, id, json!({"number": "101/1999/"}), None)
            .await
            .unwrap(),
        Frozen::Nothing
    );
    let action = world.action(id).await;
    assert_eq!(
        (action.status, action.cancelled_at.is_some()),
        (Status::Cancelled, true)
    );
    assert_eq!(
        freeze(&world, &kt, id, json!({"number": "101/1999/"}), None)
            .await
            .unwrap(),
        Frozen::Nothing,
        "the same again gets the same answer"
    );
    assert!(matches!(
        freeze(&world, &kt, id, json!({}), None).await,
        Err(Error::Refused {
            code: "cancelled",
            ..
        })
    ));
}

/// Its tasks write the audit in the creator's name.
#[tokio::test]
async fn a_colleague_adds_no_cases_to_an_action_that_is_not_his() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let kt = world.kt();
    let id = created(&world, &kt).await;
    let colleague = domain::Actor {
        user_id: domain::ids::UserId(kt.user_id.0 + 1),
        ..kt.clone()
    };
    let outcome = freeze(&world, &colleague, id, json!({}), None).await;
    assert!(matches!(outcome, Err(Error::Forbidden)));
    assert!(freeze(&world, &kt, id, json!({}), None).await.is_ok());
}

#[tokio::test]
async fn a_bad_filter_or_type_names_itself() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let kt = world.kt();
    let id = created(&world, &kt).await;
    for filters in [
        json!({"nope": 1}),
        json!({"status": ["x"]}),
        json!([]),
        json!({"balance.cents": {"lt": 1.5}}),
    ] {
        let outcome = freeze(&world, &kt, id, filters.clone(), None).await;
        assert!(
            matches!(&outcome, Err(Error::Invalid(v)) if v[0].path.starts_with("filters")),
            "{filters}"
        );
    }
    let mut tx = world.reading(&kt).await;
    assert!(matches!(
        actions::create(&mut tx, &kt, 9, None).await,
        Err(Error::Forbidden)
    ));
    for kind in [0, 10, -1, i64::MAX, 2, 8] {
        assert!(
            matches!(actions::create(&mut tx, &kt, kind, None).await, Err(Error::Invalid(v)) if v[0].path == "type"),
            "{kind}"
        );
    }
}

#[tokio::test]
async fn the_preview_counts_what_the_tasks_will_skip() {
    let world = World::new().await;
    let cases = world.cases(world.b101, 14).await;
    world.problem(cases[0]).await;
    sqlx::query("update cases set status = 11 where id = any($1)")
        .bind([cases[1].0, cases[2].0])
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query("update cases set start_fee_cents = 0 where id = $1")
        .bind(cases[3].0)
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query("update claims set status = 3 where case_id = $1")
        .bind(cases[4].0)
        .execute(&world.admin)
        .await
        .unwrap();
    world.refresh(world.b101, &cases).await;
    let kt = world.kt();
    let mut tx = world.reading(&kt).await;
    let args = Args::StartFee(Cents(1_000)).to_json();
    let preview = actions::preview(&mut tx, &kt, 1, Some(&args), &json!({}))
        .await
        .unwrap();
    let told: Vec<_> = preview
        .skipped
        .iter()
        .map(|one| (one.reason, one.count))
        .collect();
    assert_eq!((preview.count, preview.sample.len()), (14, 10));
    assert_eq!(
        told,
        [("not_editable", 2), ("problems", 1), ("received_more", 1)]
    );
    let preview = actions::preview(&mut tx, &kt, 3, None, &json!({}))
        .await
        .unwrap();
    let told: Vec<_> = preview
        .skipped
        .iter()
        .map(|one| (one.reason, one.count))
        .collect();
    assert_eq!(
        told,
        [("not_editable", 2), ("problems", 1), ("no_fee_base", 1)]
    );
}
