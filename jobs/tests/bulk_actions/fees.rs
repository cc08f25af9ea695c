//! Types 1 and 3: what they write, what they leave alone, and that a second run changes nothing.
use domain::bulk_actions::{self as actions, Args, Launch, Status};
use domain::cases::drift;
use domain::ids::CaseId;
use domain::jobs::{Queue, State};
use domain::money::Cents;
use domain::{Scope, db};
use jobs::broker::Delivery;
use serde_json::json;

use crate::world::{Made, World, act};
use crate::{context, told, work};

/// Fees of a case: start initial, start owed, issuer initial, issuer owed.
async fn fees(world: &World, case: CaseId) -> (i64, i64, i64, i64) {
    sqlx::query_as("select start_fee_initial_cents, start_fee_cents, issuer_fee_initial_cents, issuer_fee_cents from cases where id = $1")
        .bind(case.0)
        .fetch_one(&world.admin)
        .await
        .unwrap()
}

async fn no_drift(world: &World) {
    let mut tx = db::begin(&world.jobs, Scope::Bureau(world.b101))
        .await
        .unwrap();
    assert_eq!(drift(&mut tx).await.unwrap(), 0);
}

#[tokio::test]
async fn the_issuer_fee_follows_claims_and_table() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let mut cases = Vec::new();
    for (index, claim_cents, status) in [
        (1, 6_500, 0),
        (2, 6_501, 0),
        (3, 90_000_000, 0),
        (4, 50_000, 11),
    ] {
        cases.push(
            world
                .case(
                    world.b101,
                    Made {
                        index,
                        claim_cents,
                        status,
                    },
                )
                .await,
        );
    }
    // Opened 2024-03-01: VAT 22 %, the first table. 25, 75, 1200 €.
    let id = world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(fees(&world, cases[0]).await, (1_500, 1_500, 3_050, 3_050));
    assert_eq!(fees(&world, cases[1]).await, (1_500, 1_500, 9_150, 9_150));
    assert_eq!(
        fees(&world, cases[2]).await,
        (1_500, 1_500, 146_400, 146_400)
    );
    assert_eq!(fees(&world, cases[3]).await, (1_500, 1_500, 0, 0));
    // Tasks stand by falling case number: 4, 3, 2, 1.
    let (state, output) = told(&world, &jobs[0]).await;
    assert_eq!(
        (state.as_str(), output.as_str()),
        (
            "warning",
            "Toimikut ei saa hetkel muuta, sest see on olekus \"Lõpetamisel\"."
        )
    );
    let (state, output) = told(&world, &jobs[3]).await;
    assert_eq!(
        (state.as_str(), output.as_str()),
        (
            "ok",
            "Põhitasu: 0,00 € → 30,50 €\nTasu 25,00 € + käibemaks 5,50 € nõudelt 65,00 €"
        )
    );
    assert_eq!(world.action(id).await.status, Status::Warning);
    no_drift(&world).await;
    let listed: i64 =
        sqlx::query_scalar("select table_fee_cents from case_list where case_id = $1")
            .bind(cases[1].0)
            .fetch_one(&world.admin)
            .await
            .unwrap();
    assert_eq!(
        listed, 7_500,
        "the list's table fee and the computed base are one definition"
    );
    assert_eq!(world.audited("compute_issuer_fee", cases[0].0).await, 1);

    let id = world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    work(&world, &ctx, &jobs).await.unwrap();
    let (state, output) = told(&world, &jobs[3]).await;
    assert_eq!(
        (
            state.as_str(),
            output.starts_with("Põhitasu ei muutunud: 30,50 €")
        ),
        ("ok", true)
    );
    assert_eq!(
        world.audited("compute_issuer_fee", cases[0].0).await,
        1,
        "nothing changed, nothing to audit"
    );
    assert_eq!(world.action(id).await.status, Status::Warning);
}

#[tokio::test]
async fn maintenance_counts_as_one_month_and_what_is_not_in_force_does_not_count() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let case = world
        .case(
            world.b101,
            Made {
                claim_cents: 90_000,
                ..Made::default()
            },
        )
        .await;
    sqlx::query("update claims set claim_type_id = (select id from claim_types where maintenance)")
        .execute(&world.admin)
        .await
        .unwrap();
    for (main, kind, status, full, month) in [
        (true, 2, 0, 0, Some(29_200_i64)),
        (true, 0, 3, 400_000, None),
        (false, 0, 0, 400_000, None),
        (true, 1, 0, 400_000, None),
    ] {
        sqlx::query(
            "insert into claims (tenant_id, case_id, main_claim, type, claim_type_id, status, sum_full_cents, sum_periodical_cents)
             select $1, $2, $3, $4, (select min(id) from claim_types where maintenance = ($4 = 2)), $5, $6, $7",
        )
        .bind(world.b101.0)
        .bind(case.0)
        .bind(main)
        .bind(kind)
        .bind(status)
        .bind(full)
        .bind(month)
        .execute(&world.admin)
        .await
        .unwrap();
    }
    world.refresh(world.b101, &[case]).await;
    sqlx::query("update bureaus set vat_liable = false")
        .execute(&world.admin)
        .await
        .unwrap();
    world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    work(&world, &ctx, &jobs).await.unwrap();
    // 292 € a month: the bracket up to 500 €.
    assert_eq!(fees(&world, case).await.2, 15_000);
    let listed: i64 = sqlx::query_scalar("select table_fee_cents from case_list")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(listed, 15_000);
}

