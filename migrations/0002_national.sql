-- National rows: bureaus, users and sessions, classifiers, law figures, settings.
set local role toimik_owner;

create table bureaus (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^([0-9]{3}|koda)$'),
  name text not null,
  is_chamber boolean not null default false,
  bailiff_name text,                -- null: 'Bürool ei ole määratud kohtutäiturit'
  bailiff_code text,                -- the bailiff's personal code, for the register's userId
  vat_liable boolean not null default true,
  email text,
  address text,
  primary_bank_account_id bigint,
  version integer not null default 1
);
comment on table bureaus is 'Tenants: each bailiff office, and the chamber as one row (koda).';
create unique index one_chamber on bureaus (is_chamber) where is_chamber;

create table users (
  id bigint generated always as identity primary key,
  username text not null,
  username_key text not null unique,     -- NFKC and case folded: look-alike spellings are one user
  name text not null,
  email text,
  personal_code text unique,
  language text not null default 'et' check (language in ('et', 'en')),
  row_height smallint not null default 32 check (row_height in (28, 32, 40)),
  case_table_column_fields jsonb,         -- list of field names; null = the default columns
  password_hash text,                     -- argon2id in PHC form; null = no password sign-in
  disabled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  version integer not null default 1
);

create type role_code as enum ('KT', 'koda', 'dev');

create table user_roles (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  tenant_id bigint not null references bureaus,
  role role_code not null,
  granted_by bigint references users,
  granted_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index user_roles_live on user_roles (user_id, tenant_id, role) where ended_at is null;

create table sessions (
  id uuid primary key,                    -- the family: one sign-in in one browser
  user_id bigint not null references users,
  role_id bigint references user_roles,   -- null until a role is chosen
  cookie_hash bytea not null,             -- SHA-256 of the value in the __Host- cookie
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,        -- absolute limit
  ended_at timestamptz,
  ended_why text
);
create index sessions_by_user on sessions (user_id) where ended_at is null;

create table session_tokens (
  hash bytea primary key,                 -- SHA-256 of the bearer token
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  replaced_at timestamptz                 -- a rotated token works 30 s more; later use ends the session
);
create index session_tokens_by_session on session_tokens (session_id);

create table login_failures (
  key text primary key,                   -- 'user:…' or 'address:…' (prefix of the peer address)
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz not null
);

create table classifiers (
  id bigint generated always as identity primary key,
  name text not null,
  tag text not null unique
);

create table classifier_values (
  id bigint generated always as identity primary key,
  classifier_id bigint not null references classifiers,
  name text not null,
  code text,                              -- stable key that code refers to
  order_idx integer not null default 0,
  active boolean not null default true,
  metadata jsonb not null default '[]',   -- [{key, value}]
  placeholder boolean not null default false,
  version integer not null default 1,
  unique (classifier_id, name)
);

create table claim_types (
  id bigint generated always as identity primary key,
  name text not null unique,
  maintenance boolean not null default false,
  active boolean not null default true,
  order_idx integer not null default 0,
  version integer not null default 1
);

create table issuer_fee_tables (
  id bigint generated always as identity primary key,
  name text not null,
  valid_from date not null unique,
  placeholder boolean not null default false,
  version integer not null default 1
);

create table issuer_fee_rows (
  id bigint generated always as identity primary key,
  table_id bigint not null references issuer_fee_tables on delete cascade,
  claim_up_to_cents bigint check (claim_up_to_cents > 0),   -- null: no limit
  fee_cents bigint not null check (fee_cents >= 0),
  version integer not null default 1
);
create unique index issuer_fee_rows_bracket on issuer_fee_rows (table_id, claim_up_to_cents) nulls not distinct;

create table vat_rates (
  valid_from date primary key,
  permille integer not null check (permille between 0 and 1000)
);

create table minimum_wages (
  id bigint generated always as identity primary key,
  valid_from date not null unique,
  month_cents bigint not null,
  hour_cents bigint,
  placeholder boolean not null default false,
  version integer not null default 1
);

create table banks (
  id bigint generated always as identity primary key,
  name text not null,
  swift text not null unique,
  code text,                              -- two digits in an IBAN
  target text not null check (target in ('earrest', 'epis')),
  is_preselected boolean not null default false,
  active boolean not null default true,
  idx integer not null default 0,
  default_arrest_template_id bigint,
  default_first_arrest_template_id bigint,
  default_close_template_id bigint,
  default_expire_close_template_id bigint,
  version integer not null default 1
);

create table feature_flags (
  id bigint generated always as identity primary key,
  name text not null unique,
  description text not null,
  everyone boolean not null default false,
  environments text[] not null default '{}',   -- prod, test, dev
  emails text[] not null default '{}',
  tenant_id bigint references bureaus,          -- set: the flag is that bureau's
  version integer not null default 1
);

create table settings (
  id bigint generated always as identity primary key,
  tenant_id bigint references bureaus,          -- null: global
  type text not null,
  name text not null,
  value jsonb not null,
  placeholder boolean not null default false,
  version integer not null default 1,
  unique nulls not distinct (tenant_id, type, name)
);

grant select on bureaus, classifiers, classifier_values, claim_types, issuer_fee_tables, issuer_fee_rows, vat_rates,
  minimum_wages, banks, feature_flags to toimik_bureau, toimik_chamber, toimik_queue, toimik_auth;
grant select on user_roles to toimik_bureau, toimik_chamber, toimik_auth;
grant select (id, username, name, email, personal_code, language, row_height, case_table_column_fields, disabled_at, version)
  on users to toimik_bureau, toimik_chamber;
grant select (id, name, email, language) on users to toimik_queue;
grant select, update on users to toimik_auth;
grant select, insert, update on user_roles, sessions, session_tokens, login_failures to toimik_auth;
grant delete on session_tokens, login_failures, sessions to toimik_auth;

-- A bureau reads its own settings and the global ones.
alter table settings enable row level security;
alter table settings force row level security;
create policy owner_all on settings to toimik_owner using (true) with check (true);
create policy bureau_reads on settings for select to toimik_bureau
  using (tenant_id is null or tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);
create policy bureau_writes on settings for update to toimik_bureau
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::bigint)
  with check (tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);
create policy chamber_all on settings to toimik_chamber using (true) with check (true);
create policy queue_reads on settings for select to toimik_queue using (true);
grant select, insert, update on settings to toimik_bureau, toimik_chamber;
grant select on settings to toimik_queue;

reset role;
