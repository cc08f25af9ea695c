-- Jobs are looked for by state, kind, bureau, case, time and error. A bureau asks through functions that narrow by themselves
-- to what its role may see: behind row security the equality of enums uses no index.
set local role toimik_owner;

alter table jobs add column error_key text, add column cancel_at timestamptz;
alter table job_archive add column error_key text, add column cancel_at timestamptz;
comment on column jobs.error_key is 'Of a failed job: the group of alike errors. Written by a trigger.';
comment on column jobs.cancel_at is 'Somebody asked to cancel a running job: it ends before its next step.';

create table error_groups (
  key text primary key,
  queue job_queue not null,
  kind text not null,
  code text not null,
  words text not null,                       -- what is alike in the errors: figures, ids and quoted values taken out
  first_seen_at timestamptz not null default clock_timestamp(),
  note text,                                 -- known to the operators, with what is to be said of it
  note_by bigint references users,
  note_at timestamptz
);
comment on table error_groups is 'Kinds of failure. A bureau never reads it: its words come from whoever failed first.';
grant select, update (note, note_by, note_at) on error_groups to toimik_queue;
grant select on error_groups to toimik_chamber;

create function error_words(output text) returns text
  language sql immutable parallel safe
  as $$ select left(btrim(regexp_replace(regexp_replace(regexp_replace(split_part(coalesce(output, ''), e'\n', 1),
      '[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}', '#', 'g'),
      '"[^"]*"|„[^“”"]*[“”"]|«[^»]*»', '"…"', 'g'),
      '[A-Z]{2}[0-9]{2}[0-9 ]{8,}[0-9]|[0-9]+([/.,:-][0-9]+)+|[0-9]{4,}', '#', 'g')), 200) $$;
create function error_key(kind text, code text, output text) returns text
  language sql immutable parallel safe
  as $$ select left(md5(concat_ws(e'\x01', kind, coalesce(code, ''), error_words(output))), 16) $$;

create function job_failed() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
begin
  new.error_key := error_key(new.kind, new.error_code, new.output);
  insert into error_groups (key, queue, kind, code, words)
  values (new.error_key, new.queue, new.kind, coalesce(new.error_code, ''), error_words(new.output))
  on conflict (key) do nothing;
  return new;
end $$;
create trigger job_failed before update of state on jobs
  for each row when (new.state = 'failed' and old.state <> 'failed') execute function job_failed();

-- None of them is paid for by an enqueue; each ended job pays for three.
create index jobs_ended on jobs (tenant_id, kind, state, id) where state in ('ok', 'warning', 'failed', 'cancelled');
create index jobs_ended_at on jobs (finished_at, started_at, id) where state in ('ok', 'warning', 'failed', 'cancelled');
create index jobs_of_case on jobs (case_id, id)
  where case_id is not null and state in ('ok', 'warning', 'failed', 'cancelled');
create index jobs_failed on jobs (error_key, id) where state = 'failed';
create index jobs_failed_at on jobs (finished_at, queue, tenant_id, error_key, id) where state = 'failed';
create index jobs_with_args on jobs (id) where args is not null;

-- The first id that was created at or after an instant: ids and times of creation rise together.
create function job_id_at(at timestamptz) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  low bigint;
  high bigint;
  mid bigint;
  found_id bigint;
  found_at timestamptz;
begin
  select min(id), max(id) + 1 into low, high from jobs;
  while low < high loop
    mid := (low + high) / 2;
    select id, created_at into found_id, found_at from jobs where id >= mid order by id limit 1;
    if found_id is null or found_at >= at then
      high := mid;
    else
      low := found_id + 1;
    end if;
  end loop;
  return coalesce(low, 0);
end $$;

