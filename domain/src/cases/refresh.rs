//! The one writer of `case_list` and `case_search`, over sets: what they should hold, the upsert, and the comparison.
//! The definition is one text used by both statements, so these are not `query!` macros; tests run both.
use sqlx::PgConnection;

use crate::Result;
use crate::ids::{CaseId, TenantId};

/// What each list row should hold. The caller adds the `where` on `c`. Sums: `super::sums`.
macro_rules! wanted {
    () => {
        "select c.id as case_id, c.tenant_id, c.prefix, c.year, c.index, c.state, c.status, c.statement_number, c.register_id,
                c.transfer_id is not null as in_transfer, c.last_transition_error, k.main_claim_type_id,
                c.claimant_id, p.type as claimant_type, p.name collate \"et-x-icu\" as claimant_name,
                p.code collate \"C\" as claimant_code, p.date_death as claimant_date_death,
                c.debtor_id, d.type as debtor_type, d.name collate \"et-x-icu\" as debtor_name,
                d.code collate \"C\" as debtor_code, d.date_death as debtor_date_death,
                (select a.account_no from bank_accounts a where a.person_id = c.debtor_id and a.is_main) as debtor_main_account,
                k.total_cents + s.total_cents as total_claims_cents,
                k.total_cents + s.total_cents + c.start_fee_initial_cents + c.issuer_fee_initial_cents
                  + c.enforcement_fee_initial_cents - c.sum_received_cents - c.paid_to_claimant_cents as balance_cents,
                c.start_fee_initial_cents as start_fee_cents, c.issuer_fee_initial_cents as issuer_fee_cents,
                case when k.base_cents > 0 then coalesce(
                  (select r.fee_cents from issuer_fee_rows r
                   where r.table_id = (select t.id from issuer_fee_tables t where t.valid_from <= c.date_opened
                                       order by t.valid_from desc limit 1)
                     and (r.claim_up_to_cents >= k.base_cents or r.claim_up_to_cents is null)
                   order by r.claim_up_to_cents nulls last limit 1), 0) else 0 end as table_fee_cents,
                c.date_opened, c.date_closed, c.delivery_date, c.voluntary_compliance_date, c.date_graph, c.reference_no,
                l.type_id as solution_type_id, l.resolver as solution_resolver,
                (select count(*) from problems b where b.case_id = c.id and b.resolved_at is null)::smallint as open_problems
         from cases c
         join people p on p.id = c.claimant_id
         join people d on d.id = c.debtor_id
         left join case_solutions l on l.case_id = c.id
         cross join lateral (
           select coalesce(sum(m.sum_full_cents) filter (where m.type = 0 and m.status in (0, 1, 2)), 0)::bigint as total_cents,
                  (coalesce(sum(m.sum_full_cents) filter (where bears and m.type = 0 and not t.maintenance), 0)
                   + coalesce(nullif(sum(m.sum_periodical_cents) filter (where bears and t.maintenance), 0),
                              sum(m.sum_full_cents) filter (where bears and m.type = 0 and t.maintenance), 0))::bigint as base_cents,
                  (array_agg(m.claim_type_id order by m.status not in (0, 1, 2), m.id) filter (where m.main_claim))[1]
                    as main_claim_type_id
           from claims m
           join claim_types t on t.id = m.claim_type_id
           cross join lateral (select m.main_claim and m.status in (0, 1) as bears) b
           where m.case_id = c.id) k
         cross join lateral (
           select coalesce(sum(u.sum_full_cents), 0)::bigint as total_cents
           from surcharges u
           where u.case_id = c.id
             and coalesce((select m.status from claims m where m.id = u.claim_id), 0) in (0, 1, 2)) s"
    };
}

/// All columns but the key, each behind `$a`: an alias with its dot, or nothing.
#[rustfmt::skip]
macro_rules! columns {
    ($a:literal) => {
        concat!(
            $a, "tenant_id, ", $a, "prefix, ", $a, "year, ", $a, "index, ", $a, "state, ", $a, "status, ",
            $a, "statement_number, ", $a, "register_id, ", $a, "in_transfer, ", $a, "last_transition_error, ",
            $a, "main_claim_type_id, ", $a, "claimant_id, ", $a, "claimant_type, ", $a, "claimant_name, ",
            $a, "claimant_code, ", $a, "claimant_date_death, ", $a, "debtor_id, ", $a, "debtor_type, ", $a, "debtor_name, ",
            $a, "debtor_code, ", $a, "debtor_date_death, ", $a, "debtor_main_account, ", $a, "total_claims_cents, ",
            $a, "balance_cents, ", $a, "start_fee_cents, ", $a, "issuer_fee_cents, ", $a, "table_fee_cents, ",
            $a, "date_opened, ", $a, "date_closed, ", $a, "delivery_date, ", $a, "voluntary_compliance_date, ",
            $a, "date_graph, ", $a, "reference_no, ", $a, "solution_type_id, ", $a, "solution_resolver, ",
            $a, "open_problems"
        )
    };
}

