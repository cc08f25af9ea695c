//! Writes what was judged: people, cases and their children, counters, audit, in sets. Runs after `judge` found no error.
use sqlx::PgConnection;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Postgres};

use super::header::{Field, Source};
use super::issues::Issues;
use super::judge::{Plan, issue};
use crate::Result;
use crate::cases::Number;
use crate::ids::{CaseId, ImportId, JobId, TenantId, UserId};

/// On whose behalf.
pub struct Order<'a> {
    pub import: ImportId,
    pub tenant: TenantId,
    pub source: Source,
    pub country: Option<i64>,
    pub job: JobId,
    pub user: UserId,
    pub request_id: Option<&'a str>,
}

/// People, and who is claimant and debtor of each case that is written.
pub async fn people(conn: &mut PgConnection, order: &Order<'_>) -> Result<()> {
    sqlx::query(
        "insert into people (id, tenant_id, type, code, name_first, name_last, name, date_birth, gender, country_id)
         overriding system value
         select person_id, $1, type, code, case when type = 1 then substring(name from '^(.*) [^ ]+$') end,
                case when type = 1 then substring(name from '[^ ]+$') end, name, born, gender, $2
         from import_people where not known
         on conflict (tenant_id, code) where code is not null do nothing",
    )
    .bind(order.tenant)
    .bind(order.country)
    .execute(&mut *conn)
    .await?;
    // A person whom somebody else added meanwhile keeps his own id.
    sqlx::query(
        "update import_people f set person_id = p.id
         from people p
         where not f.known and p.tenant_id = $1 and p.code = f.code and p.id <> f.person_id",
    )
    .bind(order.tenant)
    .execute(&mut *conn)
    .await?;
    // A person without a code is known only as the party of this case under this name.
    sqlx::raw_sql(
        "create temporary table import_parties on commit drop as
         select l.row, l.case_id, l.verdict, nextval('public.claims_id_seq') as claim_id,
                coalesce(a.person_id, oa.id, nextval('public.people_id_seq')) as claimant_id,
                coalesce(b.person_id, ob.id, nextval('public.people_id_seq')) as debtor_id,
                a.person_id is null and oa.id is null as new_claimant, b.person_id is null and ob.id is null as new_debtor
         from import_plan l
         join import_rows r on r.row = l.row
         left join import_people a on a.code = r.claimant_code
         left join import_people b on b.code = r.debtor_code
         left join cases c on l.verdict = 2 and c.id = l.case_id
         left join people oa on oa.id = c.claimant_id and oa.code is null and r.claimant_code is null
                             and lower(oa.name) = lower(r.claimant_name)
         left join people ob on ob.id = c.debtor_id and ob.code is null and r.debtor_code is null
                             and lower(ob.name) = lower(r.debtor_name)
         where l.verdict in (1, 2);
         analyze import_parties",
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "insert into people (id, tenant_id, type, name_first, name_last, name, country_id)
         overriding system value
         select id, $1, type, case when type = 1 then substring(name from '^(.*) [^ ]+$') end,
                case when type = 1 then substring(name from '[^ ]+$') end, name, $2
         from (select p.claimant_id as id, r.claimant_type as type, r.claimant_name as name
               from import_parties p join import_rows r on r.row = p.row where p.new_claimant
               union all
               select p.debtor_id, r.debtor_type, r.debtor_name
               from import_parties p join import_rows r on r.row = p.row where p.new_debtor) n",
    )
    .bind(order.tenant)
    .bind(order.country)
    .execute(conn)
    .await?;
    Ok(())
}