-- The text of a query for ids. `want` holds what narrows, each field optional: tenants, kinds, states, cases, keys, ids (lists),
-- action, operator_action (ids), created, started, finished ({from, until}), args (a pattern). Newest first where `ordered`.
create function job_query(want jsonb, before bigint, most bigint, ordered boolean) returns text
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
  tenants bigint[];
  ended text := $q$j.state in ('ok', 'warning', 'failed', 'cancelled')$q$;
  states job_state[] := coalesce((select array_agg(s::job_state) from jsonb_array_elements_text(want -> 'states') s),
                                 enum_range(null::job_state));
  top bigint := coalesce(before - 1, 9223372036854775806);
  bottom bigint := 0;
  cond text := '';
  by_id text := case when ordered then ' order by j.id desc' else '' end;
  tail text := format(' limit %s', most);
  slack interval := interval '5 min';
  from_at timestamptz;
  few boolean;
begin
  if want ? 'tenants' then
    select coalesce(array_agg(t::bigint), '{}') into tenants from jsonb_array_elements_text(want -> 'tenants') t
    where bureau is null or t::bigint = bureau;
  elsif bureau is not null then
    tenants := array[bureau];
  end if;
  if tenants is not null then
    cond := cond || format(' and j.tenant_id = any (%L::bigint[])', tenants);
  end if;
  if want ? 'kinds' then
    cond := cond || format(' and j.kind = any (%L::text[])', (select array_agg(k) from jsonb_array_elements_text(want -> 'kinds') k));
  end if;
  if want ? 'created' then
    if want -> 'created' ->> 'from' is not null then
      bottom := job_id_at((want -> 'created' ->> 'from')::timestamptz - slack);
      cond := cond || format(' and j.created_at >= %L', want -> 'created' ->> 'from');
    end if;
    if want -> 'created' ->> 'until' is not null then
      top := least(top, job_id_at((want -> 'created' ->> 'until')::timestamptz + slack));
      cond := cond || format(' and j.created_at < %L', want -> 'created' ->> 'until');
    end if;
  end if;
  -- Whatever started or finished before an instant was created before it.
  if want -> 'started' ->> 'from' is not null then
    cond := cond || format(' and j.started_at >= %L', want -> 'started' ->> 'from');
  end if;
  if want -> 'started' ->> 'until' is not null then
    top := least(top, job_id_at((want -> 'started' ->> 'until')::timestamptz + slack));
    cond := cond || format(' and j.started_at < %L', want -> 'started' ->> 'until');
  end if;
  if want -> 'finished' ->> 'from' is not null then
    cond := cond || format(' and j.finished_at >= %L', want -> 'finished' ->> 'from');
  end if;
  if want -> 'finished' ->> 'until' is not null then
    top := least(top, job_id_at((want -> 'finished' ->> 'until')::timestamptz + slack));
    cond := cond || format(' and j.finished_at < %L', want -> 'finished' ->> 'until');
  end if;
  if want ? 'args' then
    cond := cond || format(' and j.args::text ilike %L', want ->> 'args');
  end if;
  if want ? 'action' then
    cond := cond || format(' and j.bulk_action_id = %s', (want ->> 'action')::bigint);
  end if;
  if want ? 'keys' then
    cond := cond || format(' and j.error_key = any (%L::text[])', (select array_agg(k) from jsonb_array_elements_text(want -> 'keys') k));
    states := (select coalesce(array_agg(s), '{}') from unnest(states) s where s = 'failed');
  end if;
  cond := cond || format(' and j.id between %s and %s', bottom, top);

  if want ? 'ids' then
    return format('select j.id from jobs j where j.id = any (%L::bigint[]) and j.state = any (%L::job_state[])%s%s%s',
                  (select array_agg(i) from jsonb_array_elements_text(want -> 'ids') i), states, cond, by_id, tail);
  elsif want ? 'operator_action' then
    return format('select j.id from operator_action_items i join jobs j on j.id = i.job_id
                   where i.action_id = %s and j.state = any (%L::job_state[])%s%s%s',
                  (want ->> 'operator_action')::bigint, states, cond, by_id, tail);
  elsif want ? 'cases' then
    -- A case's live jobs are found among all that live: no index is paid for them.
    return format('select j.id from (
        select j.id from unnest(%1$L::bigint[]) c (id) cross join lateral (
          select j.id from jobs j where j.case_id = c.id and %2$s and j.state = any (%3$L::job_state[])%4$s
          order by j.case_id desc, j.id desc limit %5$s) j
        union all
        select j.id from jobs j where j.state = ''queued'' and ''queued'' = any (%3$L::text[]) and j.case_id = any (%1$L::bigint[])%4$s
        union all
        select j.id from jobs j where j.state in (''dispatched'', ''running'') and j.state = any (%3$L::job_state[])
          and j.case_id = any (%1$L::bigint[])%4$s) j%6$s%7$s',
      (select coalesce(array_agg(c), '{}') from jsonb_array_elements_text(want -> 'cases') c), ended, states, cond, most, by_id, tail);
  elsif want ? 'keys' then
    return format('select j.id from unnest(%1$L::text[]) k (key) cross join lateral (
        select j.id from jobs j where j.state = ''failed'' and ''failed'' = any (%2$L::text[]) and j.error_key = k.key%3$s
        order by j.error_key desc, j.id desc limit %4$s) j%5$s%6$s',
      (select array_agg(k) from jsonb_array_elements_text(want -> 'keys') k), states, cond, most, by_id, tail);
  elsif want ? 'action' then
    -- Comparing rows ties the order to the index, as in bulk_action_task_ids.
    return format('select j.id from unnest(%1$L::job_state[]) s (state) cross join lateral (
        select j.id from jobs j where (j.bulk_action_id, j.state, j.id) < (%2$s, s.state, 9223372036854775807)
          and (j.bulk_action_id, j.state) >= (%2$s, s.state) and j.bulk_action_id is not null%3$s
        order by j.bulk_action_id desc, j.state desc, j.id desc limit %4$s) j%5$s%6$s',
      states, (want ->> 'action')::bigint, cond, most, by_id, tail);
  elsif want ? 'args' then
    return format('select j.id from (select * from jobs j where j.args is not null and j.id <= %s order by j.id desc limit 20000) j
                   where j.state = any (%L::job_state[])%s%s%s', top, states, cond, by_id, tail);
  end if;

  -- Nothing narrows but time: the newest first, by id alone; the few of a narrow time by its own index.
  if tenants is null and not want ? 'kinds' and cardinality(states) = cardinality(enum_range(null::job_state)) then
    from_at := coalesce((want -> 'finished' ->> 'from')::timestamptz, (want -> 'started' ->> 'from')::timestamptz);
    if from_at is not null then
      execute format('select count(*) <= 20000 from (select from jobs j where %s and j.finished_at >= %L%s limit 20001) few',
                     ended, from_at, cond) into few;
      if few then
        return format('select j.id from (
            select j.id from jobs j where %1$s and j.finished_at >= %2$L%3$s
            union all
            select j.id from jobs j where j.state in (''dispatched'', ''running'')%3$s
            union all
            select j.id from jobs j where j.state = ''queued'' and j.started_at is not null%3$s) j%4$s%5$s',
          ended, from_at, cond, by_id, tail);
      end if;
    end if;
    return 'select j.id from jobs j where true' || cond || by_id || tail;
  end if;

  -- What lives is sorted whole (`id + 0`: never by a walk along all ids); what has ended comes from the ends of its lanes.
  return format('with recursive lanes as (
      select n.* from unnest(%1$L::bigint[]) t (id) cross join lateral (
        select j.tenant_id, j.kind, j.state from jobs j where %2$s and j.tenant_id = t.id
        order by j.tenant_id, j.kind, j.state limit 1) n
      union all
      select n.* from lanes l cross join lateral (
        select j.tenant_id, j.kind, j.state from jobs j where %2$s and j.tenant_id = l.tenant_id
          and (j.tenant_id, j.kind, j.state) > (l.tenant_id, l.kind, l.state)
        order by j.tenant_id, j.kind, j.state limit 1) n
    )
    select j.id from (
      select j.id from lanes l cross join lateral (
        select j.id from jobs j where %2$s and j.tenant_id = l.tenant_id and j.kind = l.kind
          and (j.tenant_id, j.kind, j.state, j.id) < (l.tenant_id, l.kind, l.state, 9223372036854775807)
          and (j.tenant_id, j.kind, j.state) >= (l.tenant_id, l.kind, l.state)%4$s
        order by j.tenant_id desc, j.kind desc, j.state desc, j.id desc limit %5$s) j
      where l.state = any (%3$L::job_state[])%8$s
      union all
      select * from (select j.id from jobs j where j.state = ''queued'' and ''queued'' = any (%3$L::text[])%4$s
                     %9$s limit %5$s) j
      union all
      select j.id from jobs j where j.state in (''dispatched'', ''running'') and j.state = any (%3$L::job_state[])%4$s) j%6$s%7$s',
    coalesce(tenants, (select array_agg(id) from bureaus)), ended, states, cond, most, by_id, tail,
    case when want ? 'kinds' then format(' and l.kind = any (%L::text[])', (select array_agg(k) from jsonb_array_elements_text(want -> 'kinds') k)) else '' end,
    case when ordered then 'order by j.id + 0 desc' else '' end);
