//! Every filter of jobs against a naive reading of all rows, for each kind of reader.
use chrono::{DateTime, TimeDelta, Utc};
use domain::Actor;
use domain::ids::{JobId, TenantId};
use domain::jobs::find::{counts, page};
use domain::jobs::{JobFilter, Kind, Queue, Range, State};
use sqlx::Row;

use crate::chance::Chance;
use crate::world::{Made, World};

const JOBS: usize = 300;
const FILTERS: usize = 90;

#[derive(Debug, Clone)]
struct Naive {
    id: i64,
    tenant: i64,
    queue: String,
    kind: String,
    state: State,
    case: Option<i64>,
    action: Option<i64>,
    created: DateTime<Utc>,
    started: Option<DateTime<Utc>>,
    finished: Option<DateTime<Utc>>,
    key: Option<String>,
    args: Option<String>,
    output: String,
    code: String,
}

pub struct Ground {
    pub world: World,
    rows: Vec<Naive>,
    pub cases: Vec<(i64, TenantId, String)>,
    pub start: DateTime<Utc>,
}

const STATES: [State; 7] = State::ALL;
const ERRORS: [(&str, &str); 3] = [
    ("tarn_1", "Täitmisregister keeldus: isikukood puudub"),
    ("tarn_2", "503 Service Unavailable"),
    ("", "Alamtegevus ebaõnnestus."),
];

/// Jobs of every kind and state, one each seven seconds, some hours ago.
pub async fn ground(seed: u64) -> Ground {
    let world = World::new().await;
    let mut cases = Vec::new();
    for (tenant, code) in [(world.b101, "101"), (world.b102, "102")] {
        for index in 1..=6 {
            let id = world
                .case(
                    tenant,
                    Made {
                        index,
                        ..Made::default()
                    },
                )
                .await;
            cases.push((id.0, tenant, format!("{code}/2024/{index}")));
        }
    }
    let actions: Vec<(i64, i64)> = {
        let mut made = Vec::new();
        for tenant in [world.b101, world.b102] {
            let id: i64 = sqlx::query_scalar(
                "insert into bulk_actions (tenant_id, type, created_by, created_by_role, cases_frozen_at)
                 select $1, 3, min(id), 'KT', now() from users returning id",
            )
            .bind(tenant.0)
            .fetch_one(&world.admin)
            .await
            .unwrap();
            made.push((tenant.0, id));
        }
        made
    };
    let mut chance = Chance::new(seed);
    let start = DateTime::from_timestamp(1_764_000_000, 0).unwrap();
    for n in 0..JOBS {
        let kind = *chance.one(&Kind::ALL);
        let tenant = *chance.one(&[world.b101, world.b102, world.koda]);
        let case = chance.one(&cases).clone();
        let case = (case.1 == tenant && chance.below(3) > 0).then_some(case.0);
        let action = actions
            .iter()
            .find(|(owner, _)| *owner == tenant.0)
            .map(|(_, id)| *id);
        let action = action.filter(|_| case.is_some() && chance.once_in(2));
        let state = *chance.one(&STATES);
        let created = start + TimeDelta::seconds(7 * i64::try_from(n).unwrap());
        let started = (state != State::Queued)
            .then(|| created + TimeDelta::seconds(i64::try_from(chance.below(900)).unwrap()));
        let finished = started
            .filter(|_| !state.is_live())
            .map(|at| at + TimeDelta::seconds(i64::try_from(chance.below(600)).unwrap()));
        let args = chance.once_in(4).then(|| format!("{{\"importId\": {n}}}"));
        let id: i64 = sqlx::query_scalar(
            "insert into jobs (tenant_id, bulk_action_id, case_id, queue, kind, created_at, run_at, args)
             values ($1, $2, $3, $4::job_queue, $5, $6, $6, $7::jsonb) returning id",
        )
        .bind(tenant.0)
        .bind(action)
        .bind(case)
        .bind(kind.queue().as_str())
        .bind(kind.as_str())
        .bind(created)
        .bind(args)
        .fetch_one(&world.admin)
        .await
        .unwrap();
        let (code, output) = *chance.one(&ERRORS);
        sqlx::query(
            "update jobs set state = $2, started_at = $3, finished_at = $4,
                    error_code = case when $2 = 'failed' then nullif($5, '') end, output = case when $2 = 'failed' then $6 end
             where id = $1",
        )
        .bind(id)
        .bind(state)
        .bind(started)
        .bind(finished)
        .bind(code)
        .bind(output)
        .execute(&world.admin)
        .await
        .unwrap();
    }
    domain::testing::group_failures(&world.admin).await.unwrap();
    let rows = sqlx::query(
        "select *, queue::text as queue_name, args::text as args_text from jobs order by id desc",
    )
    .fetch_all(&world.admin)
    .await
    .unwrap();
    let rows = rows.iter().map(|row| Naive {
        id: row.get("id"),
        tenant: row.get("tenant_id"),
        queue: row.get("queue_name"),
        kind: row.get("kind"),
        state: row.get("state"),
        case: row.get("case_id"),
        action: row.get("bulk_action_id"),
        created: row.get("created_at"),
        started: row.get("started_at"),
        finished: row.get("finished_at"),
        key: row.get("error_key"),
        args: row.get("args_text"),
        output: row.get::<Option<String>, _>("output").unwrap_or_default(),
        code: row
            .get::<Option<String>, _>("error_code")
            .unwrap_or_default(),
    });
    Ground {
        rows: rows.collect(),
        world,
        cases,
        start,
    }
}