/// The audit rows, and the cases themselves. A number that is taken by a case out of our sight becomes an error.
pub async fn cases(
    conn: &mut PgConnection,
    order: &Order<'_>,
    plan: Plan,
    issues: &mut Issues,
) -> Result<()> {
    if plan.added > 0 {
        let done = sqlx::query(
            "insert into cases (id, tenant_id, prefix, year, index, state, status, statement_number, claimant_id, debtor_id,
               country_id, date_opened, date_closed, close_basis_id, stop_start_date, stop_basis_id, delivery_date,
               voluntary_compliance_date, start_fee_initial_cents, start_fee_cents, issuer_fee_initial_cents, issuer_fee_cents,
               enforcement_fee_initial_cents, enforcement_fee_cents, sum_received_cents, reference_no, import_id, import_row,
               import_version)
             overriding system value
             select p.case_id, $1, r.prefix, r.year, r.index, 'unmigrated', r.status, r.statement, p.claimant_id, p.debtor_id,
               $2, r.opened, r.closed, r.close_basis, r.stopped, r.stop_basis, r.delivery, r.voluntary, r.start_fee,
               r.start_fee_left, r.issuer_fee, r.issuer_fee_left, r.costs, r.costs_left, r.received, r.reference, $3, r.digest, 1
             from import_parties p join import_rows r on r.row = p.row
             where p.verdict = 1
             order by r.year, r.index
             on conflict (prefix, year, index) do nothing",
        )
        .bind(order.tenant)
        .bind(order.country)
        .bind(order.import)
        .execute(&mut *conn)
        .await?;
        if done.rows_affected() < u64::try_from(plan.added).unwrap_or(0) {
            return taken(conn, order.source, issues).await;
        }
    }
    if plan.updated > 0 {
        audit(conn, order, 2).await?;
        rewrite(conn, order).await?;
    }
    audit(conn, order, 1).await
}

async fn taken(conn: &mut PgConnection, source: Source, issues: &mut Issues) -> Result<()> {
    let rows = sqlx::query_as::<_, (i32, i16, i16, i32)>(
        "select r.row, r.prefix, r.year, r.index
         from import_parties p join import_rows r on r.row = p.row
         where p.verdict = 1 and not exists (select from cases c where c.id = p.case_id)
         order by r.row",
    )
    .fetch_all(conn)
    .await?;
    for (row, prefix, year, index) in rows {
        let number = Number {
            prefix,
            year,
            index,
        };
        let message = "Sellise numbriga toimik on juba olemas, kuid mitte selles büroos.";
        issues
            .errors
            .add(issue(row, number, Field::Number, source, message.into()));
    }
    Ok(())
}

/// Writes over the cases that nobody touched since their import; their children are made anew.
async fn rewrite(conn: &mut PgConnection, order: &Order<'_>) -> Result<()> {
    sqlx::query(
        "update cases c set
           status = r.status, statement_number = r.statement, claimant_id = p.claimant_id, debtor_id = p.debtor_id,
           date_opened = r.opened, date_closed = r.closed, close_basis_id = r.close_basis, stop_start_date = r.stopped,
           stop_basis_id = r.stop_basis, delivery_date = r.delivery, voluntary_compliance_date = r.voluntary,
           start_fee_initial_cents = r.start_fee, start_fee_cents = r.start_fee_left, issuer_fee_initial_cents = r.issuer_fee,
           issuer_fee_cents = r.issuer_fee_left, enforcement_fee_initial_cents = r.costs,
           enforcement_fee_cents = r.costs_left, sum_received_cents = r.received, reference_no = r.reference,
           import_id = $1, import_row = r.digest, import_version = c.version + 1, version = c.version + 1,
           updated_at = clock_timestamp()
         from import_parties p join import_rows r on r.row = p.row
         where p.verdict = 2 and c.id = p.case_id",
    )
    .bind(order.import)
    .execute(&mut *conn)
    .await?;
    for table in ["surcharges", "claims", "case_solutions"] {
        let text = format!(
            "delete from {table} where case_id in (select case_id from import_parties where verdict = 2)"
        );
        sqlx::query(AssertSqlSafe(text)).execute(&mut *conn).await?;
    }
    Ok(())
}

/// One row a case; for changed ones before the change, so that it can say what was there.
async fn audit(conn: &mut PgConnection, order: &Order<'_>, verdict: i16) -> Result<()> {
    sqlx::query(
        "insert into audit (tenant_id, user_id, username, role, action, object_class, object_id, case_id, version, before, after,
                            request_id, job_id)
         select $1, $2, u.username, 'KT', case p.verdict when 1 then 'create' else 'update' end, 'EnforcementCase', p.case_id,
                p.case_id, c.version + (p.verdict = 2)::int,
                case when p.verdict = 2 then jsonb_build_object('importId', c.import_id, 'status', c.status,
                  'claimantId', c.claimant_id, 'debtorId', c.debtor_id, 'dateOpened', c.date_opened, 'dateClosed', c.date_closed,
                  'startFeeCents', c.start_fee_initial_cents, 'issuerFeeCents', c.issuer_fee_initial_cents,
                  'enforcementFeeCents', c.enforcement_fee_initial_cents, 'receivedCents', c.sum_received_cents) end,
                jsonb_build_object('importId', $3, 'row', p.row, 'status', r.status,
                  'claimantId', p.claimant_id, 'debtorId', p.debtor_id, 'dateOpened', r.opened, 'dateClosed', r.closed,
                  'claimCents', r.claim, 'interestCents', r.interest,
                  'startFeeCents', r.start_fee, 'issuerFeeCents', r.issuer_fee,
                  'enforcementFeeCents', r.costs, 'receivedCents', r.received),
                $4, $5
         from import_parties p
         join import_rows r on r.row = p.row
         join cases c on c.id = p.case_id
         left join users u on u.id = $2
         where p.verdict = $6",
    )
    .bind(order.tenant)
    .bind(order.user)
    .bind(order.import)
    .bind(order.request_id)
    .bind(order.job)
    .bind(verdict)
    .execute(conn)
    .await?;
    Ok(())
}

