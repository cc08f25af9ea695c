-- Cases of the demo bureaus with their money. Reads demo_bureaus and demo_people; leaves demo_cases.
-- The years leave 2019–2025 free, so that a file of synthetic cases can be imported into the demo data.
create temp table demo_draws on commit drop as
select row_number() over (order by d.opened, b.prefix, n) as id, b.tenant_id, b.prefix, b.debtors, b.vat_liable, n, k.key,
       y.year, ((n + 4) / 5)::int as index, d.opened,
       case when r.r < 58 then 0 when r.r < 63 then 6 when r.r < 74 then 1 when r.r < 80 then 3 when r.r < 88 then 2
            when r.r < 91 then 4 when r.r < 92 then 5 when r.r < 97 then r.r - 82 else 0 end as status,
       least(5000 / power((pg_temp.h(k.key, 6, 1000000) + 1) / 1000000.0::float8, 1 / 0.9::float8), 50000000)::bigint as claim,
       pg_temp.h(k.key, 7, 10) as kind
from demo_bureaus b
cross join lateral generate_series(1::bigint, b.cases) n
cross join lateral (select b.prefix * 100000000 + n as key) k
cross join lateral (select (array[2015, 2016, 2017, 2018, 2026])[1 + n % 5] as year) y
cross join lateral (select make_date(y.year, 1, 1) + pg_temp.h(k.key, 3, case y.year when 2026 then 80 else 300 end)::int as opened) d
cross join lateral (select pg_temp.h(k.key, 4, 100) as r) r;

analyze demo_draws;

create temp table demo_cases on commit drop as
select x.*, least(x.received, x.owed) as paid
from (select d.*, f.fee, m.interest, m.costs, b.basis, s.ended,
             d.claim + m.interest + m.costs + f.fee + 1500 as owed,
             case when b.basis = 'Nõue täidetud' then d.claim + m.interest + m.costs + f.fee + 1500
                  when pg_temp.h(d.key, 12, 100) < 35 then pg_temp.h(d.key, 13, d.claim + m.interest + m.costs + f.fee + 1500)
                  else 0 end as received,
             case when d.kind < 5 then 'Võlanõue' when d.kind < 7 then 'Trahv' when d.kind = 7 then 'Maksunõue'
                  when d.kind = 8 then 'Kommunaalvõlg' else 'Elatis' end as claim_type,
             c.id as claimant_id, p.id as debtor_id
      from demo_draws d
      join demo_people c on c.prefix = d.prefix and c.p = 1 + pg_temp.h(d.key, 1, 60)
      join demo_people p on p.prefix = d.prefix and p.p = 61 + pg_temp.h(d.key, 2, d.debtors)
      cross join lateral (select case when pg_temp.h(d.key, 8, 2) = 0 then d.claim / 20 else 0 end as interest,
                                 case when pg_temp.h(d.key, 10, 10) < 3 then pg_temp.h(d.key, 9, 3000) else 0 end as costs) m
      cross join lateral (select d.status in (1, 2, 6, 10) as ended) s
      cross join lateral (select case when d.status = 6 then 'Sissenõudja avaldus' when s.ended then
                            (array['Nõue täidetud', 'Sissenõudja avaldus', 'Aegumine'])[1 + pg_temp.h(d.key, 11, 3)] end as basis) b
      -- The fee of the table, with VAT; one case in four still has the fee of an older reckoning.
      cross join lateral (
        select case when pg_temp.h(d.key, 14, 4) = 0 then greatest(2500, least(120000, d.claim / 8))
          else coalesce((
            select r.fee_cents + case when d.vat_liable then round(r.fee_cents * v.permille / 1000.0)::bigint else 0 end
            from issuer_fee_rows r
            cross join lateral (select coalesce((select permille from vat_rates v where v.valid_from <= d.opened
                                                 order by v.valid_from desc limit 1), 0) as permille) v
            where r.table_id = (select t.id from issuer_fee_tables t where t.valid_from <= d.opened
                                order by t.valid_from desc limit 1)
              and (r.claim_up_to_cents is null or r.claim_up_to_cents >= case when d.kind = 9 then 29200 else d.claim end)
            order by r.claim_up_to_cents nulls last limit 1), 2500) end as fee) f) x;

analyze demo_cases;

-- Receipts go to the start fee, enforcement costs, claims, interest, issuer fee, in this order.
create temp table demo_spread on commit drop as
select id, least(paid, 1500) as start_paid,
       least(greatest(paid - 1500, 0), costs) as costs_paid,
       least(greatest(paid - 1500 - costs, 0), claim) as claim_paid,
       least(greatest(paid - 1500 - costs - claim, 0), interest) as interest_paid,
       least(greatest(paid - 1500 - costs - claim - interest, 0), fee) as fee_paid
from demo_cases;

analyze demo_spread;

insert into cases
  (id, tenant_id, prefix, year, index, state, status, statement_number, register_id, claimant_id, debtor_id, country_id,
   date_opened, date_closed, close_basis_id, stop_start_date, stop_basis_id, delivery_date, voluntary_compliance_date, date_graph,
   start_fee_initial_cents, start_fee_cents, issuer_fee_initial_cents, issuer_fee_cents, enforcement_fee_initial_cents,
   enforcement_fee_cents, sum_received_cents, reference_no, last_transition_error)
