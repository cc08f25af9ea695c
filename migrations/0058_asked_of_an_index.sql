-- What is asked again and again is answered by an index alone. Behind row security the planner knows how many states there are
-- and not how rare each is: it expects thousands of rows and reads the table from end to end, unless an order ties it.
set local role toimik_owner;

-- Whether a bulk action has a task in one of the states from `low` to `high`, in the order of the enum. Backwards, since the
-- front of an index has what just left it.
create function has_task(action bigint, low job_state, high job_state) returns boolean
  language sql stable
  as $$
    select (select id from jobs
            where (bulk_action_id, state) >= (action, low) and (bulk_action_id, state) <= (action, high)
              and bulk_action_id is not null
            order by bulk_action_id desc, state desc, id desc limit 1) is not null
        or (select id from job_archive
            where (bulk_action_id, state) >= (action, low) and (bulk_action_id, state) <= (action, high)
            order by bulk_action_id desc, state desc, id desc limit 1) is not null $$;

create or replace function queue_states(most bigint)
  returns table (queue job_queue, waiting bigint, retrying bigint, running bigint, oldest_due_at timestamptz, oldest_free_at timestamptz,
                 bureaus bigint, actions bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  foreach queue in array enum_range(null::job_queue) loop
    select count(*), count(*) filter (where j.failures > 0) into waiting, retrying
    from (select q.failures from jobs q where q.state = 'queued' and q.queue = queue_states.queue
            and (bureau is null or q.tenant_id = bureau)
          order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0), q.run_at, q.id limit most) j;
    select count(*) filter (where j.state = 'running'), waiting + count(*) filter (where j.state = 'dispatched')
      into running, waiting
    from (select q.state from jobs q where q.state in ('dispatched', 'running') and q.queue = queue_states.queue
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
    return next;
  end loop;
end $$;

create or replace function queue_kinds(wanted job_queue, most bigint)
  returns table (kind text, tenant_id bigint, waiting bigint, running bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  return query
    select j.kind, j.tenant_id, count(*) filter (where j.state <> 'running'), count(*) filter (where j.state = 'running')
    from ((select q.kind, q.tenant_id, q.state from jobs q where q.state = 'queued' and q.queue = wanted
             and (bureau is null or q.tenant_id = bureau)
           order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0), q.run_at, q.id limit most)
          union all
          (select q.kind, q.tenant_id, q.state from jobs q where q.state in ('dispatched', 'running') and q.queue = wanted
             and (bureau is null or q.tenant_id = bureau)
           order by q.queue, q.state limit most)) j
    group by 1, 2;
end $$;

reset role;
