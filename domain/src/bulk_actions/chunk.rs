//! The set-based side of types 1 and 3: a chunk of cases locked and read by two statements, changed by one.
use std::collections::HashMap;

use chrono::NaiveDate;
use sqlx::PgConnection;

use super::decide::{Decision, Fee};
use super::kinds::{Args, Type};
use crate::actor::Role;
use crate::cases::{CaseState, CaseStatus, Standing};
use crate::fees::Vat;
use crate::ids::{BulkActionId, CaseId, JobId};
use crate::money::Cents;
use crate::{Error, Result};

/// The action whose tasks the chunk holds.
#[derive(Debug, Clone)]
pub struct ChunkAction {
    pub kind: Type,
    pub args: Args,
    pub include_cases_with_problems: bool,
    pub cancelled: bool,
    /// Who launched it: the changes are made in their name.
    pub user_id: i64,
    pub username: String,
    pub role: Role,
}

/// What a task needs to know of its case.
#[derive(Debug, Clone)]
pub struct ChunkCase {
    pub standing: Standing,
    pub start_fee: Fee,
    pub issuer_fee: Fee,
    pub opened_on: NaiveDate,
    pub has_problem: bool,
    pub vat: Vat,
}

impl ChunkCase {
    /// Why this case is left alone, if it is. The preview counts by the same order.
    pub fn skipped(&self, action: &ChunkAction) -> Option<Decision> {
        if self.has_problem && action.kind.skips_problems() && !action.include_cases_with_problems {
            return Some(Decision::warning(HAS_PROBLEM));
        }
        match self.standing.blocked_by() {
            Some(label) if action.kind.skips_not_editable() => {
                Some(Decision::warning(crate::cases::status::not_editable(label)))
            }
            _ => None,
        }
    }
}

/// What a task says of a case with an open problem.
pub const HAS_PROBLEM: &str = "Toimik jäeti vahele, sest sellel on lahendamata probleem.";
/// What a task says of a case that has left the bureau since the freeze.
pub const GONE: &str = "Toimik ei ole enam selle büroo oma.";

#[derive(Debug, Clone)]
pub struct Chunk {
    pub action: ChunkAction,
    /// Locked; a case that has left the bureau since the freeze is missing.
    pub cases: HashMap<CaseId, ChunkCase>,
}

/// Locks the cases in the order of their ids, then reads them and their action: a second statement, since only its snapshot
/// holds what was committed while the first one waited. The cancel read here is thus as fresh as the locks.
pub async fn load(
    conn: &mut PgConnection,
    action: BulkActionId,
    cases: &[CaseId],
) -> Result<Chunk> {
    let ids: Vec<i64> = cases.iter().map(|id| id.0).collect();
    sqlx::query!(
        "select id from cases where id = any($1) order by id for no key update",
        &ids
    )
    .fetch_all(&mut *conn)
    .await?;
    let rows = sqlx::query!(
        r#"select a.type as kind, a.args, a.include_cases_with_problems, a.cancelled_at is not null as "cancelled!",
                  a.created_by, u.username, a.created_by_role as "role: Role",
                  c.id as "case_id?", c.state as "state?: CaseState", c.status as "status?", c.transfer_id,
                  c.start_fee_initial_cents as "start_initial?", c.start_fee_cents as "start_owed?",
                  c.issuer_fee_initial_cents as "issuer_initial?", c.issuer_fee_cents as "issuer_owed?",
                  c.date_opened as "opened_on?", b.vat_liable as "vat_liable?",
                  exists (select from problems p where p.case_id = c.id and p.resolved_at is null) as "has_problem!"
           from bulk_actions a
           join users u on u.id = a.created_by
           left join cases c on c.id = any($2)
           left join bureaus b on b.id = c.tenant_id
           where a.id = $1"#,
        action.0,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    let first = rows.first().ok_or(Error::NotFound)?;
    let kind = Type::from_number(first.kind.into()).ok_or(Error::NotFound)?;
    let action = ChunkAction {
        kind,
        args: Args::parse(kind, Some(&first.args))?,
        include_cases_with_problems: first.include_cases_with_problems,
        cancelled: first.cancelled,
        user_id: first.created_by,
        username: first.username.clone(),
        role: first.role,
    };
    let cases = rows.iter().filter_map(|row| {
        let case = ChunkCase {
            standing: Standing {
                state: row.state?,
                status: CaseStatus::from_number(row.status?)?,
                transfer_id: row.transfer_id,
            },
            start_fee: Fee {
                initial: Cents(row.start_initial?),
                owed: Cents(row.start_owed?),
            },
            issuer_fee: Fee {
                initial: Cents(row.issuer_initial?),
                owed: Cents(row.issuer_owed?),
            },
            opened_on: row.opened_on?,
            has_problem: row.has_problem,
            vat: row.vat_liable?.into(),
        };
        Some((CaseId(row.case_id?), case))
    });
    Ok(Chunk {
        action,
        cases: cases.collect(),
    })
}

/// One fee to write, with what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeeChange {
    pub case_id: CaseId,
    pub job_id: JobId,
    pub before: Fee,
    pub after: Fee,
}