/// The search text of a wanted row: one line a field, so that no term matches across two.
macro_rules! search_text {
    () => {
        "fold(concat_ws(e'\\n', lpad(w.prefix::text, 3, '0') || '/' || w.year || '/' || w.index, w.claimant_name, w.claimant_code,
                        w.debtor_name, w.debtor_code, w.statement_number))"
    };
}

#[rustfmt::skip]
const REFRESH: &str = concat!(
    "with w as materialized (
       select w.*,
              case when old.claimant_name = w.claimant_name then old.claimant_key else fold(w.claimant_name) end as claimant_key,
              case when old.debtor_name = w.debtor_name then old.debtor_key else fold(w.debtor_name) end as debtor_key,
              old.case_id is null or (", columns!("old."), ") is distinct from (", columns!("w."), ") as changed,
              old.case_id is null
              or (old.tenant_id, old.prefix, old.year, old.index, old.claimant_name, old.claimant_code, old.debtor_name,
                  old.debtor_code, old.statement_number)
                 is distinct from
                 (w.tenant_id, w.prefix, w.year, w.index, w.claimant_name, w.claimant_code, w.debtor_name, w.debtor_code,
                  w.statement_number) as renamed
       from (", wanted!(), " where c.id = any($1) offset 0) w
       left join case_list old on old.case_id = w.case_id),
     searched as (
       insert into case_search (case_id, tenant_id, text)
       select w.case_id, w.tenant_id, ", search_text!(), "
       from w where w.renamed
       on conflict (case_id) do update set tenant_id = excluded.tenant_id, text = excluded.text)
     insert into case_list as l (case_id, claimant_key, debtor_key, ", columns!(""), ")
     select case_id, claimant_key, debtor_key, ", columns!(""), "
     from w where w.changed
     on conflict (case_id) do update set
       (claimant_key, debtor_key, ", columns!(""), ") = row (excluded.claimant_key, excluded.debtor_key, ", columns!("excluded."), ")
     where (", columns!("l."), ") is distinct from (", columns!("excluded."), ")"
);

#[rustfmt::skip]
const DRIFT: &str = concat!(
    "select count(*) from (", wanted!(), " offset 0) w
     left join case_list l on l.case_id = w.case_id
     left join case_search s on s.case_id = w.case_id
     where l.case_id is null or s.case_id is null
        or (", columns!("l."), ") is distinct from (", columns!("w."), ")
        or (l.claimant_key, l.debtor_key) is distinct from
           (fold(w.claimant_name) collate \"C\", fold(w.debtor_name) collate \"C\")
        or (s.tenant_id, s.text) is distinct from (w.tenant_id, ", search_text!(), " collate \"C\")"
);

/// Brings the list and search rows of these cases up to date; run it in the transaction of the change, after the change.
pub async fn refresh_list(conn: &mut PgConnection, cases: &[CaseId]) -> Result<()> {
    if cases.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = cases.iter().map(|id| id.0).collect();
    sqlx::query(REFRESH).bind(ids).execute(conn).await?;
    Ok(())
}

/// Brings every list row of the transaction's bureau up to date; returns how many were not.
pub async fn reconcile(conn: &mut PgConnection) -> Result<i64> {
    let drifted = drift(conn).await?;
    if drifted > 0 {
        let ids: Vec<i64> = sqlx::query_scalar!("select id from cases")
            .fetch_all(&mut *conn)
            .await?;
        for part in ids.chunks(5_000) {
            let part: Vec<CaseId> = part.iter().copied().map(CaseId).collect();
            refresh_list(conn, &part).await?;
        }
    }
    Ok(drifted)
}

/// How many cases have a list or search row that differs from what it should be: 0 unless a writer forgot `refresh_list`.
pub async fn drift(conn: &mut PgConnection) -> Result<i64> {
    Ok(sqlx::query_scalar(DRIFT).fetch_one(conn).await?)
}

/// Marks cases as changed now and writes a log row each, as any change does; changes nothing else.
pub async fn touch(conn: &mut PgConnection, tenant: TenantId, cases: &[CaseId]) -> Result<()> {
    let ids: Vec<i64> = cases.iter().map(|id| id.0).collect();
    sqlx::query!(
        "update cases set updated_at = clock_timestamp() where id = any($1)",
        &ids
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "insert into audit (tenant_id, action, object_class, object_id, case_id, message)
         select $1, 'touch', 'EnforcementCase', id, id, 'Puudutatud.' from unnest($2::bigint[]) id",
        tenant.0,
        &ids,
    )
    .execute(conn)
    .await?;
    Ok(())
}
