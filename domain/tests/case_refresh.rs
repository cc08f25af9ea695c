//! The list rows: the set-based sums equal the pure ones, refreshing twice changes nothing, and drift sees a forgotten writer.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
use domain::cases::sums::{self, Amounts, Claim, FeeRow, Surcharge};
use domain::cases::{drift, refresh_list};
use domain::claims::{ClaimKind, ClaimStatus};
use domain::demo::{self, Plan};
use domain::ids::{CaseId, TenantId};
use domain::money::Cents;
use domain::testing::Database;
use domain::{Scope, db};
use sqlx::{Connection, PgConnection};

async fn demo(database: &Database, cases: i64) -> PgConnection {
    let mut conn = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    let plan = Plan {
        cases,
        bureaus: 3,
        password_hash: "none".into(),
    };
    demo::load(&mut conn, &plan).await.unwrap();
    conn
}

/// Claims and surcharges of every kind and status, by chance.
const DISTURB: &str = "
    update claims set status = (hashint8(id) & 2147483647) % 7, main_claim = hashint8(id + 1) % 3 <> 0 where case_id % 2 = 0;
    insert into claims (tenant_id, case_id, main_claim, type, claim_type_id, status, sum_full_cents, sum_periodical_cents)
    select c.tenant_id, c.id, hashint8(c.id) % 2 = 0, (hashint8(c.id + 2) & 2147483647) % 3,
           (select id from claim_types order by id offset (hashint8(c.id + 3) & 2147483647) % 5 limit 1),
           (hashint8(c.id + 4) & 2147483647) % 7, (hashint8(c.id + 5) & 2147483647) % 900000,
           nullif((hashint8(c.id + 6) & 2147483647) % 40000, 0)
    from cases c where c.id % 3 = 0;
    delete from claims where case_id % 11 = 0;
    insert into surcharges (tenant_id, case_id, claim_id, type, sum_full_cents)
    select c.tenant_id, c.id, case when c.id % 2 = 0 then (select max(k.id) from claims k where k.case_id = c.id) end, 0, c.id * 7
    from cases c where c.id % 4 = 0;
    update cases set paid_to_claimant_cents = id * 3 where id % 5 = 0;";

#[tokio::test]
async fn sums_of_the_list_are_those_of_the_pure_definition() {
    let database = Database::new().await;
    let mut conn = demo(&database, 600).await;
    sqlx::raw_sql(DISTURB).execute(&mut conn).await.unwrap();
    let ids: Vec<i64> = sqlx::query_scalar("select id from cases")
        .fetch_all(&mut conn)
        .await
        .unwrap();
    let cases: Vec<CaseId> = ids.iter().copied().map(CaseId).collect();
    refresh_list(&mut conn, &cases).await.unwrap();
    assert_eq!(drift(&mut conn).await.unwrap(), 0);
    let rows: Vec<FeeRow> =
        sqlx::query_as::<_, (Option<i64>, i64)>("select claim_up_to_cents, fee_cents from issuer_fee_rows where table_id = (select min(id) from issuer_fee_tables)")
            .fetch_all(&mut conn)
            .await
            .unwrap()
            .into_iter()
            .map(|(up_to, fee)| FeeRow { up_to: up_to.map(Cents), fee: Cents(fee) })
            .collect();
    for id in ids {
        let claims = claims(&mut conn, id).await;
        let surcharges = surcharges(&mut conn, id).await;
        let (amounts, listed) = amounts(&mut conn, id).await;
        let total = sums::total_claims(&claims, &surcharges).unwrap();
        let expected = [
            total,
            sums::balance(total, &amounts).unwrap(),
            sums::table_fee(&rows, sums::fee_base(&claims).unwrap()),
        ];
        assert_eq!(listed, expected, "case {id}: {claims:?} {surcharges:?}");
    }
}