/// A filter by chance.
fn chosen(ground: &Ground, chance: &mut Chance) -> JobFilter {
    let mut filter = JobFilter::default();
    for _ in 0..=chance.below(3) {
        match chance.below(12) {
            0 => {
                filter.state = (0..=chance.below(3))
                    .map(|_| *chance.one(&STATES))
                    .collect()
            }
            1 => filter.queue = vec![*chance.one(&Queue::ALL)],
            2 => filter.kind = vec![chance.one(&Kind::ALL).as_str().to_owned()],
            3 => filter.bureau = Some((*chance.one(&["101", "102", "koda", "999"])).to_owned()),
            4 => filter.case_number = Some(chance.one(&ground.cases).2.clone()),
            5 => {
                let row = chance.one(&ground.rows).id.to_string();
                filter.search = Some(chance.one(&[chance_case(ground), row]).clone());
            }
            6 => filter.bulk_action = Some(chance.one(&ground.rows).action.unwrap_or(7)),
            7 => {
                filter.error_group = Some(
                    chance
                        .one(&ground.rows)
                        .key
                        .clone()
                        .unwrap_or_else(|| "0".repeat(16)),
                )
            }
            8 | 9 => {
                let from = ground.start
                    + TimeDelta::seconds(i64::try_from(chance.below(JOBS * 7)).unwrap());
                let until = from + TimeDelta::seconds(i64::try_from(chance.below(1_500)).unwrap());
                let open = chance.below(3);
                let range = Some(Range {
                    after: (open != 1).then(|| from.to_rfc3339()),
                    before: (open != 2).then(|| until.to_rfc3339()),
                });
                match chance.below(3) {
                    0 => filter.created_at = range,
                    1 => filter.started_at = range,
                    _ => filter.finished_at = range,
                }
            }
            10 => filter.payload = Some(format!("\"importId\": {}", chance.below(60))),
            _ => {
                filter.error = Some(
                    (*chance.one(&["SERVICE unavail", "tarn_1", "ebaonnestus", "ei ole"]))
                        .to_owned(),
                )
            }
        }
    }
    filter
}

fn chance_case(ground: &Ground) -> String {
    ground.cases[0].2.clone()
}

