-- Jobs and what is about them: attempts, workers, leases, pauses, bulk actions, imports, the ledger of outward calls, audit.
-- `jobs` has no foreign keys and few indexes: 100,000 of them are enqueued by one statement.
set local role toimik_owner;

create type job_queue as enum ('interactive', 'bulk', 'register', 'arrest', 'import', 'mail', 'cron');
create type job_state as enum ('queued', 'dispatched', 'running', 'ok', 'warning', 'failed', 'cancelled');

create table jobs (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,                 -- the case's bureau at the freeze; system jobs carry the chamber's
  bulk_action_id bigint,                     -- set: the job is a task of that bulk action
  case_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  run_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz,                   -- dispatched: 10 min; running: 15 s, renewed every 5 s
  started_at timestamptz,                    -- of the present or last run
  finished_at timestamptz,
  worker_id bigint,                          -- of the present or last run
  dispatch_no integer not null default 0,    -- fencing: rises with every dispatch
  runs integer not null default 0,           -- numbers the attempt rows, never falls
  failures smallint not null default 0,      -- counts to the queue's limit; a person's retry sets it to 0
  crashes smallint not null default 0,       -- workers that died without a word while this job ran alone
  priority smallint not null default 0,      -- 1 only for a person's single retry
  queue job_queue not null,
  state job_state not null default 'queued',
  suspect boolean not null default false,    -- its worker died: runs alone next time
  kind text not null,
  unique_key text,                           -- no second live job of the same key
  args jsonb,                                -- null for tasks: the bulk action holds them
  output text,                               -- Estonian lines for the user
  error_code text,                           -- stable code of the failure, groups alike failures
  created_by bigint,
  retried_by bigint,
  request_id text
);
comment on table jobs is 'The queue of record. Redis only carries (id, dispatch_no) pairs of dispatched rows.';
create index jobs_queued on jobs (queue, tenant_id, priority, (coalesce(bulk_action_id, 0)), run_at, id) where state = 'queued';
create index jobs_leased on jobs (queue, state) where state in ('dispatched', 'running');
create index jobs_of_action on jobs (bulk_action_id, state, id) where bulk_action_id is not null;
create unique index jobs_unique_live on jobs (unique_key)
  where unique_key is not null and state in ('queued', 'dispatched', 'running');
alter table jobs set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000,
                      autovacuum_analyze_scale_factor = 0.05, fillfactor = 80);

create table attempts (
  job_id bigint not null,
  run integer not null,
  tenant_id bigint not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  outcome text not null check (outcome in ('ok', 'warning', 'failed', 'retry', 'released', 'cancelled', 'crashed')),
  worker_id bigint,
  error_code text,
  error text,
  primary key (job_id, run)
);
comment on table attempts is 'Written once, when a run ends; the run under way is on the job row itself.';

create table job_archive (like jobs);
alter table job_archive add primary key (id);
create index job_archive_of_action on job_archive (bulk_action_id, state, id);

create table workers (
  id bigint generated always as identity primary key,
  name text not null unique,
  host text not null,
  pid integer not null,
  concurrency jsonb not null,                 -- {queue: jobs at once}
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  stopped_at timestamptz
);

create table leases (
  name text primary key,
  holder text not null,
  term bigint not null,
  expires_at timestamptz not null,
  state jsonb not null default '{}'          -- what the next holder must know, e.g. the Redis run_id
);

create table pauses (
  id bigint generated always as identity primary key,
  queue job_queue,
  kind text,
  tenant_id bigint,
  reason text not null,
  created_by bigint,
  created_at timestamptz not null default clock_timestamp(),
  until timestamptz,
  ended_at timestamptz,
  check (queue is not null or kind is not null or tenant_id is not null)
);
create index pauses_live on pauses (created_at) where ended_at is null;

create table queue_minutes (
  minute timestamptz not null,
  queue job_queue not null,
  kind text not null,
  tenant_id bigint not null,
  ok integer not null default 0,
  warning integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  run_ms bigint not null default 0,
  wait_ms bigint not null default 0,
  primary key (minute, queue, kind, tenant_id)
);

create table bulk_actions (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,
  type smallint not null check (type between 1 and 9),
  status smallint not null default 1 check (status between 1 and 5),
  args jsonb not null default '{}',
  filters jsonb,                              -- as frozen
  include_cases_with_problems boolean not null default false,
  prepare_id bigint references bulk_actions,  -- of a confirm action
  total integer not null default 0,           -- tasks at the freeze
  output text,
  created_by bigint not null references users,
  created_by_role role_code not null,
  updated_by bigint references users,
  retried_by bigint references users,
  created_at timestamptz not null default clock_timestamp(),
  cases_frozen_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by bigint references users,
  runs integer not null default 1,            -- one mail per run of the action
  pace_per_second integer check (pace_per_second between 1 and 100000),
  pace_parallel integer check (pace_parallel between 1 and 10000),
  paused_at timestamptz,
  paused_by bigint references users,
  version integer not null default 1
);
create index bulk_actions_by_day on bulk_actions (tenant_id, created_at desc);
create index bulk_actions_open on bulk_actions (id) where status = 1;

create table bulk_action_bureaus (
  action_id bigint not null references bulk_actions,
  tenant_id bigint not null references bureaus,
  tasks integer not null,
  primary key (action_id, tenant_id)
);
comment on table bulk_action_bureaus is 'Which bureaus see an action: filled at the freeze.';

