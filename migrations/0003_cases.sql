-- Rows of a bureau: people, cases and their children, the list and search rows, problems.
-- Money is cents in bigint. Children hold (tenant_id, case_id) and follow a transfer by `on update cascade`.
set local role toimik_owner;

create table people (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,
  type smallint not null check (type in (1, 2)),          -- 1 private, 2 juridical
  code text,                                              -- personal or registry code; text, never a number
  name_first text,
  name_last text,
  name text not null,                                     -- as shown: juridical name, or first and last
  date_birth date,
  date_death date,                                        -- juridical: liquidation
  date_created date,
  gender smallint check (gender in (0, 1, 2)),
  country_id bigint references classifier_values,
  bankrupt boolean not null default false,
  canonical_lvl smallint not null default 0,              -- 1: a register confirmed the row
  created_at timestamptz not null default clock_timestamp(),
  version integer not null default 1,
  unique (tenant_id, id)
);
create unique index people_by_code on people (tenant_id, code) where code is not null;

create table addresses (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  person_id bigint not null,
  address text not null,
  country_id bigint references classifier_values,
  zip text,
  version integer not null default 1,
  foreign key (tenant_id, person_id) references people (tenant_id, id) on update cascade
);
create index addresses_by_person on addresses (person_id);

create table contacts (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  person_id bigint not null,
  type smallint not null check (type in (0, 1)),          -- 0 phone, 1 e-mail
  value text not null,
  version integer not null default 1,
  foreign key (tenant_id, person_id) references people (tenant_id, id) on update cascade
);
create index contacts_by_person on contacts (person_id);

create table bank_accounts (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  person_id bigint not null,
  account_no text not null,
  name text,
  bank_id bigint references banks,
  is_main boolean not null default false,
  status smallint not null default 0,                     -- 1 seized
  version integer not null default 1,
  foreign key (tenant_id, person_id) references people (tenant_id, id) on update cascade,
  unique (person_id, account_no)
);
create unique index bank_accounts_one_main on bank_accounts (person_id) where is_main;

create type case_state as enum ('unmigrated', 'draft', 'project', 'tarn_accept', 'open');

create table cases (
  id bigint generated always as identity primary key,
  tenant_id bigint not null references bureaus,
  prefix smallint not null check (prefix between 1 and 999),
  year smallint not null check (year between 1990 and 2100),
  index integer not null check (index > 0),
  state case_state not null,
  status smallint not null check (status in (0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14)),
  statement_number text,                                  -- taitis_number on the wire
  register_id text,                                       -- the case's id in the national register; null: not there
  claimant_id bigint not null,
  debtor_id bigint not null,
  country_id bigint references classifier_values,
  date_opened date not null,
  date_closed date,
  date_expire date,
  close_basis_id bigint references classifier_values,
  close_explanation text,
  stop_start_date date,
  stop_basis_id bigint references classifier_values,
  stop_reason text,
  delivery_date date,
  voluntary_compliance_date date,
  enforcement_date date,
  date_graph date,
  transfer_id bigint,                                     -- set while a transfer is in progress
  start_fee_initial_cents bigint not null default 0,
  start_fee_cents bigint not null default 0,              -- what is still owed of it
  issuer_fee_initial_cents bigint not null default 0,
  issuer_fee_cents bigint not null default 0,
  enforcement_fee_initial_cents bigint not null default 0,
  enforcement_fee_cents bigint not null default 0,
  sum_received_cents bigint not null default 0,
  paid_to_claimant_cents bigint not null default 0,
  pre_payment_cents bigint not null default 0,
  includes_issuer_fee_in_arrest_sums boolean not null default false,
  recipient_name text,
  recipient_bank_account text,
  recipient_reg_code text,
  payment_desc text,
  reference_no text,
  last_transition_error text,
  import_id bigint,
  import_row bytea,                                       -- SHA-256 of the row as imported
  import_version integer,                                 -- version right after the import: equal means untouched since
  synced_at timestamptz,                                  -- last agreement with the national register
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version integer not null default 1,
  unique (prefix, year, index),
  unique (tenant_id, id),
  foreign key (tenant_id, claimant_id) references people (tenant_id, id),
  foreign key (tenant_id, debtor_id) references people (tenant_id, id)
) with (fillfactor = 85);
comment on column cases.index is 'Running number in (prefix, year); a number is never used again, in the whole country.';
create index cases_by_claimant on cases (claimant_id);
create index cases_by_debtor on cases (debtor_id);

create table case_counters (
  prefix smallint not null,
  year smallint not null,
  last_index integer not null,
  primary key (prefix, year)
);

create table claims (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  case_id bigint not null,
  main_claim boolean not null,
  type smallint not null check (type in (0, 1, 2)),       -- monetary, non-monetary, periodical
  claim_type_id bigint not null references claim_types,
  status smallint not null default 0 check (status between 0 and 6),
  date_status_change date,
  content text,
  effective_date date,
  date_expire date,
  sum_full_cents bigint not null default 0 check (sum_full_cents >= 0),
  sum_charged_cents bigint not null default 0,            -- what is still owed
  sum_periodical_cents bigint,
  period_start date,
  period_end date,
  due_date_type text,
  periodic_due_day smallint check (periodic_due_day between 1 and 28),
  depends_on_min_subsistence boolean not null default false,
  solidarity boolean not null default false,
  payment_desc text,
  reference_no text,
  version integer not null default 1,
  foreign key (tenant_id, case_id) references cases (tenant_id, id) on update cascade on delete cascade
);
create index claims_by_case on claims (case_id);