/// What a filter means, said plainly.
fn matches(filter: &JobFilter, ground: &Ground, row: &Naive) -> bool {
    let within = |range: &Option<Range>, at: Option<DateTime<Utc>>| {
        let Some(range) = range else { return true };
        let end = |text: &Option<String>| {
            text.as_deref()
                .map(|text| DateTime::parse_from_rfc3339(text).unwrap().to_utc())
        };
        at.is_some_and(|at| {
            end(&range.after).is_none_or(|from| at >= from)
                && end(&range.before).is_none_or(|until| at <= until)
        })
    };
    let of_case = |number: &Option<String>| {
        number.as_ref().is_none_or(|number| {
            let case = ground
                .cases
                .iter()
                .find(|(_, _, known)| known == number)
                .map(|(id, ..)| *id);
            row.case.is_some() && row.case == case
        })
    };
    let code = |tenant: i64| {
        let world = &ground.world;
        [
            (world.b101, "101"),
            (world.b102, "102"),
            (world.koda, "koda"),
        ]
        .iter()
        .find(|(id, _)| id.0 == tenant)
        .map(|(_, code)| *code)
    };
    let searched = filter
        .search
        .as_ref()
        .is_none_or(|text| match text.parse::<i64>() {
            Ok(id) => row.id == id,
            Err(_) => of_case(&filter.search),
        });
    let failed = row.state == State::Failed;
    let error = filter.error.as_ref().is_none_or(|part| {
        let plain = |text: &str| text.to_lowercase().replace('õ', "o");
        failed && (plain(&row.output).contains(&plain(part)) || row.code.contains(part.as_str()))
    });
    (filter.state.is_empty() || filter.state.contains(&row.state))
        && (filter.queue.is_empty() || filter.queue.iter().any(|queue| queue.as_str() == row.queue))
        && (filter.kind.is_empty() || filter.kind.contains(&row.kind))
        && filter
            .bureau
            .as_deref()
            .is_none_or(|wanted| code(row.tenant) == Some(wanted))
        && of_case(&filter.case_number)
        && searched
        && filter
            .bulk_action
            .is_none_or(|action| row.action == Some(action))
        && filter
            .error_group
            .as_ref()
            .is_none_or(|key| failed && row.key.as_ref() == Some(key))
        && error
        && filter
            .payload
            .as_ref()
            .is_none_or(|part| row.args.as_ref().is_some_and(|args| args.contains(part)))
        && within(&filter.created_at, Some(row.created))
        && within(&filter.started_at, row.started)
        && within(&filter.finished_at, row.finished)
}

fn seen<'a>(ground: &'a Ground, actor: &Actor, filter: &JobFilter) -> Vec<&'a Naive> {
    let own = actor.scope() == domain::Scope::Chamber;
    ground
        .rows
        .iter()
        .filter(|row| own || row.tenant == actor.tenant_id.0)
        .filter(|row| matches(filter, ground, row))
        .collect()
}

#[tokio::test]
async fn every_filter_finds_what_a_plain_reading_finds() {
    let ground = ground(20_261_128).await;
    let mut chance = Chance::new(7);
    let mut compared = 0;
    let readers = [
        ground.world.kt(),
        ground.world.kt2(),
        ground.world.chamber(),
        ground.world.operator(),
    ];
    for n in 0..FILTERS {
        let filter = if n == 0 {
            JobFilter::default()
        } else {
            chosen(&ground, &mut chance)
        };
        for actor in &readers {
            let expected = seen(&ground, actor, &filter);
            // By pages of seven, as deep as there are rows.
            let (mut found, mut before) = (Vec::new(), None);
            loop {
                let mut tx = ground.world.reading(actor).await;
                let rows = page(&mut tx, actor, &filter, before, 7).await.unwrap();
                before = rows.last().map(|job| job.id);
                found.extend(rows.iter().map(|job| job.id.0));
                if rows.len() < 7 || found.len() > 70 {
                    break;
                }
            }
            let wanted: Vec<i64> = expected
                .iter()
                .map(|row| row.id)
                .take(found.len().max(expected.len().min(70)))
                .collect();
            assert_eq!(found, wanted, "{:?} {filter:?}", actor.role);
            let any = JobFilter {
                state: Vec::new(),
                ..filter.clone()
            };
            let all = seen(&ground, actor, &any);
            let mut tx = ground.world.reading(actor).await;
            for (state, count) in counts(&mut tx, actor, &filter).await.unwrap() {
                let wanted = all.iter().filter(|row| row.state == state).count();
                assert_eq!(
                    usize::try_from(count).unwrap(),
                    wanted,
                    "{state:?} {:?} {filter:?}",
                    actor.role
                );
            }
            compared += 1;
        }
    }
    assert_eq!(compared, FILTERS * readers.len());
}

