-- Repeatable chance and check digits (domain facts: isikukood, registrikood, viitenumber). Single expressions, so that
-- PostgreSQL inlines them.

-- A number from 0 to most - 1 that always is the same for the same key and salt.
create function pg_temp.h(key bigint, salt int, most bigint) returns bigint language sql immutable parallel safe
  as $$ select (hashint8extended(key, salt) & 9223372036854775807) % most $$;

create function pg_temp.person_rest(c bigint) returns bigint language sql immutable
  as $$ select (c / 1000000000 % 10 * 1 + c / 100000000 % 10 * 2 + c / 10000000 % 10 * 3 + c / 1000000 % 10 * 4 + c / 100000 %
      10 * 5 + c / 10000 % 10 * 6 + c / 1000 % 10 * 7 + c / 100 % 10 * 8 + c / 10 % 10 * 9 + c / 1 % 10 * 1) % 11 $$;
create function pg_temp.person_rest2(c bigint) returns bigint language sql immutable
  as $$ select (c / 1000000000 % 10 * 3 + c / 100000000 % 10 * 4 + c / 10000000 % 10 * 5 + c / 1000000 % 10 * 6 + c / 100000 %
      10 * 7 + c / 10000 % 10 * 8 + c / 1000 % 10 * 9 + c / 100 % 10 * 1 + c / 10 % 10 * 2 + c / 1 % 10 * 3) % 11 $$;
-- The eleventh digit of a personal code of ten.
create function pg_temp.person_check(c bigint) returns bigint language sql immutable
  as $$ select case when pg_temp.person_rest(c) < 10 then pg_temp.person_rest(c)
                    when pg_temp.person_rest2(c) < 10 then pg_temp.person_rest2(c) else 0 end $$;

create function pg_temp.firm_rest(c bigint) returns bigint language sql immutable
  as $$ select (c / 1000000 % 10 * 1 + c / 100000 % 10 * 2 + c / 10000 % 10 * 3 + c / 1000 % 10 * 4 + c / 100 % 10 * 5 + c /
      10 % 10 * 6 + c / 1 % 10 * 7) % 11 $$;
create function pg_temp.firm_rest2(c bigint) returns bigint language sql immutable
  as $$ select (c / 1000000 % 10 * 3 + c / 100000 % 10 * 4 + c / 10000 % 10 * 5 + c / 1000 % 10 * 6 + c / 100 % 10 * 7 + c /
      10 % 10 * 8 + c / 1 % 10 * 9) % 11 $$;
-- The eighth digit of a registry code of seven.
create function pg_temp.firm_check(c bigint) returns bigint language sql immutable
  as $$ select case when pg_temp.firm_rest(c) < 10 then pg_temp.firm_rest(c)
                    when pg_temp.firm_rest2(c) < 10 then pg_temp.firm_rest2(c) else 0 end $$;

-- The 7-3-1 check digit of a number of at most 15 digits.
create function pg_temp.check_731(c bigint) returns bigint language sql immutable
  as $$ select (10 - (c / 1 % 10 * 7 + c / 10 % 10 * 3 + c / 100 % 10 * 1 + c / 1000 % 10 * 7 + c / 10000 % 10 * 3 + c / 100000 % 10
      * 1 + c / 1000000 % 10 * 7 + c / 10000000 % 10 * 3 + c / 100000000 % 10 * 1 + c / 1000000000 % 10 * 7 + c /
      10000000000 % 10 * 3 + c / 100000000000 % 10 * 1 + c / 1000000000000 % 10 * 7 + c / 10000000000000 % 10 * 3 +
      c / 100000000000000 % 10 * 1) % 10) % 10 $$;