end $$;

create function job_ids(want jsonb, before bigint, most bigint) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$ begin return query execute job_query(want, before, most, true); end $$;

-- How many there are of each state, counted up to `most`: a list of any length costs no more.
create function job_counts(want jsonb, most bigint) returns table (state job_state, jobs bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  foreach state in array enum_range(null::job_state) loop
    execute 'select count(*) from (' || job_query(want || jsonb_build_object('states', jsonb_build_array(state)), null, most, false) || ') j'
      into jobs;
    return next;
  end loop;
end $$;

create function error_keys(pattern text, most bigint) returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select key from error_groups where fold(words) like pattern or code ilike pattern order by first_seen_at desc limit most $$;

-- Groups of the newest `most` failures since an instant, as the caller may see them.
create function failures(since timestamptz, wanted_queue job_queue, wanted_tenant bigint, most bigint)
  returns table (key text, tenant_id bigint, hour timestamptz, failed bigint, first_at timestamptz, last_at timestamptz, newest bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  return query
    select f.error_key, f.tenant_id, date_trunc('hour', f.finished_at), count(*), min(f.finished_at), max(f.finished_at), max(f.id)
    from (select j.error_key, j.tenant_id, j.finished_at, j.id from jobs j
          where j.state = 'failed' and j.finished_at >= since and j.error_key is not null
            and (bureau is null or j.tenant_id = bureau) and (wanted_tenant is null or j.tenant_id = wanted_tenant)
            and (wanted_queue is null or j.queue = wanted_queue)
          order by j.finished_at desc limit most) f
    group by 1, 2, 3;
end $$;

-- The queues as the caller may see them; every count stops at `most`.
create function queue_states(most bigint)
  returns table (queue job_queue, waiting bigint, retrying bigint, running bigint, oldest_due_at timestamptz, bureaus bigint, actions bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  foreach queue in array enum_range(null::job_queue) loop
    select count(*), count(*) filter (where j.failures > 0) into waiting, retrying
    from (select q.failures from jobs q where q.state = 'queued' and q.queue = queue_states.queue
            and (bureau is null or q.tenant_id = bureau) limit most) j;
    select count(*) filter (where j.state = 'running'), waiting + count(*) filter (where j.state = 'dispatched')
      into running, waiting
    from jobs j where j.state in ('dispatched', 'running') and j.queue = queue_states.queue
      and (bureau is null or j.tenant_id = bureau);
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
    select count(distinct l.tenant_id), count(distinct l.action) filter (where l.action > 0), min(f.run_at) filter (where f.run_at <= clock_timestamp())
      into bureaus, actions, oldest_due_at
    from lanes l cross join lateral (
      select q.run_at from jobs q
      where q.state = 'queued' and q.queue = queue_states.queue and q.tenant_id = l.tenant_id and q.priority = l.priority
        and coalesce(q.bulk_action_id, 0) = l.action
      order by q.queue, q.tenant_id, q.priority, coalesce(q.bulk_action_id, 0), q.run_at limit 1) f;
    return next;
  end loop;
end $$;

create function queue_kinds(wanted job_queue, most bigint)
  returns table (kind text, tenant_id bigint, waiting bigint, running bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  return query
    select j.kind, j.tenant_id, count(*) filter (where j.state <> 'running'), count(*) filter (where j.state = 'running')
    from ((select q.kind, q.tenant_id, q.state from jobs q where q.state = 'queued' and q.queue = wanted
             and (bureau is null or q.tenant_id = bureau) limit most)
          union all
          (select q.kind, q.tenant_id, q.state from jobs q where q.state in ('dispatched', 'running') and q.queue = wanted
             and (bureau is null or q.tenant_id = bureau) limit most)) j
    group by 1, 2;
end $$;

do $$
declare signature text;
begin
  foreach signature in array array['job_id_at(timestamptz)', 'job_query(jsonb, bigint, bigint, boolean)', 'job_ids(jsonb, bigint, bigint)',
      'job_counts(jsonb, bigint)', 'error_keys(text, bigint)', 'failures(timestamptz, job_queue, bigint, bigint)',
      'queue_states(bigint)', 'queue_kinds(job_queue, bigint)', 'job_failed()'] loop
    execute format('revoke all on function %s from public', signature);
  end loop;
  foreach signature in array array['job_ids(jsonb, bigint, bigint)', 'job_counts(jsonb, bigint)', 'error_keys(text, bigint)',
      'failures(timestamptz, job_queue, bigint, bigint)', 'queue_states(bigint)', 'queue_kinds(job_queue, bigint)'] loop
    execute format('grant execute on function %s to toimik_bureau, toimik_chamber, toimik_queue', signature);
  end loop;
end $$;

reset role;
set local role toimik_owner;
create function failed_since(since timestamptz, most bigint) returns table (queue job_queue, failed bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  return query
    select f.queue, least(count(*), most) from (
      select j.queue from jobs j where j.state = 'failed' and j.finished_at >= since and (bureau is null or j.tenant_id = bureau)
      limit most * 10) f
    group by 1;
end $$;
revoke all on function failed_since(timestamptz, bigint) from public;
grant execute on function failed_since(timestamptz, bigint) to toimik_bureau, toimik_chamber, toimik_queue;
reset role;
set local role toimik_owner;
-- What operators know of groups; when a group was first seen is not a bureau's to know, it may have been another's job.
create function error_group_notes(keys text[]) returns table (key text, first_seen_at timestamptz, note text, note_at timestamptz, note_by text)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select g.key, case when bulk_action_bureau() is null then g.first_seen_at end, g.note, g.note_at, u.name
    from error_groups g left join users u on u.id = g.note_by where g.key = any (keys)
  $$;
revoke all on function error_group_notes(text[]) from public;
grant execute on function error_group_notes(text[]) to toimik_bureau, toimik_chamber, toimik_queue;
reset role;
set local role toimik_owner;
create function error_group_kinds(keys text[]) returns table (key text, kind text)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select g.key, g.kind from error_groups g where g.key = any (keys) $$;
revoke all on function error_group_kinds(text[]) from public;
grant execute on function error_group_kinds(text[]) to toimik_bureau, toimik_chamber, toimik_queue;
reset role;
