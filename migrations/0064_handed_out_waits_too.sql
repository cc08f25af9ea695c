-- What is handed out and not begun waits too: after a crash a suspect job may do so for minutes, since it runs alone.
set local role toimik_owner;

create or replace function queue_states(most bigint)
  returns table (queue job_queue, waiting bigint, retrying bigint, running bigint, oldest_due_at timestamptz, oldest_free_at timestamptz,
                 bureaus bigint, actions bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
  handed_out timestamptz;
begin
  foreach queue in array enum_range(null::job_queue) loop
    select count(*), count(*) filter (where j.failures > 0) into waiting, retrying
    from (select q.failures from jobs q where q.state = 'queued' and q.queue = queue_states.queue
            and (bureau is null or q.tenant_id = bureau)
          order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0), q.run_at, q.id limit most) j;
    select count(*) filter (where j.state = 'running'), waiting + count(*) filter (where j.state = 'dispatched'),
           min(j.run_at) filter (where j.state = 'dispatched')
      into running, waiting, handed_out
    from (select q.state, q.run_at from jobs q where q.state in ('dispatched', 'running') and q.queue = queue_states.queue
            and (bureau is null or q.tenant_id = bureau)
          order by q.queue, q.state limit 1000000) j;
    with recursive lanes as (
      (select q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0) as action from jobs q
       where q.state = 'queued' and q.queue = queue_states.queue and (bureau is null or q.tenant_id = bureau)
       order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0) limit 1)
      union all
      select n.* from lanes l cross join lateral (
        select q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0) from jobs q
        where q.state = 'queued' and q.queue = queue_states.queue and (bureau is null or q.tenant_id = bureau)
          and (q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0)) > (l.tenant_id, l.priority, l.action)
        order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0) limit 1) n
    )
    select count(distinct l.tenant_id), count(distinct l.action) filter (where l.action > 0), min(f.run_at) filter (where f.run_at <= clock_timestamp()),
           min(f.run_at) filter (where f.run_at <= clock_timestamp()
             and not exists (select from bulk_actions a where a.id = l.action and a.paused_at is not null)
             and not exists (select from pauses p where p.ended_at is null and (p.until is null or p.until > clock_timestamp())
                               and (p.queue is null or p.queue = queue_states.queue) and (p.kind is null or p.kind = f.kind)
                               and (p.tenant_id is null or p.tenant_id = l.tenant_id)))
      into bureaus, actions, oldest_due_at, oldest_free_at
    from lanes l cross join lateral (
      select q.run_at, q.kind from jobs q
      where q.state = 'queued' and q.queue = queue_states.queue and q.tenant_id = l.tenant_id and q.priority = l.priority
        and coalesce(q.bulk_action_id, 0) = l.action
      order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0), q.run_at limit 1) f;
    oldest_due_at := least(oldest_due_at, handed_out);
    oldest_free_at := least(oldest_free_at, handed_out);
    return next;
  end loop;
end $$;

reset role;