/// The ids of a page and the sum of the counts of its states.
async fn both(ground: &Ground, filter: &JobFilter) -> (Vec<i64>, i64) {
    let actor = ground.world.chamber();
    let mut tx = ground.world.reading(&actor).await;
    let rows = page(&mut tx, &actor, filter, None, 400).await.unwrap();
    let counted = counts(&mut tx, &actor, filter).await.unwrap();
    let counted = counted
        .iter()
        .filter(|(state, _)| filter.state.is_empty() || filter.state.contains(state));
    (
        rows.iter().map(|job| job.id.0).collect(),
        counted.map(|(_, count)| count).sum(),
    )
}

/// What names jobs (an id, an order, a case, an action) narrows what else names them.
#[tokio::test]
async fn what_names_jobs_narrows_each_other() {
    let ground = ground(20_261_129).await;
    let order: i64 = sqlx::query_scalar(
        "insert into operator_actions (tenant_id, kind, filter, total, created_by, created_by_role)
         select $1, 'retry', '{}', 0, min(id), 'koda' from users returning id",
    )
    .bind(ground.world.koda.0)
    .fetch_one(&ground.world.admin)
    .await
    .unwrap();
    sqlx::query("insert into operator_action_items (action_id, job_id, tenant_id) select $1, id, tenant_id from jobs where id % 3 = 0")
        .bind(order)
        .execute(&ground.world.admin)
        .await
        .unwrap();
    let ordered = |row: &Naive| row.id % 3 == 0;
    let of_case = |row: &Naive, case: i64| row.case == Some(case);
    let mut compared = 0;
    for (case, _, number) in &ground.cases {
        let newest = |keep: &dyn Fn(&Naive) -> bool| -> Vec<i64> {
            let mut ids: Vec<i64> = ground
                .rows
                .iter()
                .filter(|row| keep(row))
                .map(|row| row.id)
                .collect();
            ids.sort_unstable_by(|a, b| b.cmp(a));
            ids
        };
        let base = JobFilter {
            case_number: Some(number.clone()),
            ..JobFilter::default()
        };
        let mine = newest(&|row| of_case(row, *case));
        let (one, other) = (
            mine[0],
            newest(&|row| !of_case(row, *case) && !ordered(row))[0],
        );
        for (filter, expected) in [
            (
                JobFilter {
                    operator_action: Some(order),
                    ..base.clone()
                },
                newest(&|row| of_case(row, *case) && ordered(row)),
            ),
            (
                JobFilter {
                    search: Some(one.to_string()),
                    ..base.clone()
                },
                vec![one],
            ),
            (
                JobFilter {
                    search: Some(other.to_string()),
                    ..base.clone()
                },
                vec![],
            ),
            (
                JobFilter {
                    search: Some(other.to_string()),
                    operator_action: Some(order),
                    ..JobFilter::default()
                },
                vec![],
            ),
            (
                JobFilter {
                    state: vec![State::Ok, State::Ok, State::Failed],
                    ..base.clone()
                },
                newest(&|row| {
                    of_case(row, *case) && matches!(row.state, State::Ok | State::Failed)
                }),
            ),
        ] {
            let count = i64::try_from(expected.len()).unwrap();
            assert_eq!(
                both(&ground, &filter).await,
                (expected, count),
                "{filter:?}"
            );
            compared += 1;
        }
    }
    let action = ground.rows.iter().find_map(|row| row.action).unwrap();
    let twice = JobFilter {
        bulk_action: Some(action),
        state: vec![State::Failed, State::Failed],
        ..JobFilter::default()
    };
    let (ids, _) = both(&ground, &twice).await;
    let expected = ground
        .rows
        .iter()
        .filter(|row| row.action == Some(action) && row.state == State::Failed);
    assert_eq!(ids.len(), expected.count());
    assert_eq!(compared, 60);
}