create table imports (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,
  type text not null check (type in ('taavi', 'etaitur')),
  status smallint not null default 1 check (status between 1 and 5),
  job_id bigint,
  file_key text not null,                     -- in the object store
  file_name text not null,
  file_bytes bigint not null,
  rows integer,                               -- null until counted
  rows_done integer not null default 0,
  percent smallint not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  error_count integer not null default 0,
  warning_count integer not null default 0,
  message text,                               -- when it failed as a whole
  created_by bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz
);
create index imports_by_tenant on imports (tenant_id, id desc);

create table import_issues (
  import_id bigint not null references imports on delete cascade,
  tenant_id bigint not null,
  idx integer not null,
  warning boolean not null,
  row integer not null,                       -- the header is row 1
  case_number text,
  column_name text,
  message text not null,
  primary key (import_id, warning, idx)
);

create table outward_calls (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  subject text not null,                      -- e.g. case:7
  operation text not null,                    -- e.g. tarn.sync
  intent bigint not null,                     -- rises only by a person's new order
  class text not null check (class in ('read', 'state', 'once')),
  state text not null check (state in ('intent', 'done', 'refused', 'not_sent', 'unknown')),
  message_id uuid not null unique,
  external_id text,
  job_id bigint,
  case_id bigint,
  sent_count integer not null default 0,
  request text,                               -- excerpt, personal data masked
  response text,
  error_code text,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  unique (subject, operation, intent)
);
create index outward_calls_by_job on outward_calls (job_id);

create table registers (
  name text primary key,
  state text not null default 'closed' check (state in ('closed', 'open', 'half_open')),
  rate_per_second integer not null,
  opened_at timestamptz,
  next_probe_at timestamptz
);
comment on table registers is 'One breaker and one rate a register, for all processes.';
insert into registers (name, rate_per_second) values ('tarn', 500);

create table idempotency_keys (
  tenant_id bigint not null,
  user_id bigint not null,
  role role_code not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  status smallint,                            -- null: the first call is still under way
  response jsonb,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, tenant_id, role, route, key)
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  tenant_id bigint not null,
  user_id bigint,                             -- null: the machine
  username text,
  role role_code,
  action text not null,
  object_class text not null,
  object_id bigint,
  case_id bigint,
  version integer,
  before jsonb,
  after jsonb,
  message text,
  reason text,
  request_id text,
  job_id bigint
);
comment on table audit is 'One row a domain change or act, in its transaction. A case''s change log is its rows.';
create index audit_of_case on audit (case_id, id) where case_id is not null;
create index audit_of_acts on audit (tenant_id, id) where case_id is null;

do $$
declare name text;
begin
  foreach name in array array['jobs', 'attempts', 'job_archive', 'bulk_action_bureaus', 'imports', 'import_issues',
                              'outward_calls', 'idempotency_keys', 'audit'] loop
    call wall(name::regclass);
  end loop;
  foreach name in array array['jobs', 'attempts', 'imports', 'import_issues', 'outward_calls', 'idempotency_keys',
                              'bulk_action_bureaus'] loop
    execute format('grant insert, update on %I to toimik_bureau', name);
  end loop;
  -- The queue keeps its own tables whole, over all bureaus; nothing of cases and persons.
  foreach name in array array['jobs', 'attempts', 'job_archive', 'bulk_action_bureaus', 'outward_calls', 'imports'] loop
    execute format('create policy queue_all on %I to toimik_queue using (true) with check (true)', name);
    execute format('grant select, insert, update on %I to toimik_queue', name);
  end loop;
end $$;
grant delete on jobs, attempts, job_archive, idempotency_keys to toimik_queue;
grant select on idempotency_keys to toimik_queue;
create policy queue_expires on idempotency_keys to toimik_queue using (true);
grant delete on idempotency_keys to toimik_bureau;
grant insert on audit to toimik_bureau, toimik_chamber, toimik_queue, toimik_auth;
create policy anyone_writes_chamber on audit for insert to toimik_chamber with check (true);
create policy anyone_writes_queue on audit for insert to toimik_queue with check (true);
create policy anyone_writes_auth on audit for insert to toimik_auth with check (true);

-- A bureau sees its own actions and the chamber's actions that hold a task of it.
alter table bulk_actions enable row level security;
alter table bulk_actions force row level security;
create policy owner_all on bulk_actions to toimik_owner using (true) with check (true);
create policy bureau_own on bulk_actions to toimik_bureau
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::bigint)
  with check (tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);
create policy bureau_sees on bulk_actions for select to toimik_bureau
  using (exists (select from bulk_action_bureaus b where b.action_id = bulk_actions.id
                 and b.tenant_id = nullif(current_setting('app.tenant', true), '')::bigint));
create policy chamber_all on bulk_actions to toimik_chamber using (true) with check (true);
create policy queue_all on bulk_actions to toimik_queue using (true) with check (true);
grant select, insert, update on bulk_actions to toimik_bureau, toimik_chamber;
grant select, update on bulk_actions to toimik_queue;

-- The chamber launches, retries and cancels over all bureaus (design: koda 1–9 on all; see, retry, cancel all jobs).
do $$
declare name text;
begin
  foreach name in array array['jobs', 'attempts', 'bulk_action_bureaus', 'idempotency_keys', 'outward_calls'] loop
    execute format('create policy chamber_writes on %I to toimik_chamber using (true) with check (true)', name);
    execute format('grant insert, update on %I to toimik_chamber', name);
  end loop;
end $$;
grant delete on idempotency_keys to toimik_chamber;

grant select, insert, update, delete on workers, leases, queue_minutes to toimik_queue;
grant select on workers, leases, pauses, queue_minutes, registers to toimik_chamber, toimik_bureau;
grant select, insert, update on pauses to toimik_queue, toimik_chamber;
grant select, update on registers to toimik_queue;
grant usage on all sequences in schema public to toimik_bureau, toimik_chamber, toimik_queue, toimik_auth;

reset role;
