-- People of the demo bureaus: 60 claimants each, mostly firms, and debtors who come back. Reads demo_bureaus.
-- Codes carry the serials 990–999 and valid check digits; a code always has the same name.
create temp table demo_people on commit drop as
select row_number() over (order by p, prefix) as id, tenant_id, prefix, p, firm, woman, born,
       case when firm then (seven * 10 + pg_temp.firm_check(seven))::text
            else (ten * 10 + pg_temp.person_check(ten))::text end as code
from (select b.tenant_id, b.prefix, p, m % 2 = 1 as woman, day.born,
             case when p <= 60 then p % 6 <> 0 else p % 5 = 0 end as firm,
             1000000 + (p + b.prefix * 10007) * 7919 % 1000000 as seven,
             (3 + m % 2 + case when day.born >= '2000-01-01' then 2 else 0 end) * 1000000000
               + to_char(day.born, 'YYMMDD')::bigint * 1000 + 990 + m / 2 % 10 as ten
      from demo_bureaus b
      cross join lateral generate_series(1::bigint, 60 + b.debtors) p
      cross join lateral (select (p + b.prefix * 10007) * 7919 % 438000 as m) chance
      cross join lateral (select date '1945-01-01' + (m / 20)::int as born) day
      offset 0) x;   -- computed once a row, not once a use

analyze demo_people;

insert into people (id, tenant_id, type, code, name_first, name_last, name, date_birth, date_created, gender, country_id)
overriding system value
select p.id, p.tenant_id, case when p.firm then 2 else 1 end, p.code, n.first, n.last,
       case when p.firm then n.firm else n.first || ' ' || n.last end,
       case when not p.firm then p.born end, case when p.firm then date '1995-01-01' + pg_temp.h(p.code::bigint, 5, 9000)::int end,
       case when not p.firm then case when p.woman then 1 else 0 end end,
       (select v.id from classifier_values v join classifiers c on c.id = v.classifier_id
        where c.tag = 'country' and v.name = 'Eesti')
from demo_people p
cross join lateral (select p.code::bigint as key) k
cross join lateral (
  select case when p.firm then null
              when p.woman then (array['Aino', 'Anneli', 'Eha', 'Helju', 'Imbi', 'Juta', 'Katrin', 'Leida', 'Maie', 'Õnne', 'Piret',
                                       'Sirje', 'Ülle', 'Žanna'])[1 + pg_temp.h(k.key, 1, 14)]
              else (array['Aare', 'Andrus', 'Endel', 'Heino', 'Ilmar', 'Jaak', 'Kalev', 'Kõu', 'Lembit', 'Mart', 'Raivo', 'Tõnu',
                          'Väino', 'Šimon'])[1 + pg_temp.h(k.key, 1, 14)] end as first,
         case when not p.firm then
           (array['Kõrvits', 'Mäger', 'Õunapuu', 'Tamm', 'Saar', 'Lepp', 'Pärn', 'Kask', 'Rebane', 'Šilov', 'Žukov', 'Üksik', 'Äär',
                  'Öpik', 'Kuusk', 'Oja', 'Põld', 'Sõber', 'Jõgi', 'Vaher'])[1 + pg_temp.h(k.key, 2, 20)] || '-'
           || (array['Näidis', 'Proov', 'Test', 'Katse', 'Mudel'])[1 + pg_temp.h(k.key, 3, 5)] end as last,
         (array['Näidis Laen', 'Proov Inkasso', 'Test Elekter', 'Katse Telekom', 'Mudel Kindlustus', 'Näide & Pojad',
                'Proovi "Kodu" Haldus', 'Õie Veod', 'Šoti Kaubad'])[1 + pg_temp.h(k.key, 1, 9)]
           || ' ' || 1 + pg_temp.h(k.key, 2, 99) || ' ' || (array['OÜ', 'AS', 'MTÜ'])[1 + pg_temp.h(k.key, 3, 3)] as firm) n;

insert into addresses (tenant_id, person_id, address, zip)
select tenant_id, id,
       (array['Näidise tee 1', 'Proovi tn 22-7', 'Katse pst 3', 'Õie tänav 14', 'Ülejõe tn 5', 'Mudeli väljak 2; korter 9'])
         [1 + pg_temp.h(code::bigint, 6, 6)], (10000 + pg_temp.h(code::bigint, 7, 80000))::text
from demo_people where pg_temp.h(code::bigint, 8, 10) < 8;

insert into bank_accounts (tenant_id, person_id, account_no, name, bank_id, is_main)
select p.tenant_id, p.id,
       'EE' || lpad((98 - (i.bban || '141400')::numeric % 97)::text, 2, '0') || i.bban, n.name,
       (select b.id from banks b where b.code = k.bank), true
from demo_people p
join people n on n.id = p.id
cross join lateral (select (array['22', '10', '77', '42', '96'])[1 + pg_temp.h(p.code::bigint, 9, 5)] as bank,
                           pg_temp.h(p.code::bigint, 10, 10000000000000) as inner_no offset 0) k
cross join lateral (select k.bank || lpad(k.inner_no::text, 13, '0') || pg_temp.check_731(k.inner_no) as bban offset 0) i
where right(p.code, 2)::int < 40;
