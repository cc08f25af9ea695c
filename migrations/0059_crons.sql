-- Crons: what each has done up to when, whether it is shut, and how its firings went.
set local role toimik_owner;

create table crons (
  name text primary key,                      -- as in domain::crons::TABLE; a row appears at its first tick
  decided_at timestamptz,                     -- due times up to here have been fired, skipped or missed; null: begin with the next
  shut_at timestamptz,                        -- switched off; due times pass without a firing
  shut_by bigint references users,            -- null with shut_at: by the machine, after failures in a row
  shut_reason text,
  opened_at timestamptz                       -- failures before it count no more
);
comment on table crons is 'State of the crons that the code names.';

alter table cron_runs add column id bigint generated always as identity unique;
alter table cron_runs alter column job_id drop not null;
alter table cron_runs add column outcome text check (outcome in ('missed', 'skipped', 'ok', 'warning', 'failed', 'cancelled'));
alter table cron_runs add column started_at timestamptz;
alter table cron_runs add column finished_at timestamptz;
alter table cron_runs add column ordered_by bigint references users;
alter table cron_runs add column overlapped boolean not null default false;
comment on column cron_runs.outcome is 'How its job ended first, or why there was none; null: its job has not ended yet.';
comment on column cron_runs.ordered_by is 'Who ran it by hand; null: it was due.';
comment on column cron_runs.overlapped is 'An earlier firing of the cron had not ended.';
create index cron_runs_open on cron_runs (cron) where outcome is null;

grant select, insert, update on crons to toimik_queue;
grant select on crons to toimik_chamber;
grant update (job_id, outcome, started_at, finished_at) on cron_runs to toimik_queue;
grant delete on cron_runs to toimik_queue;

-- Sessions belong to the role auth, which no worker has: they are pruned through this.
create function prune_sessions() returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  gone bigint;
begin
  delete from session_tokens t using sessions s
  where s.id = t.session_id and (s.expires_at < clock_timestamp() or s.ended_at is not null);
  get diagnostics gone = row_count;
  delete from sessions where expires_at < now() - interval '30 days';
  delete from login_failures where last_at < now() - interval '1 day';
  return gone;
end $$;
comment on function prune_sessions() is 'Deletes tokens of sessions that are over, sessions a month after, and old failures; returns how many tokens.';
revoke execute on function prune_sessions() from public;
grant execute on function prune_sessions() to toimik_queue;

reset role;