/// Claims, interest, decision, the debtor's address and account, and the counters of numbers.
pub async fn children(conn: &mut PgConnection, order: &Order<'_>) -> Result<()> {
    const MONETARY: &str = "insert into claims (id, tenant_id, case_id, main_claim, type, claim_type_id, sum_full_cents,
           sum_charged_cents, reference_no)
         overriding system value
         select p.claim_id, $1, p.case_id, true, 0, r.claim_type, r.claim, r.claim_left, r.reference
         from import_parties p join import_rows r on r.row = p.row";
    const PERIODICAL: &str = "insert into claims (tenant_id, case_id, main_claim, type, claim_type_id, sum_periodical_cents,
           period_start, reference_no)
         select $1, p.case_id, true, 2, r.claim_type, r.periodic, r.opened, r.reference
         from import_parties p join import_rows r on r.row = p.row
         where r.periodic is not null";
    const INTEREST: &str = "insert into surcharges (tenant_id, case_id, claim_id, type, sum_full_cents, sum_charged_cents)
         select $1, p.case_id, p.claim_id, 0, r.interest, r.interest_left
         from import_parties p join import_rows r on r.row = p.row
         where r.interest > 0";
    const DECISION: &str =
        "insert into case_solutions (tenant_id, case_id, resolver, decision_number, decision_date)
         select $1, p.case_id, r.resolver, r.decision_number, r.decision_date
         from import_parties p join import_rows r on r.row = p.row
         where coalesce(r.resolver, r.decision_number, r.decision_date::text) is not null";
    const ACCOUNT: &str = "insert into bank_accounts (tenant_id, person_id, account_no, name, bank_id, is_main)
         select $1, n.person_id, n.iban, n.name, n.bank,
                n.is_first and not exists (select from bank_accounts b where b.person_id = n.person_id and b.is_main)
         from (select distinct on (p.debtor_id, r.iban) p.debtor_id as person_id, r.iban, r.debtor_name as name, r.bank,
                      r.row = min(r.row) over (partition by p.debtor_id) as is_first
               from import_parties p join import_rows r on r.row = p.row
               where r.iban is not null
               order by p.debtor_id, r.iban, r.row) n
         on conflict do nothing";
    const COUNTER: &str = "insert into case_counters (prefix, year, last_index)
         select r.prefix, r.year, max(r.index) from import_parties p join import_rows r on r.row = p.row
         group by r.prefix, r.year
         order by r.prefix, r.year
         on conflict (prefix, year) do update set last_index = greatest(case_counters.last_index, excluded.last_index)";
    for text in [MONETARY, PERIODICAL, INTEREST, DECISION, ACCOUNT] {
        run(conn, sqlx::query(text).bind(order.tenant)).await?;
    }
    run(conn, sqlx::query(COUNTER)).await?;
    // Only a debtor of whom no address is known gets one.
    let address = sqlx::query(
        "insert into addresses (tenant_id, person_id, address, country_id)
         select distinct on (p.debtor_id) $1, p.debtor_id, r.address, $2
         from import_parties p join import_rows r on r.row = p.row
         where r.address is not null and not exists (select from addresses a where a.person_id = p.debtor_id)
         order by p.debtor_id, r.row",
    );
    run(conn, address.bind(order.tenant).bind(order.country)).await
}

async fn run(conn: &mut PgConnection, query: Query<'_, Postgres, PgArguments>) -> Result<()> {
    query.execute(conn).await?;
    Ok(())
}

/// The cases that were written, whose list rows must follow.
pub async fn touched(conn: &mut PgConnection) -> Result<Vec<CaseId>> {
    let ids =
        sqlx::query_scalar::<_, CaseId>("select case_id from import_parties order by case_id")
            .fetch_all(conn)
            .await?;
    Ok(ids)
}
