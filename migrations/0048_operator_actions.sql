-- What an operator does to many jobs at once, his views, what browsers reported, and selections of cases.
set local role toimik_owner;

create table operator_actions (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,   -- of who ordered it
  kind text not null check (kind in ('retry', 'cancel')),
  status smallint not null default 1 check (status between 1 and 5),   -- as of bulk actions
  filter jsonb not null,                          -- what was asked for; the items are what was found
  reason text,
  total integer not null,
  per_second integer check (per_second between 1 and 100000),
  parent_id bigint references operator_actions,   -- it takes up what failed there
  created_by bigint not null references users,
  created_by_role role_code not null,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  paused_at timestamptz,
  paused_by bigint references users,
  stopped_at timestamptz,                         -- no further item is taken up
  stopped_by bigint references users,
  request_id text,
  version integer not null default 1
);
create index operator_actions_of on operator_actions (tenant_id, id desc);
create index operator_actions_open on operator_actions (id) where status = 1;
create index operator_actions_children on operator_actions (parent_id) where parent_id is not null;

create table operator_action_items (
  action_id bigint not null references operator_actions,
  job_id bigint not null,
  tenant_id bigint not null,                      -- the job's bureau at the freeze
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'done', 'failed', 'skipped')),
  reason text,                                    -- stable word, of skipped and failed ones
  sent_at timestamptz,
  settled_at timestamptz,
  primary key (action_id, job_id)
);
comment on column operator_action_items.state is 'sent: the job was queued again, how it ends is not known yet.';
create index operator_action_items_by_state on operator_action_items (action_id, state, job_id);
create index operator_action_items_of_job on operator_action_items (job_id);

create table saved_views (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,
  user_id bigint not null references users,
  page text not null check (page in ('jobs', 'audit', 'errors', 'queues', 'operator_actions', 'case_list')),
  name text not null,
  query text not null,                            -- what stands after ? in the address
  shared boolean not null default false,          -- with the bureau
  created_at timestamptz not null default clock_timestamp(),
  version integer not null default 1
);
create unique index saved_views_named on saved_views (tenant_id, user_id, page, name);

create table browser_errors (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  count integer not null default 1,
  message text not null,
  stack text,
  path text,
  user_agent text
);
comment on table browser_errors is 'Errors of the console in people''s browsers; the same one of a person within a day is one row.';
create index browser_errors_of on browser_errors (user_id, last_at);

create table case_selections (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,
  created_by bigint not null references users,
  created_at timestamptz not null default clock_timestamp()
);
create table case_selection_cases (
  selection_id bigint not null references case_selections on delete cascade,
  case_id bigint not null,
  tenant_id bigint not null,                      -- the selection's
  primary key (selection_id, case_id)
);

do $$
declare name text;
begin
  foreach name in array array['operator_actions', 'operator_action_items', 'saved_views', 'browser_errors', 'case_selections',
                              'case_selection_cases'] loop
    call wall(name::regclass);
    execute format('create policy chamber_writes on %I to toimik_chamber using (true) with check (true)', name);
    execute format('grant insert, update on %I to toimik_bureau, toimik_chamber', name);
  end loop;
  foreach name in array array['saved_views', 'case_selections', 'case_selection_cases'] loop
    execute format('grant delete on %I to toimik_bureau, toimik_chamber', name);
  end loop;
  foreach name in array array['operator_actions', 'operator_action_items'] loop
    execute format('create policy queue_all on %I to toimik_queue using (true) with check (true)', name);
    execute format('grant select, insert, update on %I to toimik_queue', name);
  end loop;
end $$;
create policy queue_expires on browser_errors to toimik_queue using (true);
grant select, delete on browser_errors to toimik_queue;
grant usage on all sequences in schema public to toimik_bureau, toimik_chamber, toimik_queue;

alter table bulk_actions add column parent_id bigint references bulk_actions;
comment on column bulk_actions.parent_id is 'The action whose unfinished tasks this one takes up.';
create index bulk_actions_children on bulk_actions (parent_id) where parent_id is not null;

alter table users add column job_table_column_fields jsonb;   -- list of field names; null = the default columns
grant select (job_table_column_fields) on users to toimik_bureau, toimik_chamber;

-- What people did, newest first, over all bureaus; and all that was done to one object.
create index audit_acts on audit (id) where case_id is null;
create index audit_of_object on audit (object_class, object_id, id) where case_id is null and object_id is not null;

reset role;
