//! What steers the queue: paces and pauses.
use domain::ids::{BulkActionId, JobId, PauseId, RoleId, TenantId, UserId};
use domain::jobs::dispatch::{self, Bundle};
use domain::jobs::pauses::{self, NewPause, Target};
use domain::jobs::{Kind, Queue};
use domain::{Actor, Error, Role, Scope, db};

use crate::Ground;

impl Ground {
    /// As the dispatcher does: by what steers now.
    async fn steered(&self, room: i64, limits: &[(BulkActionId, i64)]) -> Vec<Bundle> {
        let mut conn = self.queue.acquire().await.expect("a connection");
        let steering = dispatch::steering(&mut conn).await.expect("what steers");
        drop(conn);
        self.pick_with(room, &steering, limits).await
    }

    async fn dispatched(&self) -> i64 {
        let states = self.states().await;
        states.get("dispatched").copied().unwrap_or(0)
    }
}

fn of_action(bundles: &[Bundle], action: i64) -> Vec<JobId> {
    let mut ids: Vec<_> = bundles
        .iter()
        .filter(|bundle| bundle.bulk_action_id == Some(BulkActionId(action)))
        .flat_map(|bundle| bundle.pairs.iter().map(|pair| pair.0))
        .collect();
    ids.sort();
    ids
}

/// The chamber's action has tasks in each bureau, and a person's retries among them: one pace holds for all.
#[tokio::test]
async fn a_pace_holds_over_all_bureaus_of_an_action_together() {
    let ground = Ground::new().await;
    for tenant in 1..=3 {
        ground.tasks(tenant, 11, 50).await;
    }
    ground.tasks(3, 31, 50).await;
    sqlx::query("update jobs set priority = 1 where id in (149, 150)")
        .execute(&ground.admin)
        .await
        .expect("priority");
    let picked = ground.steered(20, &[(BulkActionId(11), 5)]).await;
    assert_eq!(
        of_action(&picked, 11),
        [1, 51, 101, 149, 150].map(JobId),
        "the retries first, then bureaus in turn"
    );
    assert_eq!(of_action(&picked, 31).len(), 15, "the rest of the room");
    let picked = ground.steered(20, &[(BulkActionId(11), 0)]).await;
    assert!(of_action(&picked, 11).is_empty());
}

fn actor(role: Role) -> Actor {
    Actor {
        user_id: UserId(5),
        username: "mari".into(),
        role_id: RoleId(1),
        role,
        tenant_id: TenantId(1),
        tenant_code: "koda".into(),
        request_id: "r".into(),
    }
}

fn pause(target: Target) -> NewPause<'static> {
    NewPause {
        target,
        reason: "Hooldus",
        until: None,
    }
}

/// Each target returns its own dispatched rows in the transaction of the pause, and the dispatcher leaves them alone.
#[tokio::test]
async fn a_pause_takes_back_what_is_on_its_way_until_it_is_ended() {
    let ground = Ground::new().await;
    let (api, operator, now) = (
        ground.db.pool("api"),
        actor(Role::Dev),
        domain::clock::now(),
    );
    ground.tasks(1, 11, 3).await;
    ground.tasks(2, 21, 2).await;
    sqlx::query("update jobs set kind = 'SetStartFee' where id = 5")
        .execute(&ground.admin)
        .await
        .expect("another kind");
    for (target, held) in [
        (Target::Queue(Queue::Bulk), 5),
        (Target::Queue(Queue::Register), 0),
        (Target::Kind(Kind::SetStartFee), 1),
        (Target::Bureau(TenantId(1)), 3),
    ] {
        assert_eq!(ground.dispatched().await, 0);
        ground.steered(10, &[]).await;
        let mut tx = db::begin(&api, Scope::Queue).await.expect("begin");
        let id = pauses::set(&mut tx, &operator, &pause(target), now)
            .await
            .expect("a pause");
        tx.commit().await.expect("commit");
        assert_eq!(ground.dispatched().await, 5 - held, "{target:?}");
        ground.steered(10, &[]).await;
        assert_eq!(ground.dispatched().await, 5 - held, "{target:?} stays");

        let mut tx = db::begin(&api, Scope::Queue).await.expect("begin");
        pauses::end(&mut tx, &operator, id).await.expect("ended");
        assert!(matches!(
            pauses::end(&mut tx, &operator, id).await,
            Err(Error::Refused {
                code: "pause_over",
                ..
            })
        ));
        tx.commit().await.expect("commit");
        ground.steered(10, &[]).await;
        assert_eq!(ground.dispatched().await, 5, "{target:?} goes on");
        dispatch::recall(&mut ground.queue.acquire().await.expect("a connection"))
            .await
            .expect("a recall");
    }
    let trail: Vec<(String, String, Option<String>, i64)> = sqlx::query_as(
        "select action, username, reason, coalesce((after->>'returned')::bigint, -1) from audit
         where object_class = 'Pause' order by id",
    )
    .fetch_all(&ground.admin)
    .await
    .expect("the audit");
    let expected: Vec<_> = [5, 0, 1, 3]
        .into_iter()
        .flat_map(|back| {
            [
                ("pause".into(), "mari".into(), Some("Hooldus".into()), back),
                ("resume".into(), "mari".into(), None, -1),
            ]
        })
        .collect();
    assert_eq!(trail, expected);
}

#[tokio::test]
async fn only_an_operator_pauses_for_a_reason_and_into_the_future() {
    let ground = Ground::new().await;
    let (api, now) = (ground.db.pool("api"), domain::clock::now());
    let bulk = pause(Target::Queue(Queue::Bulk));
    let mut tx = db::begin(&api, Scope::Queue).await.expect("begin");
    for role in [Role::Kt, Role::Koda] {
        let refused = pauses::set(&mut tx, &actor(role), &bulk, now).await;
        assert!(matches!(refused, Err(Error::Forbidden)), "{role:?}");
        let refused = pauses::end(&mut tx, &actor(role), PauseId(1)).await;
        assert!(matches!(refused, Err(Error::Forbidden)), "{role:?}");
    }
    let operator = actor(Role::Dev);
    for wrong in [
        NewPause {
            reason: " ",
            ..bulk.clone()
        },
        NewPause {
            until: Some(now),
            ..bulk.clone()
        },
    ] {
        let refused = pauses::set(&mut tx, &operator, &wrong, now).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{wrong:?}");
    }
    let nobody = pause(Target::Bureau(TenantId(99)));
    let refused = pauses::set(&mut tx, &operator, &nobody, now).await;
    assert!(matches!(refused, Err(Error::NotFound)));
    assert!(matches!(
        pauses::end(&mut tx, &operator, PauseId(99)).await,
        Err(Error::NotFound)
    ));
}
