//! Counts equal a GROUP BY of the rows, and the task list shows what they count.
use domain::bulk_actions::{self as actions, Counts, Status, TaskFilter};
use domain::ids::JobId;
use domain::jobs::State;
use domain::page::Page;
use serde_json::json;

use crate::world::World;

const STATES: [State; 7] = [
    State::Queued,
    State::Dispatched,
    State::Running,
    State::Ok,
    State::Warning,
    State::Failed,
    State::Cancelled,
];

#[tokio::test]
async fn counts_are_the_rows_grouped() {
    let world = World::new().await;
    world.cases(world.b101, 30).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    for seed in 0..22_i32 {
        // A mix that differs each time and often leaves states out; some tasks lie in the archive.
        sqlx::query("update jobs set state = (enum_range(null::job_state))[1 + (id * ($1 + 3) + id / ($1 + 1)) % (1 + $1 % 7)]")
            .bind(seed)
            .execute(&world.admin)
            .await
            .unwrap();
        let mut tx = world.reading(&kt).await;
        let counts = actions::count(&mut tx, &[id]).await.unwrap()[&id];
        let mut sum = 0;
        for state in STATES {
            assert_eq!(
                counts.of(state),
                world.in_state(id, state).await,
                "{seed} {state:?}"
            );
            sum += counts.of(state);
        }
        assert_eq!((counts.total(), sum), (30, 30));
        for status in Status::ALL {
            let filter = TaskFilter {
                statuses: vec![status],
                ..TaskFilter::default()
            };
            let page = Page {
                limit: 100,
                offset: 0,
            };
            let found = actions::tasks(&mut tx, id, &filter, page, &counts)
                .await
                .unwrap();
            assert_eq!(found.total, i64::try_from(found.rows.len()).unwrap());
            assert!(
                found
                    .rows
                    .iter()
                    .all(|task| task.state.wire() == status.number())
            );
        }
    }
    sqlx::query("with old as (delete from jobs where id % 3 = 0 returning *) insert into job_archive select * from old")
        .execute(&world.admin)
        .await
        .unwrap();
    let mut tx = world.reading(&kt).await;
    let counts = actions::count(&mut tx, &[id]).await.unwrap()[&id];
    assert_eq!(counts.total(), 30, "the archive is counted too");
}

#[tokio::test]
async fn tasks_come_by_case_number_and_pages_join_up() {
    let world = World::new().await;
    world.cases(world.b101, 23).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    sqlx::query("update jobs set state = 'failed', output = case when id % 2 = 0 then 'Viga: 100% _x_' end where id % 3 = 0")
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query("update jobs set state = 'ok', output = 'Põhitasu: 1 → 2' where id % 3 = 1")
        .execute(&world.admin)
        .await
        .unwrap();
    let mut tx = world.reading(&kt).await;
    let counts = actions::count(&mut tx, &[id]).await.unwrap()[&id];
    let list = async |tx: &mut domain::Tx, filter: TaskFilter, offset: i64| {
        actions::tasks(tx, id, &filter, Page { limit: 10, offset }, &counts)
            .await
            .unwrap()
    };
    let mut all = Vec::new();
    for offset in [0, 10, 20, 30] {
        all.extend(list(&mut tx, TaskFilter::default(), offset).await.rows);
    }
    let indexes: Vec<i32> = all
        .iter()
        .map(|task| task.case_number.unwrap().index)
        .collect();
    assert_eq!(indexes, (1..=23).rev().collect::<Vec<_>>());
    assert!(
        all.iter()
            .all(|task| task.debtor_name.as_deref() == Some("Võlgnik"))
    );

    let rising = TaskFilter {
        oldest_first: true,
        ..TaskFilter::default()
    };
    assert_eq!(
        list(&mut tx, rising, 0).await.rows[0]
            .case_number
            .unwrap()
            .index,
        1
    );

    let search = |text: &str| TaskFilter {
        output: Some(text.into()),
        ..TaskFilter::default()
    };
    for (text, state) in [
        ("100% _X_", State::Failed),
        ("põhitasu", State::Ok),
        ("alamtegevus EBA", State::Failed),
    ] {
        let found = list(&mut tx, search(text), 0).await;
        assert!(
            found.total > 0 && found.rows.iter().all(|task| task.state == state),
            "{text}"
        );
    }
    assert_eq!(
        list(&mut tx, search("100_"), 0).await.total,
        0,
        "a wildcard is a letter"
    );
    for wrong in ["x".repeat(201), "a\0b".into()] {
        let filter = search(&wrong);
        assert!(
            actions::tasks(
                &mut tx,
                id,
                &filter,
                Page {
                    limit: 1,
                    offset: 0
                },
                &Counts::default()
            )
            .await
            .is_err()
        );
    }
    let failed = all
        .iter()
        .find(|task| task.state == State::Failed && task.id.0 % 2 == 1)
        .unwrap();
    assert_eq!(failed.output, "Alamtegevus ebaõnnestus.");

    let mut streamed = Vec::new();
    let mut after = JobId(0);
    loop {
        let batch = actions::tasks_after(&mut tx, id, &TaskFilter::default(), after, 7)
            .await
            .unwrap();
        let Some(last) = batch.last() else { break };
        after = last.id;
        streamed.extend(batch.into_iter().map(|task| task.id));
    }
    assert_eq!(streamed, all.iter().map(|task| task.id).collect::<Vec<_>>());

    let one = actions::unfinished_task(&mut tx, id)
        .await
        .unwrap()
        .unwrap();
    assert!(!matches!(one.state, State::Ok | State::Warning));
}