/// Writes the fees of a chunk and one audit row each. The caller holds the locks of `load` and has finished the jobs.
pub async fn write_fees(
    conn: &mut PgConnection,
    action: &ChunkAction,
    request_id: Option<&str>,
    changes: &[FeeChange],
) -> Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let column = |pick: fn(&FeeChange) -> i64| changes.iter().map(pick).collect::<Vec<i64>>();
    let done = sqlx::query!(
        "with n as (
           select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                  as n (case_id, job_id, old_initial, old_owed, new_initial, new_owed)
         ), changed as (
           update cases c
           set start_fee_initial_cents = case when $7 = 1 then n.new_initial else c.start_fee_initial_cents end,
               start_fee_cents = case when $7 = 1 then n.new_owed else c.start_fee_cents end,
               issuer_fee_initial_cents = case when $7 = 3 then n.new_initial else c.issuer_fee_initial_cents end,
               issuer_fee_cents = case when $7 = 3 then n.new_owed else c.issuer_fee_cents end,
               updated_at = clock_timestamp(), version = c.version + 1
           from n where c.id = n.case_id
           returning c.id, c.tenant_id, c.version, n.job_id, n.old_initial, n.old_owed, n.new_initial, n.new_owed
         )
         insert into audit (tenant_id, user_id, username, role, action, object_class, object_id, case_id, version,
                            before, after, request_id, job_id)
         select tenant_id, $8, $9, $10, case $7 when 1 then 'set_start_fee' else 'compute_issuer_fee' end, 'EnforcementCase', id, id, version,
                case $7 when 1 then jsonb_build_object('start_fee_initial', old_initial, 'start_fee', old_owed)
                        else jsonb_build_object('issuer_fee_initial', old_initial, 'issuer_fee', old_owed) end,
                case $7 when 1 then jsonb_build_object('start_fee_initial', new_initial, 'start_fee', new_owed)
                        else jsonb_build_object('issuer_fee_initial', new_initial, 'issuer_fee', new_owed) end,
                $11, job_id
         from changed",
        &column(|c| c.case_id.0),
        &column(|c| c.job_id.0),
        &column(|c| c.before.initial.0),
        &column(|c| c.before.owed.0),
        &column(|c| c.after.initial.0),
        &column(|c| c.after.owed.0),
        i32::from(action.kind.number()),
        action.user_id,
        action.username,
        action.role as Role,
        request_id,
    )
    .execute(conn)
    .await?;
    // A case that was locked a moment ago and cannot be written any more: roll back and run one by one.
    if done.rows_affected() != changes.len() as u64 {
        return Err(Error::NotFound);
    }
    Ok(())
}
