-- The post: who is to be told what, the mails that come of it, and what each person wants to hear of.
set local role toimik_owner;

create table mails (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,       -- the address and the language are read when it is sent
  kind text not null,                             -- as of its notices
  message_id text not null unique,                -- without brackets; the same however often it is sent
  notices integer not null,                       -- how many it tells of: from two on it is a digest
  facts jsonb not null,                           -- of its notice, or {total, byStatus, items} of a digest
  job_id bigint,                                  -- the job that sends it; its state is the mail's
  subject text,                                   -- as it was sent
  created_at timestamptz not null,
  sent_at timestamptz
);
comment on table mails is 'Kept 30 days.';
create index mails_of_person on mails (user_id, kind, created_at desc);

create table notices (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,                      -- of what it is about
  user_id bigint not null,
  kind text not null check (kind in ('bulk_action', 'import', 'operator_action', 'alert_fired', 'alert_recovered', 'daily_digest')),
  object_class text not null,
  object_id bigint not null,
  run integer not null,                           -- of the object: the end of each run is told once
  facts jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  held boolean not null default false,            -- waits for a digest, until due_at
  unwanted boolean not null default false,        -- the person does not want this kind
  mail_id bigint
);
comment on table notices is 'One row a person and event, written in the transaction of the event; the leader makes mails of them. Kept 30 days.';
create unique index notices_once on notices (object_id, user_id, kind, object_class, run);
create index notices_waiting on notices (due_at, id) where mail_id is null and not unwanted;
create index notices_waiting_of on notices (user_id, kind, id) where mail_id is null and not unwanted;

create table mail_preferences (
  user_id bigint not null references users,
  kind text not null,
  wanted boolean not null,
  primary key (user_id, kind)
);
comment on table mail_preferences is 'What a person chose; without a row the kind''s default.';

call wall('notices');
create policy chamber_tells on notices for insert to toimik_chamber with check (true);
create policy queue_all on notices to toimik_queue using (true) with check (true);
grant insert on notices to toimik_bureau, toimik_chamber;
grant select, insert, update, delete on notices, mails to toimik_queue;
grant select on mails to toimik_chamber;
grant select, insert, update on mail_preferences to toimik_auth;
grant select on mail_preferences to toimik_queue;
grant usage on all sequences in schema public to toimik_bureau, toimik_chamber, toimik_queue;

-- Whose bureaus a digest is about, and who has left.
grant select (user_id, tenant_id, role, ended_at) on user_roles to toimik_queue;
create policy post_reads on user_roles for select to toimik_queue using (true);
grant select (disabled_at) on users to toimik_queue;

-- Which run's end was told; a later change of the result is not.
alter table bulk_actions add column told_run integer not null default 0;
update bulk_actions set told_run = runs where status <> 1;

-- Counts the tasks of actions that have ended; of several big ones at once the planner would rather read all jobs.
create function bulk_action_ends(wanted bigint[]) returns table (action_id bigint, state job_state, tasks bigint)
  language sql stable set enable_seqscan = off
  as $$
    select a.id, t.state, t.tasks
    from unnest(wanted) a (id),
         lateral (select j.state, count(*) as tasks from jobs j where j.bulk_action_id = a.id group by 1
                  union all
                  select j.state, count(*) from job_archive j where j.bulk_action_id = a.id group by 1) t $$;
revoke all on function bulk_action_ends(bigint[]) from public;
grant execute on function bulk_action_ends(bigint[]) to toimik_bureau, toimik_chamber, toimik_queue;

-- What ended on a day.
create index bulk_actions_finished on bulk_actions (finished_at) where finished_at is not null;
create index imports_finished on imports (finished_at) where finished_at is not null;

reset role;