overriding system value
select d.id, d.tenant_id, d.prefix, d.year, d.index,
       (case when d.status = 4 then (array['project', 'tarn_accept'])[1 + pg_temp.h(d.key, 15, 2)] when d.status = 5 then 'project'
             when pg_temp.h(d.key, 16, 100) < 20 then 'unmigrated'
             when d.status = 0 and pg_temp.h(d.key, 16, 100) = 99 then 'draft' else 'open' end)::case_state,
       d.status,
       case when pg_temp.h(d.key, 17, 10) > 0 then 'TA' || d.year % 100 || d.prefix || lpad(d.index::text, 7, '0') end,
       case when pg_temp.h(d.key, 18, 20) > 0 then 'TR' || 1000000 + d.id end,
       d.claimant_id, d.debtor_id,
       (select v.id from classifier_values v join classifiers c on c.id = v.classifier_id
        where c.tag = 'country' and v.name = 'Eesti'),
       d.opened,
       case when d.ended then d.opened + 61 + pg_temp.h(d.key, 19, 200)::int end,
       (select v.id from classifier_values v join classifiers c on c.id = v.classifier_id
        where c.tag = 'close_basis' and v.name = d.basis),
       case when d.status in (3, 14) then d.opened + 30 + pg_temp.h(d.key, 20, 30)::int end,
       case when d.status in (3, 14) then
         (select v.id from classifier_values v join classifiers c on c.id = v.classifier_id
          where c.tag = 'stop_reason' order by v.order_idx, v.id limit 1) end,
       case when pg_temp.h(d.key, 21, 10) < 6 then d.opened + 5 + pg_temp.h(d.key, 22, 25)::int end,
       case when pg_temp.h(d.key, 21, 10) < 5 then d.opened + 36 + pg_temp.h(d.key, 23, 24)::int end,
       case when pg_temp.h(d.key, 24, 10) = 0 then d.opened + 90 end,
       1500, 1500 - s.start_paid, d.fee, d.fee - s.fee_paid, d.costs, d.costs - s.costs_paid, d.paid,
       r.base || pg_temp.check_731(r.base)::text,
       case when pg_temp.h(d.key, 25, 200) = 0 then 'Täitmisregister ei vastanud.' end
from demo_cases d
join demo_spread s on s.id = d.id
cross join lateral (select d.prefix * 1000000000000 + d.year * bigint '100000000' + d.index * 100 + 1 as base offset 0) r
order by d.id;

insert into claims
  (id, tenant_id, case_id, main_claim, type, claim_type_id, status, date_status_change, sum_full_cents, sum_charged_cents, reference_no)
overriding system value
select d.id, d.tenant_id, d.id, true, 0, t.id,
       case when s.claim_paid = d.claim then 2 when d.status in (3, 13) then 1 else 0 end, d.opened, d.claim, d.claim - s.claim_paid,
       c.reference_no
from demo_cases d
join demo_spread s on s.id = d.id
join cases c on c.id = d.id
join claim_types t on t.name = d.claim_type
order by d.id;

select setval(pg_get_serial_sequence('claims', 'id'), (select max(id) from claims));

insert into claims (tenant_id, case_id, main_claim, type, claim_type_id, status, sum_periodical_cents, period_start, periodic_due_day)
select d.tenant_id, d.id, true, 2, t.id, 0, 29200, d.opened, 10
from demo_cases d join claim_types t on t.name = d.claim_type
where d.claim_type = 'Elatis'
order by d.id;

insert into surcharges (tenant_id, case_id, claim_id, type, sum_full_cents, sum_charged_cents, sum_base_cents, date_from)
select d.tenant_id, d.id, d.id, 0, d.interest, d.interest - s.interest_paid, d.claim, d.opened
from demo_cases d join demo_spread s on s.id = d.id
where d.interest > 0
order by d.id;

insert into case_solutions (tenant_id, case_id, type_id, resolver, decision_number, decision_date)
select d.tenant_id, d.id,
       (select v.id from classifier_values v join classifiers c on c.id = v.classifier_id
        where c.tag = 'case_solution_type' order by v.order_idx, v.id limit 1),
       (array['Harju Maakohus', 'Tartu Maakohus', 'Viru Maakohus', 'Pärnu Maakohus', 'Politsei- ja Piirivalveamet',
              'Maksu- ja Tolliamet'])[1 + pg_temp.h(d.key, 26, 6)],
       '2-' || d.year % 100 || '-' || 1 + pg_temp.h(d.key, 27, 30000), d.opened - 10 - pg_temp.h(d.key, 28, 890)::int
from demo_cases d
order by d.id;

insert into problems (tenant_id, case_id, type, message)
select d.tenant_id, d.id, 1 + pg_temp.h(d.key, 29, 11),
       (array['Võlgniku isikukoodi kontrollnumber on vale.', 'Toimik on täitmisregistris avamata.',
              'Olek erineb täitmisregistri omast.'])[1 + pg_temp.h(d.key, 29, 11) % 3]
from demo_cases d
where pg_temp.h(d.key, 30, 50) = 0;

insert into case_counters (prefix, year, last_index)
select prefix, year, max(index) from cases group by prefix, year
on conflict (prefix, year) do update set last_index = greatest(case_counters.last_index, excluded.last_index);

select setval(pg_get_serial_sequence('people', 'id'), (select max(id) from people)),
       setval(pg_get_serial_sequence('cases', 'id'), (select max(id) from cases));
