//! The leader's side of the queue: what goes out next, what comes back.
//! Fair by turns: over bureaus first, then by priority, then over bulk actions.
use sqlx::{Connection, PgConnection};

use super::{CHUNK, Kind, Queue};
use crate::Result;
use crate::ids::{BulkActionId, JobId, TenantId};
use crate::registers::{self, Flow};

/// Those of `queues` in which a job is queued, due or not.
pub async fn waiting(conn: &mut PgConnection, queues: &[Queue]) -> Result<Vec<Queue>> {
    // From the end of the index: its front has those that just went out, and nothing is looked for beside the index.
    let queues = sqlx::query_scalar!(
        r#"select q as "queue!: Queue" from unnest($1::job_queue[]) q
           where (select id from jobs where state = 'queued' and queue = q
                  order by queue desc, tenant_id desc, priority desc, coalesce(bulk_action_id, 0) desc, run_at desc, id desc
                  limit 1) is not null"#,
        queues as &[Queue],
    )
    .fetch_all(conn)
    .await?;
    Ok(queues)
}

/// Returns every dispatched row to queued; what Redis still holds of them is fenced off by the next dispatch number.
pub async fn recall(conn: &mut PgConnection) -> Result<u64> {
    let done = sqlx::query!(
        "with out as materialized (
           select id from jobs where state = 'dispatched' order by queue, state limit 1000000
         )
         update jobs set state = 'queued', lease_until = null
         where id = any (array(select id from jobs where id = any (array(select id from out)) and state = 'dispatched'
                               order by id for update))"
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// What steers dispatching: pauses, the pace of bulk actions, the registers.
#[derive(Debug, Clone, Default)]
pub struct Steering {
    pub paused_queues: Vec<Queue>,
    /// Those that wait for a register, too.
    pub paused_kinds: Vec<String>,
    pub paused_tenants: Vec<i64>,
    pub actions: Vec<Pace>,
    pub flows: Vec<(String, Flow)>,
}

/// A bulk action that is paused, or may not run at full speed.
#[derive(Debug, Clone)]
pub struct Pace {
    pub action: BulkActionId,
    pub paused: bool,
    pub per_second: Option<i32>,
    pub parallel: Option<i32>,
    /// Jobs of it that are dispatched or running.
    pub under_way: i64,
}

/// Reads what steers; asked again every half second.
pub async fn steering(conn: &mut PgConnection) -> Result<Steering> {
    let pauses = sqlx::query!(
        r#"select queue as "queue: Queue", kind, tenant_id from pauses
           where ended_at is null and (until is null or until > clock_timestamp())"#
    )
    .fetch_all(&mut *conn)
    .await?;
    let actions = sqlx::query!(
        r#"select id, paused_at is not null as "paused!", pace_per_second, pace_parallel,
                  (select count(*) from jobs j
                   where j.bulk_action_id = a.id and j.state in ('dispatched', 'running')) as "under_way!"
           from bulk_actions a
           where status = 1 and (paused_at is not null or pace_per_second is not null or pace_parallel is not null)"#
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut steering = Steering {
        flows: registers::flows(conn).await?,
        ..Steering::default()
    };
    for (register, _) in steering
        .flows
        .iter()
        .filter(|(_, flow)| *flow == Flow::Nothing)
    {
        let kinds = Kind::ALL.into_iter();
        let kinds = kinds.filter(|kind| kind.register() == Some(register));
        let names = kinds.map(|kind| kind.as_str().to_owned());
        steering.paused_kinds.extend(names);
    }
    for pause in pauses {
        // A pause of a kind or bureau within one queue is kept by the claim; here the coarse ones.
        match (pause.queue, pause.kind, pause.tenant_id) {
            (Some(queue), None, None) => steering.paused_queues.push(queue),
            (None, Some(kind), None) => steering.paused_kinds.push(kind),
            (None, None, Some(tenant)) => steering.paused_tenants.push(tenant),
            _ => {}
        }
    }
    steering.actions = actions
        .into_iter()
        .map(|row| Pace {
            action: BulkActionId(row.id),
            paused: row.paused,
            per_second: row.pace_per_second,
            parallel: row.pace_parallel,
            under_way: row.under_way,
        })
        .collect();
    Ok(steering)
}

/// Pairs that travel through Redis together: one kind, bureau and bulk action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    pub kind: Kind,
    pub tenant_id: TenantId,
    pub bulk_action_id: Option<BulkActionId>,
    pub suspect: bool,
    pub pairs: Vec<(JobId, i32)>,
}

/// Marks up to `room` due jobs of a queue as dispatched, fairly, and returns them bundled.
/// `limits` holds (action, most now) for actions with a pace, over all their bureaus together.
// Each `order by` names the queue too: behind row security an equality of enums does not let the index's other columns
// give the order.
pub async fn pick(
    conn: &mut PgConnection,
    queue: Queue,
    room: i64,
    steering: &Steering,
    limits: &[(BulkActionId, i64)],
) -> Result<Vec<Bundle>> {
    if room <= 0 || steering.paused_queues.contains(&queue) {
        return Ok(Vec::new());
    }
    // To lock a row before its update is a write more. Mostly nobody holds one: only where somebody does is each locked first,
    // so that those are passed over.
    // And nothing waits for the disk: should the mark be lost with the server, the job is queued still, and what Redis holds of
    // it is fenced off or is the same number again.
    let mut attempt = conn.begin().await?;
    sqlx::query(
        "select set_config('lock_timeout', '20ms', true), set_config('synchronous_commit', 'off', true)",
    )
    .execute(&mut *attempt)
    .await?;
    match mark(&mut attempt, queue, room, steering, limits, false).await {
        Ok(bundles) => {
            attempt.commit().await?;
            Ok(bundles)
        }
        Err(error) if error.is_held() => {
            attempt.rollback().await?;
            mark(conn, queue, room, steering, limits, true).await
        }
        Err(error) => Err(error),
    }
}

async fn mark(
    conn: &mut PgConnection,
    queue: Queue,
    room: i64,
    steering: &Steering,
    limits: &[(BulkActionId, i64)],
    past_held: bool,
) -> Result<Vec<Bundle>> {
    let (actions, most): (Vec<i64>, Vec<i64>) = limits
        .iter()
        .map(|(action, most)| (action.0, *most))
        .unzip();
    let rows = sqlx::query!(
        r#"with recursive lanes as (
             (select tenant_id, priority, coalesce(bulk_action_id, 0) as action from jobs
              where state = 'queued' and queue = $1
              order by queue, tenant_id, priority, coalesce(bulk_action_id, 0) limit 1)
             union all
             select n.* from lanes l cross join lateral (
               select tenant_id, priority, coalesce(bulk_action_id, 0) as action from jobs
               where state = 'queued' and queue = $1
                 and (tenant_id, priority, coalesce(bulk_action_id, 0)) > (l.tenant_id, l.priority, l.action)
               order by queue, tenant_id, priority, coalesce(bulk_action_id, 0) limit 1) n
           ), free as (
             select l.* from lanes l where l.tenant_id <> all ($3::bigint[]) and l.action <> all ($4::bigint[])
           ), share as (
             select ($2 + count(distinct tenant_id) - 1) / greatest(count(distinct tenant_id), 1) as most from free
           ), first as materialized (
             -- Each bureau's even share: mostly that is all there is room for, and no lane is read further.
             select j.id, l.tenant_id, l.priority, l.action, j.place
             from free l cross join share s cross join lateral (
               select id, row_number() over () as place
               from (select id from jobs
                     where state = 'queued' and queue = $1 and tenant_id = l.tenant_id and priority = l.priority
                       and coalesce(bulk_action_id, 0) = l.action and run_at <= statement_timestamp()
                       and kind <> all ($6::text[])
                     order by queue, tenant_id, priority, coalesce(bulk_action_id, 0), run_at, id
                     limit s.most) o) j
           ), enough as (
             select coalesce(sum(least(due, most)), 0) >= $2 as yes
             from (select count(*) as due from first group by tenant_id) f cross join share
           ), due as (
             select id, tenant_id, priority, action, place from first where (select yes from enough)
             union all
             select j.id, l.tenant_id, l.priority, l.action, j.place
             from free l cross join lateral (
               select id, row_number() over () as place
               from (select id from jobs
                     where state = 'queued' and queue = $1 and tenant_id = l.tenant_id and priority = l.priority
                       and coalesce(bulk_action_id, 0) = l.action and run_at <= statement_timestamp()
                       and kind <> all ($6::text[])
                     order by queue, tenant_id, priority, coalesce(bulk_action_id, 0), run_at, id
                     limit $2) o) j
             where not (select yes from enough)
             union all
             -- Lanes of one paced action share its limit. Apart, so that only their rows are counted.
             select id, tenant_id, priority, action, place
             from (select j.id, l.tenant_id, l.priority, l.action, j.place, p.most,
                          row_number() over (partition by l.action order by l.priority desc, j.place, l.tenant_id) as nth
                   from lanes l join unnest($4::bigint[], $5::bigint[]) as p (action, most) on p.action = l.action
                   cross join lateral (
                     select id, row_number() over () as place
                     from (select id from jobs
                           where state = 'queued' and queue = $1 and tenant_id = l.tenant_id and priority = l.priority
                             and coalesce(bulk_action_id, 0) = l.action and run_at <= statement_timestamp()
                             and kind <> all ($6::text[])
                           order by queue, tenant_id, priority, coalesce(bulk_action_id, 0), run_at, id
                           limit least($2, p.most)) o) j
                   where l.tenant_id <> all ($3::bigint[])) paced
             where nth <= most
           ), turns as (
             select id, tenant_id,
                    row_number() over (partition by tenant_id order by priority desc, place, action) as turn
             from due
           ), chosen as (
             select id from turns order by turn, tenant_id limit $2
           ), locked as (
             select id from jobs where $7 and id = any (array(select id from chosen)) and state::text = 'queued' order by id
             for update skip locked
           )
           update jobs j
           set state = 'dispatched', dispatch_no = dispatch_no + 1, lease_until = clock_timestamp() + interval '10 min'
           -- An array and a cast: else the plan looks at everything that is queued.
           where j.id = any (array(select id from chosen where not $7 union all select id from locked order by 1))
             and state::text = 'queued'
           returning j.id, j.dispatch_no, j.tenant_id, j.kind, j.bulk_action_id, j.suspect"#,
        queue as Queue,
        room,
        &steering.paused_tenants,
        &actions,
        &most,
        &steering.paused_kinds,
        past_held,
    )
    .fetch_all(conn)
    .await?;
    let mut rows: Vec<_> = rows
        .into_iter()
        .filter_map(|row| {
            let kind = Kind::parse(&row.kind)?;
            let pair = (JobId(row.id), row.dispatch_no);
            Some((
                kind,
                TenantId(row.tenant_id),
                row.bulk_action_id.map(BulkActionId),
                row.suspect,
                pair,
            ))
        })
        .collect();
    rows.sort_by_key(|(.., pair)| pair.0);
    Ok(bundle(rows))
}

