-- The breaker and the rate of each register, shared by all processes, and what the calls came to lately.
set local role toimik_owner;

-- A probe is told from the time at which the next one may go, not by a state of its own.
alter table registers drop constraint registers_state_check, add check (state in ('closed', 'open')), add check (rate_per_second > 0);
alter table registers
  add closed_at timestamptz,                  -- when it last reopened; null: it never opened, or is open
  add probes integer not null default 0,      -- let through since it opened
  add last_error text,                        -- a stable sentence of kind and HTTP status, never the register's own words
  add last_error_at timestamptz,
  add last_ok_at timestamptz,
  add slot_at timestamptz not null default clock_timestamp(); -- the next free moment of the shared rate
comment on column registers.rate_per_second is 'The setting: calls a second, over all processes.';
comment on column registers.next_probe_at is 'Open: no call before, and one then.';

create table register_outcomes (
  register text not null references registers,
  at timestamptz not null,                    -- each ten seconds, and the moment of a reopening: older failures are not held against it
  calls integer not null,
  failures integer not null,                  -- technical ones; a refusal in the register's own words is an answer
  ms bigint not null,                         -- all calls together
  primary key (register, at)
);
comment on table register_outcomes is 'What calls came to, added up by each process; kept one hour. Nothing of a bureau.';

-- Calls a second that a closed register is given: all of it, or after a reopening 5 doubled each 5 s.
create function register_rate(per_second integer, closed_at timestamptz, at timestamptz) returns integer
  language sql immutable parallel safe
  as $$ select case when closed_at is null then per_second
               else least(per_second, 5 * 2 ^ greatest(0, least(24, floor(extract(epoch from at - closed_at) / 5))))::integer end $$;

grant select, insert, update, delete on register_outcomes to toimik_queue;
grant select on register_outcomes to toimik_chamber, toimik_bureau;

reset role;