#[tokio::test]
async fn what_cannot_be_meant_is_refused() {
    let world = World::new().await;
    let actor = world.chamber();
    let long = "x".repeat(201);
    sqlx::query("insert into error_groups (key, queue, kind, code, words) select 'e' || n, 'bulk', 'TouchCase', '', 'Ühine viga ' || n from generate_series(1, 501) n")
        .execute(&world.admin)
        .await
        .unwrap();
    for (filter, path) in [
        (
            JobFilter {
                error: Some("ühine".into()),
                ..JobFilter::default()
            },
            "error",
        ),
        (
            JobFilter {
                kind: vec!["Tundmatu".into()],
                ..JobFilter::default()
            },
            "kind",
        ),
        (
            JobFilter {
                case_number: Some("101-2024-1".into()),
                ..JobFilter::default()
            },
            "caseNumber",
        ),
        (
            JobFilter {
                search: Some(long),
                ..JobFilter::default()
            },
            "search",
        ),
        (
            JobFilter {
                error: Some("a\0b".into()),
                ..JobFilter::default()
            },
            "error",
        ),
        (
            JobFilter {
                started_at: Some(Range {
                    after: Some("eile".into()),
                    before: None,
                }),
                ..JobFilter::default()
            },
            "startedAt.after",
        ),
    ] {
        let mut tx = world.reading(&actor).await;
        match page(&mut tx, &actor, &filter, None, 5).await {
            Err(domain::Error::Invalid(violations)) => assert_eq!(violations[0].path, path),
            other => panic!("{path}: {other:?}"),
        }
    }
    // To a bureau that failed nowhere so, the others' groups say nothing.
    let common = JobFilter {
        error: Some("ühine".into()),
        ..JobFilter::default()
    };
    let mut tx = world.reading(&world.kt()).await;
    let found = page(&mut tx, &world.kt(), &common, None, 5).await.unwrap();
    assert!(found.is_empty());
}

#[tokio::test]
async fn an_archived_job_is_found_by_its_id_alone() {
    let world = World::new().await;
    sqlx::query("insert into job_archive select * from jobs")
        .execute(&world.admin)
        .await
        .unwrap();
    let id: i64 = sqlx::query_scalar(
        "with made as (insert into jobs (tenant_id, queue, kind, state, finished_at) values ($1, 'bulk', 'ComputeIssuerFee', 'ok', now()) returning *),
              kept as (insert into job_archive select * from made)
         select id from made",
    )
    .bind(world.b101.0)
    .fetch_one(&world.admin)
    .await
    .unwrap();
    sqlx::query("delete from jobs where id = $1")
        .bind(id)
        .execute(&world.admin)
        .await
        .unwrap();
    let mut tx = world.reading(&world.kt()).await;
    let job = domain::jobs::find::find(&mut tx, JobId(id)).await.unwrap();
    assert!(job.archived);
    assert!(
        domain::jobs::job_rights(&world.kt(), &job)
            .iter()
            .filter(|right| right.name != "unmask")
            .all(|right| right.reason.is_some())
    );
    drop(tx);
    let mut tx = world.reading(&world.kt2()).await;
    assert!(matches!(
        domain::jobs::find::find(&mut tx, JobId(id)).await,
        Err(domain::Error::NotFound)
    ));
}