#[tokio::test]
async fn a_second_refresh_writes_nothing_and_a_forgotten_one_is_drift() {
    let database = Database::new().await;
    let mut conn = demo(&database, 30).await;
    assert_eq!(drift(&mut conn).await.unwrap(), 0);
    let pool = database.pool("jobs");
    let (tenant, case): (i64, i64) = sqlx::query_as("select tenant_id, id from cases where id = 7")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    let mark = "select xmin::text || ctid::text from case_list where case_id = 7 union all select xmin::text || ctid::text from case_search where case_id = 7";
    let before: Vec<String> = sqlx::query_scalar(mark).fetch_all(&mut conn).await.unwrap();
    let mut tx = db::begin(&pool, Scope::Bureau(TenantId(tenant)))
        .await
        .unwrap();
    refresh_list(&mut tx, &[CaseId(case), CaseId(case), CaseId(999_999)])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let after: Vec<String> = sqlx::query_scalar(mark).fetch_all(&mut conn).await.unwrap();
    assert_eq!(before, after);

    sqlx::raw_sql("update people set name = 'Uus Nimi' where id = (select debtor_id from cases where id = 7); delete from case_search where case_id = 9")
        .execute(&mut conn)
        .await
        .unwrap();
    let named: i64 =
        sqlx::query_scalar("select count(*) from cases c join people p on p.id in (c.debtor_id, c.claimant_id) where p.name = 'Uus Nimi'")
            .fetch_one(&mut conn)
            .await
            .unwrap();
    assert!(drift(&mut conn).await.unwrap() > named.min(1));
    let mut tx = db::begin(&pool, Scope::Bureau(TenantId(tenant)))
        .await
        .unwrap();
    refresh_list(&mut tx, &[CaseId(case)]).await.unwrap();
    tx.commit().await.unwrap();
    let text: (String, String) =
        sqlx::query_as("select s.text, l.debtor_key from case_search s join case_list l using (case_id) where case_id = 7")
            .fetch_one(&mut conn)
            .await
            .unwrap();
    assert!(text.0.contains("\nuus nimi\n"));
    assert_eq!(text.1, "uus nimi");
}

async fn claims(conn: &mut PgConnection, case: i64) -> Vec<Claim> {
    type Row = (bool, ClaimKind, ClaimStatus, bool, i64, Option<i64>);
    let rows: Vec<Row> = sqlx::query_as(
        "select k.main_claim, k.type, k.status, t.maintenance, k.sum_full_cents, k.sum_periodical_cents
         from claims k join claim_types t on t.id = k.claim_type_id where k.case_id = $1",
    )
    .bind(case)
    .fetch_all(conn)
    .await
    .unwrap();
    rows.into_iter()
        .map(
            |(main, kind, status, maintenance, full, periodical)| Claim {
                main,
                kind,
                status,
                maintenance,
                full: Cents(full),
                periodical: Cents(periodical.unwrap_or(0)),
            },
        )
        .collect()
}

async fn surcharges(conn: &mut PgConnection, case: i64) -> Vec<Surcharge> {
    let rows: Vec<(Option<ClaimStatus>, i64)> = sqlx::query_as(
        "select k.status, u.sum_full_cents from surcharges u left join claims k on k.id = u.claim_id where u.case_id = $1",
    )
    .bind(case)
    .fetch_all(conn)
    .await
    .unwrap();
    rows.into_iter()
        .map(|(claim_status, full)| Surcharge {
            claim_status,
            full: Cents(full),
        })
        .collect()
}

async fn amounts(conn: &mut PgConnection, case: i64) -> (Amounts, [Cents; 3]) {
    type Row = (i64, i64, i64, i64, i64, i64, i64, i64);
    let row: Row = sqlx::query_as(
        "select c.start_fee_initial_cents, c.issuer_fee_initial_cents, c.enforcement_fee_initial_cents, c.sum_received_cents,
                c.paid_to_claimant_cents, l.total_claims_cents, l.balance_cents, l.table_fee_cents
         from cases c join case_list l on l.case_id = c.id where c.id = $1",
    )
    .bind(case)
    .fetch_one(conn)
    .await
    .unwrap();
    let amounts = Amounts {
        start_fee: Cents(row.0),
        issuer_fee: Cents(row.1),
        enforcement_fee: Cents(row.2),
        received: Cents(row.3),
        paid_to_claimant: Cents(row.4),
    };
    (amounts, [Cents(row.5), Cents(row.6), Cents(row.7)])
}
