//! Many events at once: five mails of a kind, then one digest, exactly.
use chrono::TimeDelta;
use domain::bulk_actions::close_finished;
use domain::clock;
use domain::ids::{BulkActionId, MailId};
use domain::mail::{MOST, Told, WINDOW, letter};

use crate::world::World;
use crate::{deliver, mails, person};

const ACTIONS: i64 = 10_000;

/// Actions of these people in turn, each with one task that has ended; the last of every hundred failed.
async fn ended_actions(world: &World, people: &[i64], count: i64) -> Vec<BulkActionId> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "with made as (
           insert into bulk_actions (tenant_id, type, created_by, created_by_role, cases_frozen_at, total)
           select $1, 3, ($2::bigint[])[1 + n % cardinality($2)], 'KT', now(), 1 from generate_series(0, $3 - 1) n returning id
         ), tasks as (
           insert into jobs (tenant_id, bulk_action_id, queue, kind, state, started_at, finished_at)
           select $1, id, 'bulk', 'ComputeIssuerFee', (case when id % 100 = 0 then 'failed' else 'ok' end)::job_state, now(), now()
           from made
         )
         select id from made order by id",
    )
    .bind(world.b101.0)
    .bind(people)
    .bind(count)
    .fetch_all(&world.admin)
    .await
    .unwrap();
    ids.into_iter().map(BulkActionId).collect()
}

#[tokio::test]
async fn ten_thousand_actions_that_end_at_once_give_each_five_mails_and_a_digest() {
    let world = World::new().await;
    let people = [
        person(&world, "anu").await,
        person(&world, "peeter").await,
        person(&world, "tiit").await,
    ];
    let actions = ended_actions(&world, &people, ACTIONS).await;
    let mut tx = world.queue().await;
    assert_eq!(close_finished(&mut tx, &actions).await.unwrap(), 10_000);
    tx.commit().await.unwrap();

    let start = clock::now();
    deliver(&world, start).await;
    for user in people {
        assert_eq!(mails(&world, user).await, [1; MOST]);
    }
    // Until the window is over nothing more comes, however often one looks.
    for minutes in [1, 5, 9] {
        deliver(&world, start + TimeDelta::minutes(minutes)).await;
    }
    assert_eq!(mails(&world, people[0]).await.len(), MOST);

    deliver(&world, start + WINDOW).await;
    let (mut told, mut failed) = (0, 0);
    for user in people {
        let counts = mails(&world, user).await;
        assert_eq!(counts.len(), MOST + 1, "five mails and one digest");
        told += counts.iter().sum::<i32>();
        let digest: i64 = sqlx::query_scalar("select max(id) from mails where user_id = $1")
            .bind(user)
            .fetch_one(&world.admin)
            .await
            .unwrap();
        let mut tx = world.queue().await;
        let letter = letter(&mut tx, MailId(digest)).await.unwrap().unwrap();
        let Told::Many {
            total,
            by_status,
            items,
        } = letter.told
        else {
            panic!("{:?}", letter.told)
        };
        assert_eq!(total, i64::from(counts[MOST]));
        assert_eq!(by_status.iter().map(|(_, n)| n).sum::<i64>(), total);
        failed += by_status
            .iter()
            .filter(|(status, _)| *status == 3)
            .map(|(_, n)| n)
            .sum::<i64>();
        assert_eq!(
            (items.len(), &items[0]["status"]),
            (20, &3.into()),
            "failed ones first"
        );
    }
    assert_eq!((told, failed), (10_000, 100), "each action is told once");
    let (jobs, ids): (i64, i64) = sqlx::query_as(
        "select count(*), count(distinct m.message_id) from mails m join jobs j on j.id = m.job_id
         where j.kind = 'SendMail' and j.queue = 'mail' and j.state = 'queued'",
    )
    .fetch_one(&world.admin)
    .await
    .unwrap();
    assert_eq!((jobs, ids), (18, 18), "a job and an id each");
    deliver(&world, start + WINDOW * 20).await;
    assert_eq!(mails(&world, people[0]).await.len(), MOST + 1);
}

/// A storm that goes on: in no ten minutes more than five, the digests counted.
#[tokio::test]
async fn in_no_ten_minutes_come_more_than_five() {
    let world = World::new().await;
    let user = person(&world, "anu").await;
    let start = clock::now();
    for minute in 0..45 {
        let actions = ended_actions(&world, &[user], 3).await;
        let mut tx = world.queue().await;
        close_finished(&mut tx, &actions).await.unwrap();
        tx.commit().await.unwrap();
        deliver(&world, start + TimeDelta::minutes(minute)).await;
    }
    deliver(&world, start + TimeDelta::minutes(60)).await;
    let most: i64 = sqlx::query_scalar(
        "select max(n) from (select (select count(*) from mails o where o.created_at > m.created_at - interval '10 minutes'
                                     and o.created_at <= m.created_at) as n from mails m) w",
    )
    .fetch_one(&world.admin)
    .await
    .unwrap();
    let told: i32 = mails(&world, user).await.iter().sum();
    assert_eq!((most, told), (5, 135));
}

/// Another kind and another person have five of their own.
#[tokio::test]
async fn what_waits_alone_comes_as_itself() {
    let world = World::new().await;
    let (anu, peeter) = (person(&world, "anu").await, person(&world, "peeter").await);
    let mut actions = ended_actions(&world, &[anu], 6).await;
    actions.extend(ended_actions(&world, &[peeter], 2).await);
    let mut tx = world.queue().await;
    close_finished(&mut tx, &actions).await.unwrap();
    tx.commit().await.unwrap();
    let start = clock::now();
    deliver(&world, start).await;
    assert_eq!(
        (mails(&world, anu).await, mails(&world, peeter).await),
        (vec![1; 5], vec![1; 2])
    );
    deliver(&world, start + WINDOW).await;
    assert_eq!(mails(&world, anu).await, [1; 6], "a digest of one is none");
}