type Row = (Kind, TenantId, Option<BulkActionId>, bool, (JobId, i32));

/// Chunked kinds travel in lists of up to [`CHUNK`], dealt out over the bureaus in turn; all others, and suspects, alone.
fn bundle(rows: Vec<Row>) -> Vec<Bundle> {
    let mut bundles: Vec<(usize, Bundle)> = Vec::new();
    let mut open: std::collections::HashMap<(Kind, TenantId, Option<BulkActionId>), usize> =
        Default::default();
    let mut turns: std::collections::HashMap<TenantId, usize> = Default::default();
    for (kind, tenant_id, bulk_action_id, suspect, pair) in rows {
        let key = (kind, tenant_id, bulk_action_id);
        if kind.is_chunked() && !suspect {
            let last = open.get(&key).and_then(|at| bundles.get_mut(*at));
            if let Some((_, bundle)) = last.filter(|(_, bundle)| bundle.pairs.len() < CHUNK) {
                bundle.pairs.push(pair);
                continue;
            }
            open.insert(key, bundles.len());
        }
        let turn = turns.entry(tenant_id).or_default();
        bundles.push((
            *turn,
            Bundle {
                kind,
                tenant_id,
                bulk_action_id,
                suspect,
                pairs: vec![pair],
            },
        ));
        *turn += 1;
    }
    bundles.sort_by_key(|(turn, _)| *turn);
    bundles.into_iter().map(|(_, bundle)| bundle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: Kind, tenant: i64, suspect: bool, id: i64) -> Row {
        (
            kind,
            TenantId(tenant),
            Some(BulkActionId(tenant)),
            suspect,
            (JobId(id), 1),
        )
    }

    #[test]
    fn bundles_are_full_pure_and_dealt_in_turn() {
        let mut rows: Vec<Row> = (0..250)
            .map(|id| row(Kind::ComputeIssuerFee, 1, false, id))
            .collect();
        rows.push(row(Kind::ComputeIssuerFee, 1, true, 250));
        rows.extend((300..310).map(|id| row(Kind::ComputeIssuerFee, 2, false, id)));
        let sizes: Vec<_> = bundle(rows)
            .iter()
            .map(|b| (b.tenant_id.0, b.suspect, b.pairs.len()))
            .collect();
        assert_eq!(
            sizes,
            [
                (1, false, 100),
                (2, false, 10),
                (1, false, 100),
                (1, false, 50),
                (1, true, 1)
            ]
        );
    }

    #[test]
    fn jobs_with_outward_calls_travel_alone() {
        let rows = (0..3)
            .map(|id| row(Kind::SyncToRegister, 1, false, id))
            .collect();
        assert!(bundle(rows).iter().all(|b| b.pairs.len() == 1));
    }
}
