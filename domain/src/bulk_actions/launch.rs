//! Creates an action and freezes its cases: the filter becomes jobs by one statement, in the order of case numbers.
use serde_json::{Value, json};
use sqlx::{PgConnection, Postgres, QueryBuilder};

use super::Status;
use super::act::about;
use super::close::close_finished;
use super::history::{Action, find};
use super::kinds::{Args, Type};
use crate::actor::{Actor, Role};
use crate::audit::{self, By, Entry};
use crate::cases::list::{Filters, View, push_where};
use crate::ids::BulkActionId;
use crate::jobs::{Queue, State, announce};
use crate::{Error, Result};

/// Creates an action without cases. Refused by role first, then by arguments.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    kind: i64,
    args: Option<&Value>,
) -> Result<BulkActionId> {
    let (kind, args) = check(actor, kind, args)?;
    let id = sqlx::query_scalar!(
        "insert into bulk_actions (tenant_id, type, args, created_by, created_by_role) values ($1, $2, $3, $4, $5) returning id",
        actor.tenant_id.0,
        kind.number(),
        args.to_json(),
        actor.user_id.0,
        actor.role as Role,
    )
    .fetch_one(&mut *conn)
    .await?;
    let entry = Entry {
        after: Some(json!({"type": kind.number(), "args": args.to_json()})),
        ..Entry::new(actor.tenant_id, "create", "BulkAction", id)
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(BulkActionId(id))
}

/// The type and arguments of a launch, if this role may launch it.
pub(super) fn check(actor: &Actor, kind: i64, args: Option<&Value>) -> Result<(Type, Args)> {
    if actor.role == Role::Dev {
        return Err(Error::Forbidden);
    }
    let kind = Type::from_number(kind)
        .ok_or_else(|| Error::invalid("type", "Tundmatu masstegevuse liik."))?;
    kind.check_launch(actor.role)?;
    let args = Args::parse(kind, args)?;
    Ok((kind, args))
}

/// Which cases, as the person saw them.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    pub filters: Value,
    /// How many the preview showed.
    pub expected_count: Option<i64>,
    pub include_cases_with_problems: bool,
}

/// What a freeze found. The caller commits in both cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frozen {
    Tasks(i64),
    /// Nothing matched: the action is cancelled.
    Nothing,
}

/// The view of the cases that an action of this actor may take: a bailiff's own, for the chamber all.
pub(super) fn view(actor: &Actor) -> View {
    match actor.role {
        Role::Kt => View::Bureau,
        Role::Koda | Role::Dev => View::Chamber,
    }
}

/// Turns every case that matches now into a task. Once only; later matches do not join.
pub async fn freeze(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
    launch: &Launch,
) -> Result<Frozen> {
    if launch.expected_count.is_some_and(|count| count < 0) {
        return Err(Error::invalid(
            "expectedCount",
            "Arv ei tohi olla negatiivne.",
        ));
    }
    let action = find(conn, id).await?;
    // Its tasks act in the name of who created it.
    if actor.role == Role::Dev
        || action.tenant_id != actor.tenant_id
        || action.created_by.id != actor.user_id
    {
        return Err(Error::Forbidden);
    }
    let filters = Filters::from_json(&launch.filters, "filters")?;
    let emptied = sqlx::query_scalar!(
        r#"select cancelled_at is not null and cases_frozen_at is null and filters = $2 as "emptied"
           from bulk_actions where id = $1 for update"#,
        id.0,
        launch.filters
    )
    .fetch_one(&mut *conn)
    .await?;
    if emptied == Some(true) {
        return Ok(Frozen::Nothing); // a repeat gets the answer that the first call got
    }
    let action = find(conn, id).await?;
    if action.cases_frozen_at.is_some() {
        return Err(Error::refused(
            "already_frozen",
            "Masstegevusele on toimikud juba lisatud.",
        ));
    }
    if action.cancelled_at.is_some() {
        return Err(Error::refused("cancelled", "Masstegevus on katkestatud."));
    }
    let kind = action.kind.job().ok_or(Error::NotFound)?;

    let mut insert = QueryBuilder::<Postgres>::new(
        "insert into jobs (tenant_id, case_id, created_at, run_at, bulk_action_id, queue, kind, created_by, request_id)
         select l.tenant_id, l.case_id, now(), now(), ",
    );
    insert
        .push_bind(id.0)
        .push(", ")
        .push_bind(kind.queue())
        .push(", ")
        .push_bind(kind.as_str());
    insert
        .push(", ")
        .push_bind(actor.user_id.0)
        .push(", ")
        .push_bind(actor.request_id.clone())
        .push(" from ");
    insert.push(view(actor).relation()).push(" l");
    push_where(&mut insert, &filters, view(actor));
    insert.push(" order by l.year desc, l.index desc, l.prefix desc");
    let total = insert
        .build()
        .persistent(false)
        .execute(&mut *conn)
        .await?
        .rows_affected();
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    if total == 0 {
        return nothing(conn, actor, &action, launch).await;
    }
    if let Some(expected) = launch.expected_count
        && moved(expected, total)
    {
        return Err(Error::refused(
            "count_moved",
            format!(
                "Toimikute arv on vahepeal muutunud: oodati {expected}, praegu on {total}. Vaata eelvaade uuesti üle."
            ),
        ));
    }
    sqlx::query!(
        "insert into bulk_action_bureaus (action_id, tenant_id, tasks)
         select $1, tenant_id, count(*) from jobs where bulk_action_id = $1 and $2 group by tenant_id
         union all
         select $1, $3::bigint, $4::bigint where not $2",
        id.0,
        view(actor) != View::Bureau,
        actor.tenant_id.0,
        total,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update bulk_actions
         set filters = $2, include_cases_with_problems = $3, total = $4, cases_frozen_at = clock_timestamp(), version = version + 1
         where id = $1",
        id.0,
        launch.filters,
        launch.include_cases_with_problems,
        i32::try_from(total).unwrap_or(i32::MAX),
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        after: Some(said(launch, total)),
        ..about(&action, "launch")
    };
    audit::write(conn, &By::from(actor), entry).await?;
    announce(conn, kind.queue()).await?;
    Ok(Frozen::Tasks(total))
}