create table surcharges (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  case_id bigint not null,
  claim_id bigint references claims on delete cascade,
  type smallint not null,
  sum_full_cents bigint not null default 0,
  sum_charged_cents bigint not null default 0,            -- what is still owed
  sum_base_cents bigint,
  upper_limit_cents bigint,
  daily_limit_cents bigint,
  date_from date,
  version integer not null default 1,
  foreign key (tenant_id, case_id) references cases (tenant_id, id) on update cascade on delete cascade
);
create index surcharges_by_case on surcharges (case_id);

create table case_solutions (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  case_id bigint not null,
  type_id bigint references classifier_values,
  resolver text,
  resolving_type_id bigint references classifier_values,
  decision_number text,
  decision_date date,
  enforce_start_date date,
  enforce_end_date date,
  tms text,
  version integer not null default 1,
  foreign key (tenant_id, case_id) references cases (tenant_id, id) on update cascade on delete cascade
);
create unique index case_solutions_by_case on case_solutions (case_id);

create table problems (
  id bigint generated always as identity primary key,
  tenant_id bigint not null,
  case_id bigint not null,
  type smallint not null check (type between 1 and 11),
  sub_type integer,
  message text,
  created_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  foreign key (tenant_id, case_id) references cases (tenant_id, id) on update cascade on delete cascade
);
create unique index problems_open on problems (case_id, type, coalesce(sub_type, 0)) where resolved_at is null;
create index problems_by_tenant on problems (tenant_id, type) where resolved_at is null;

-- One row a case with what lists filter, sort and show; written by domain::cases in the transaction of the change.
create table case_list (
  case_id bigint primary key,
  tenant_id bigint not null,
  prefix smallint not null,
  year smallint not null,
  index integer not null,
  state case_state not null,
  status smallint not null,
  statement_number text,
  register_id text,
  in_transfer boolean not null default false,
  last_transition_error text,
  main_claim_type_id bigint,
  claimant_id bigint not null,
  claimant_type smallint not null,
  claimant_name text not null collate "et-x-icu",
  claimant_key text not null collate "C",                 -- fold(claimant_name): folding costs ten times a scan
  claimant_code text collate "C",
  claimant_date_death date,
  debtor_id bigint not null,
  debtor_type smallint not null,
  debtor_name text not null collate "et-x-icu",
  debtor_key text not null collate "C",                   -- fold(debtor_name)
  debtor_code text collate "C",
  debtor_date_death date,
  debtor_main_account text,
  total_claims_cents bigint not null,
  balance_cents bigint not null,
  start_fee_cents bigint not null,                        -- initial
  issuer_fee_cents bigint not null,                       -- initial
  table_fee_cents bigint not null,
  date_opened date not null,
  date_closed date,
  delivery_date date,
  voluntary_compliance_date date,
  date_graph date,
  reference_no text,
  solution_type_id bigint,
  solution_resolver text,
  open_problems smallint not null default 0,
  foreign key (tenant_id, case_id) references cases (tenant_id, id) on update cascade on delete cascade
) with (fillfactor = 85);
create index case_list_number on case_list (tenant_id, year desc, index desc, prefix desc, case_id);
create index case_list_debtor on case_list (tenant_id, debtor_name, case_id);
create index case_list_claimant on case_list (tenant_id, claimant_name, case_id);
create index case_list_opened on case_list (tenant_id, date_opened, case_id);
create index case_list_balance on case_list (tenant_id, balance_cents, case_id);
create index case_list_status on case_list (tenant_id, status, year desc, index desc);
create index case_list_debtor_code on case_list (tenant_id, debtor_code text_pattern_ops);
create index case_list_claimant_code on case_list (tenant_id, claimant_code text_pattern_ops);

-- Search text of a case, apart so that list rows stay narrow: number, names, codes, statement number, folded.
create table case_search (
  case_id bigint primary key,
  tenant_id bigint not null,
  text text not null,
  foreign key (tenant_id, case_id) references cases (tenant_id, id) on update cascade on delete cascade
);
create index case_search_text on case_search using gin (tenant_id, text gin_trgm_ops);

do $$
declare name text;
begin
  foreach name in array array['people', 'addresses', 'contacts', 'bank_accounts', 'cases', 'claims', 'surcharges',
                              'case_solutions', 'problems', 'case_list', 'case_search'] loop
    call wall(name::regclass);
    execute format('grant insert, update, delete on %I to toimik_bureau', name);
  end loop;
end $$;
grant select, insert, update on case_counters to toimik_bureau;

-- What another bureau's bailiff may see of a case: the list columns, nothing else.
create view case_list_all as select * from case_list;
grant select on case_list_all to toimik_bureau, toimik_chamber;

-- Ids of the cases whose search text holds the folded term; GIN is out of reach under row security.
-- At most `most` of them where given. Dynamic, so that each term is planned by itself: common, rare, or too short for a trigram.
create function search_case_ids(term text, every_bureau boolean, most bigint default null) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = on
  as $$
declare
  pattern text := '%' || replace(replace(replace(fold(term), '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  if length(pattern) < 5 then
    -- Without a trigram the index would be read whole.
    perform set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
  end if;
  if every_bureau then
    return query execute 'select case_id from case_search where text like $1 limit $2' using pattern, most;
  else
    return query execute 'select case_id from case_search where tenant_id = $1 and text like $2 limit $3'
      using app_tenant(), pattern, most;
  end if;
end $$;
revoke all on function search_case_ids(text, boolean, bigint) from public;
grant execute on function search_case_ids(text, boolean, bigint) to toimik_bureau, toimik_chamber;

reset role;
