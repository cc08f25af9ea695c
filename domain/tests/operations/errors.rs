//! Failed jobs by their error.
use domain::clock::now;
use domain::error_groups::{self, ErrorGroup, Wanted};
use domain::queues::Count;
use domain::{Actor, Error, Scope, db};

use crate::world::World;

/// So many failed jobs of a bureau with that output.
async fn fail(world: &World, tenant: i64, jobs: i32, code: &str, output: &str) {
    sqlx::query(
        "with made as (insert into jobs (tenant_id, queue, kind) select $1, 'register', 'SyncToRegister' from generate_series(1, $2) returning id)
         select count(*) from made",
    )
    .bind(tenant)
    .bind(jobs)
    .execute(&world.admin)
    .await
    .unwrap();
    sqlx::query(
        "update jobs set state = 'failed', finished_at = clock_timestamp(), error_code = $1, output = $2 where state = 'queued'",
    )
    .bind(code)
    .bind(output)
    .execute(&world.admin)
    .await
    .unwrap();
    domain::testing::group_failures(&world.admin).await.unwrap();
}

async fn groups(world: &World, actor: &Actor, wanted: &Wanted) -> (Count, Vec<ErrorGroup>) {
    let mut tx = world.reading(actor).await;
    error_groups::list(&mut tx, wanted, 100, now())
        .await
        .unwrap()
}

fn day() -> Wanted {
    Wanted {
        hours: 24,
        ..Wanted::default()
    }
}

#[tokio::test]
async fn alike_errors_are_one_group_whatever_their_figures() {
    let world = World::new().await;
    for (jobs, output) in [
        (
            2,
            "Viitenumber puudub: põhikontol EE42 9900 0000 0000 0013 ei ole viitenumbrit.",
        ),
        (
            3,
            "Viitenumber puudub: põhikontol EE12 7700 0000 0000 0099 ei ole viitenumbrit.\nTeine rida 7",
        ),
    ] {
        fail(&world, world.b101.0, jobs, "no_reference", output).await;
    }
    fail(
        &world,
        world.b102.0,
        4,
        "tarn_9",
        "Täitmisregister keeldus: toimik 102/2024/77 (\"Mari Maasikas\") puudub",
    )
    .await;
    fail(
        &world,
        world.b101.0,
        1,
        "tarn_9",
        "Täitmisregister keeldus: toimik 101/2023/8 (\"Priit Õun\") puudub",
    )
    .await;
    fail(&world, world.b101.0, 1, "http", "503 Service Unavailable").await;
    let (total, found) = groups(&world, &world.chamber(), &day()).await;
    assert_eq!(total, Count::Exact(11));
    let mut told: Vec<(i64, usize)> = found
        .iter()
        .map(|group| (group.count.value(), group.bureaus.len()))
        .collect();
    told[..2].sort_unstable(); // of equally many the key decides
    assert_eq!(told, [(5, 1), (5, 2), (1, 1)]);
    assert_eq!(
        found
            .iter()
            .map(|group| group.trend.iter().sum::<i64>())
            .collect::<Vec<_>>(),
        [5, 5, 1]
    );
    assert!(
        found
            .iter()
            .any(|group| group.words == "503 Service Unavailable"),
        "what is short stays: {found:?}"
    );
    let named = found.iter().find(|group| group.code == "tarn_9").unwrap();
    assert_eq!(
        named.words,
        "Täitmisregister keeldus: toimik # (\"…\") puudub"
    );

    // A bailiff's groups hold his own jobs alone, in words of his own.
    let (total, own) = groups(&world, &world.kt(), &day()).await;
    assert_eq!(total, Count::Exact(7));
    assert!(own.iter().all(|group| group.bureaus == ["101"]));
    assert_eq!(
        own.iter()
            .find(|group| group.code == "tarn_9")
            .map(|group| group.count),
        Some(Count::Exact(1))
    );
    let of_102 = Wanted {
        bureau: Some("102".into()),
        ..day()
    };
    assert!(groups(&world, &world.kt(), &of_102).await.1.is_empty());
    assert_eq!(
        groups(&world, &world.chamber(), &of_102).await.0,
        Count::Exact(4)
    );
}

#[tokio::test]
async fn a_retried_job_leaves_its_group_and_one_that_fails_again_comes_back() {
    let world = World::new().await;
    fail(&world, world.b101.0, 2, "http", "503 Service Unavailable").await;
    sqlx::query("update jobs set state = 'queued', finished_at = null where id = (select min(id) from jobs)").execute(&world.admin).await.unwrap();
    assert_eq!(groups(&world, &world.kt(), &day()).await.0, Count::Exact(1));
    fail(&world, world.b101.0, 0, "http", "503 Service Unavailable").await;
    let (total, found) = groups(&world, &world.kt(), &day()).await;
    assert_eq!((total, found.len()), (Count::Exact(2), 1));
}

#[tokio::test]
async fn a_known_group_says_who_knows_what() {
    let world = World::new().await;
    fail(&world, world.b101.0, 2, "http", "503 Service Unavailable").await;
    let key = groups(&world, &world.kt(), &day()).await.1[0].key.clone();
    let note = |actor: Actor, text: Option<&'static str>| {
        let (pool, key) = (world.api.clone(), key.clone());
        async move {
            let mut tx = db::begin(&pool, Scope::Queue).await?;
            error_groups::set_note(&mut tx, &actor, &key, text).await?;
            tx.commit().await?;
            Ok::<_, Error>(())
        }
    };
    assert!(matches!(
        note(world.kt(), Some("x")).await,
        Err(Error::Forbidden)
    ));
    note(world.chamber(), Some("  Register hooldab end öösel "))
        .await
        .unwrap();
    let known = Wanted {
        known: Some(true),
        ..day()
    };
    let (_, found) = groups(&world, &world.kt(), &known).await;
    let told = found[0].note.clone().unwrap();
    assert_eq!(
        (told.text.as_str(), told.by.as_str()),
        ("Register hooldab end öösel", "Mari Maasikas")
    );
    note(world.operator(), None).await.unwrap();
    assert!(groups(&world, &world.kt(), &known).await.1.is_empty());
    let acts: i64 =
        sqlx::query_scalar("select count(*) from audit where object_class = 'ErrorGroup'")
            .fetch_one(&world.admin)
            .await
            .unwrap();
    assert_eq!(acts, 2);
}