/// A new action of the same type and arguments over the cases whose tasks ended so in an ended one; linked to it.
pub async fn child(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
    statuses: &[Status],
) -> Result<BulkActionId> {
    let statuses = if statuses.is_empty() {
        &[Status::Failed][..]
    } else {
        statuses
    };
    if statuses
        .iter()
        .any(|status| matches!(status, Status::InProgress | Status::Ok))
    {
        return Err(Error::invalid(
            "status",
            "Uuesti saab käivitada ainult ebaõnnestunud, katkestatud või hoiatusega alamtegevusi.",
        ));
    }
    let parent = find(conn, id).await?;
    super::rights::check_owner(actor, &parent)?;
    super::rights::check_child(&parent)?;
    let (_, args) = check(actor, parent.kind.number().into(), Some(&parent.args))?;
    let kind = parent.kind.job().ok_or(Error::NotFound)?;
    let states: Vec<State> = statuses
        .iter()
        .flat_map(|status| status.states())
        .copied()
        .collect();
    let new = sqlx::query_scalar!(
        "insert into bulk_actions (tenant_id, type, args, filters, include_cases_with_problems, created_by, created_by_role,
                                   parent_id, cases_frozen_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp()) returning id",
        actor.tenant_id.0,
        parent.kind.number(),
        args.to_json(),
        parent.filters,
        parent.include_cases_with_problems,
        actor.user_id.0,
        actor.role as Role,
        id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    // A case that has left the bureau meanwhile is not found any more.
    let total = sqlx::query!(
        "insert into jobs (tenant_id, case_id, created_at, run_at, bulk_action_id, queue, kind, created_by, request_id)
         select l.tenant_id, l.case_id, now(), now(), $1, $2, $3, $4, $5
         from bulk_action_tasks t join case_list l on l.case_id = t.case_id and l.tenant_id = t.tenant_id
         where t.bulk_action_id = $6 and t.state = any($7)
         order by l.year desc, l.index desc, l.prefix desc",
        new,
        kind.queue() as Queue,
        kind.as_str(),
        actor.user_id.0,
        actor.request_id,
        id.0,
        &states as &[State],
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if total == 0 {
        return Err(Error::refused(
            "nothing_to_retry",
            "Selliseid alamtegevusi ei ole.",
        ));
    }
    sqlx::query!(
        "with each as (select tenant_id, count(*)::int as tasks from jobs where bulk_action_id = $1 group by 1),
              named as (insert into bulk_action_bureaus (action_id, tenant_id, tasks) select $1, tenant_id, tasks from each)
         update bulk_actions set total = (select sum(tasks) from each)::int where id = $1",
        new,
    )
    .execute(&mut *conn)
    .await?;
    let numbers: Vec<i16> = statuses.iter().map(|status| status.number()).collect();
    let entry = Entry {
        after: Some(json!({"parent": id, "statuses": numbers, "tasks": total})),
        ..Entry::new(actor.tenant_id, "launch", "BulkAction", new)
    };
    audit::write(conn, &By::from(actor), entry).await?;
    announce(conn, kind.queue()).await?;
    Ok(BulkActionId(new))
}

async fn nothing(
    conn: &mut PgConnection,
    actor: &Actor,
    action: &Action,
    launch: &Launch,
) -> Result<Frozen> {
    sqlx::query!(
        "update bulk_actions
         set filters = $2, cancelled_at = clock_timestamp(), cancelled_by = $3, output = 'Filtrile ei vasta ükski toimik.',
             version = version + 1
         where id = $1",
        action.id.0,
        launch.filters,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        after: Some(said(launch, 0)),
        ..about(action, "cancel")
    };
    audit::write(conn, &By::from(actor), entry).await?;
    close_finished(conn, &[action.id]).await?;
    Ok(Frozen::Nothing)
}

fn said(launch: &Launch, total: i64) -> Value {
    json!({
        "filters": launch.filters,
        "includeCasesWithProblems": launch.include_cases_with_problems,
        "tasks": total,
    })
}

/// Whether the number has moved by more than 1 % and by more than 10.
pub(crate) fn moved(expected: i64, found: i64) -> bool {
    let difference = expected.abs_diff(found);
    difference > 10 && difference.saturating_mul(100) > expected.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn a_count_may_move_by_one_percent_or_ten() {
        for (expected, found, too_far) in [
            (0, 10, false),
            (0, 11, true),
            (100, 110, false),
            (100, 111, true),
            (2_000, 2_020, false),
            (2_000, 2_021, true),
            (2_000, 1_979, true),
            (i64::MAX, 1, true),
        ] {
            assert_eq!(moved(expected, found), too_far, "{expected} {found}");
        }
    }
}