#[tokio::test]
async fn the_start_fee_is_set_and_refused_below_what_was_received() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let cases = world.cases(world.b101, 3).await;
    sqlx::query("update cases set start_fee_cents = 500 where id = $1")
        .bind(cases[1].0)
        .execute(&world.admin)
        .await
        .unwrap();
    world.problem(cases[2]).await;
    let args = |cents| Args::StartFee(Cents(cents)).to_json();
    world.launch(&world.kt(), 1, args(2_000)).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(fees(&world, cases[0]).await.0, 2_000);
    assert_eq!(
        (
            fees(&world, cases[1]).await.0,
            fees(&world, cases[1]).await.1
        ),
        (2_000, 1_000)
    );
    assert_eq!(fees(&world, cases[2]).await.0, 1_500);
    assert_eq!(
        told(&world, &jobs[0]).await,
        (
            "warning".into(),
            "Toimik jäeti vahele, sest sellel on lahendamata probleem.".into()
        )
    );
    assert_eq!(
        told(&world, &jobs[2]).await,
        ("ok".into(), "Alustamise tasu: 15,00 € → 20,00 €".into())
    );
    no_drift(&world).await;

    // Once more below what was received of case 2, this time on cases with problems too.
    let kt = world.kt();
    let mut tx = world.reading(&kt).await;
    let id = actions::create(&mut tx, &kt, 1, Some(&args(900)))
        .await
        .unwrap();
    let launch = Launch {
        filters: json!({}),
        expected_count: None,
        include_cases_with_problems: true,
    };
    actions::freeze(&mut tx, &kt, id, &launch).await.unwrap();
    tx.commit().await.unwrap();
    let jobs = world.claim_all(Queue::Bulk).await;
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(
        told(&world, &jobs[0]).await,
        ("ok".into(), "Alustamise tasu: 15,00 € → 9,00 €".into())
    );
    let (state, output) = told(&world, &jobs[1]).await;
    assert_eq!(state, "warning");
    assert_eq!(
        output,
        "Alustamise tasu ei muudetud: laekunud on 10,00 €, mis on rohkem kui uus tasu 9,00 €."
    );
    assert_eq!(world.action(id).await.status, Status::Warning);
}

#[tokio::test]
async fn a_fenced_task_is_not_written_and_its_neighbours_are() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let cases = world.cases(world.b101, 3).await;
    world
        .launch(&world.kt(), 1, Args::StartFee(Cents(2_000)).to_json())
        .await;
    let jobs = world.claim_all(Queue::Bulk).await;
    sqlx::query("update jobs set state = 'queued' where id = $1")
        .bind(jobs[0].id.0)
        .execute(&world.admin)
        .await
        .unwrap();
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(
        fees(&world, cases[2]).await.0,
        1_500,
        "its lease was over: another run will do it"
    );
    assert_eq!(
        (
            fees(&world, cases[0]).await.0,
            fees(&world, cases[1]).await.0
        ),
        (2_000, 2_000)
    );
    assert_eq!(world.audited("set_start_fee", cases[2].0).await, 0);
    let attempts: i64 = sqlx::query_scalar("select count(*) from attempts")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(attempts, 2);
}

/// Nothing is wrong with any case of it: one by one each would wait for the same lock, and hold a slot meanwhile.
#[tokio::test]
async fn a_chunk_that_meets_a_lock_goes_back_as_a_whole() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    world.cases(world.b101, 3).await;
    let id = world.launch(&world.kt(), 3, json!({})).await;
    sqlx::raw_sql(
        "update jobs set state = 'dispatched', dispatch_no = 1, lease_until = now() + interval '1 minute';
         create sequence tries;
         create function falter() returns trigger language plpgsql security definer as $$ begin
           if nextval('tries') = 1 then raise exception 'locked' using errcode = '55P03'; end if;
           return new; end $$;
         create trigger falter before update on cases for each row execute function falter()",
    )
    .execute(&world.admin)
    .await
    .unwrap();
    let pairs = world
        .tasks_of(id)
        .await
        .iter()
        .map(|id| (id.0, 1))
        .collect();
    let delivery = Delivery {
        pairs,
        suspect: false,
        kind: Some(domain::jobs::Kind::ComputeIssuerFee),
    };
    jobs::worker::work(ctx, Queue::Bulk, delivery).await;
    let released: i64 =
        sqlx::query_scalar("select count(*) from attempts where outcome = 'released'")
            .fetch_one(&world.admin)
            .await
            .unwrap();
    assert_eq!(released, 3);
    assert_eq!(world.in_state(id, State::Queued).await, 3);
}

#[tokio::test]
async fn a_cancel_is_seen_before_anything_is_written() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let cases = world.cases(world.b101, 2).await;
    let kt = world.kt();
    let id = world
        .launch(&kt, 1, Args::StartFee(Cents(2_000)).to_json())
        .await;
    let jobs = world.claim_all(Queue::Bulk).await;
    act(&world, &kt, async |tx| actions::cancel(tx, &kt, id).await)
        .await
        .unwrap();
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(fees(&world, cases[0]).await.0, 1_500);
    assert_eq!(
        told(&world, &jobs[0]).await,
        ("cancelled".into(), "Katkestatud.".into())
    );
    assert_eq!(world.action(id).await.status, Status::Cancelled);
}

#[tokio::test]
async fn a_case_that_left_the_bureau_is_a_warning() {
    let world = World::new().await;
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let case = world.case(world.b101, Made::default()).await;
    world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    sqlx::query("delete from cases where id = $1")
        .bind(case.0)
        .execute(&world.admin)
        .await
        .unwrap();
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(
        told(&world, &jobs[0]).await,
        (
            "warning".into(),
            "Toimik ei ole enam selle büroo oma.".into()
        )
    );
}
