//! A bureau with what an import refers to, files made by scripts/make_cases.py, and imports run as the worker runs them.
use std::process::Command;
use std::sync::Arc;

use bytes::Bytes;
use domain::db::{self, Scope};
use domain::ids::{JobId, RoleId, TenantId, UserId, WorkerId};
use domain::imports::{self, Found, Import, Limits, New, Source};
use domain::jobs::{self, Claimed};
use domain::testing::Database;
use domain::{Actor, Role};
use object_store::ObjectStoreExt;
use object_store::memory::InMemory;
use sqlx::PgPool;

pub struct World {
    pub jobs: PgPool,
    pub api: PgPool,
    pub admin: PgPool,
    pub store: Arc<InMemory>,
    pub actor: Actor,
    pub other: Actor,
    _database: Database,
}

const NATIONAL: &str = "
  insert into bureaus (code, name, is_chamber) values ('101', 'Büroo 101', false), ('102', 'Büroo 102', false)
    on conflict (code) do nothing;
  insert into users (username, username_key, name) values ('import-test', 'import-test', 'Proov Kasutaja');
  insert into classifiers (name, tag) values ('Lõpetamise alus', 'close_basis'), ('Peatamise alus', 'stop_reason'), ('Riik', 'country')
    on conflict (tag) do nothing;
  insert into classifier_values (classifier_id, name)
    select c.id, v.name
    from (values ('close_basis', 'Nõue täidetud'), ('close_basis', 'Sissenõudja avaldus'), ('close_basis', 'Aegumine'),
                 ('stop_reason', 'Sissenõudja avaldus'), ('stop_reason', 'Kohtu määrus'), ('stop_reason', 'Võlgniku raske haigus'),
                 ('country', 'Eesti')) v (tag, name)
    join classifiers c on c.tag = v.tag
    on conflict do nothing;
  insert into claim_types (name, maintenance)
    values ('Võlanõue', false), ('Trahv', false), ('Maksunõue', false), ('Kommunaalvõlg', false), ('Elatis', true)
    on conflict (name) do nothing;
  insert into banks (name, swift, code, target) values ('Swedbank', 'HABAEE2X', '22', 'earrest') on conflict (swift) do nothing";

impl World {
    pub async fn new() -> Self {
        let database = Database::new().await;
        let admin = database.admin();
        sqlx::raw_sql(NATIONAL).execute(&admin).await.unwrap();
        let user = sqlx::query_scalar("select id from users where username = 'import-test'")
            .fetch_one(&admin)
            .await
            .unwrap();
        let (one, two) = (
            actor(&admin, user, "101").await,
            actor(&admin, user, "102").await,
        );
        Self {
            jobs: database.pool("jobs"),
            api: database.pool("api"),
            admin,
            store: Arc::new(InMemory::new()),
            actor: one,
            other: two,
            _database: database,
        }
    }

    /// Stores the file, registers the import, and hands out its job as a worker would claim it.
    pub async fn upload(&self, actor: &Actor, source: Source, file: &[u8]) -> Claimed {
        let path = imports::new_file_path(actor);
        self.store
            .put(&path, Bytes::copy_from_slice(file).into())
            .await
            .unwrap();
        let new = New {
            source,
            file_key: path.to_string(),
            file_name: "toimikud.csv".into(),
            file_bytes: file.len() as u64,
        };
        let mut tx = db::begin(&self.api, actor.scope()).await.unwrap();
        let import = imports::create(&mut tx, actor, &new).await.unwrap();
        tx.commit().await.unwrap();
        let job: i64 = sqlx::query_scalar("select job_id from imports where id = $1")
            .bind(import)
            .fetch_one(&self.admin)
            .await
            .unwrap();
        self.claim(JobId(job)).await
    }

    /// Sends the job round again, as after a lost worker or a person's retry.
    pub async fn claim(&self, job: JobId) -> Claimed {
        let number: i32 = sqlx::query_scalar(
            "update jobs set state = 'dispatched', dispatch_no = dispatch_no + 1 where id = $1 returning dispatch_no",
        )
        .bind(job)
        .fetch_one(&self.admin)
        .await
        .unwrap();
        let mut tx = db::begin(&self.jobs, Scope::Queue).await.unwrap();
        let mut claimed = jobs::run::claim(&mut tx, WorkerId(1), &[(job, number)])
            .await
            .unwrap();
        tx.commit().await.unwrap();
        claimed.pop().unwrap()
    }

    pub async fn run(&self, job: &Claimed) {
        imports::run(&self.jobs, &*self.store, job, Limits::default())
            .await
            .unwrap();
    }

    /// Uploads and runs; returns what the bailiff then sees.
    pub async fn import(&self, source: Source, file: &[u8]) -> (Import, Vec<Found>) {
        let job = self.upload(&self.actor, source, file).await;
        self.run(&job).await;
        self.seen(&job).await
    }

    pub async fn seen(&self, job: &Claimed) -> (Import, Vec<Found>) {
        let id = job.args.as_ref().unwrap()["importId"].as_i64().unwrap();
        let mut tx = db::begin(&self.api, Scope::Bureau(job.tenant_id))
            .await
            .unwrap();
        imports::get(&mut tx, id.into()).await.unwrap()
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql)
            .fetch_one(&self.admin)
            .await
            .unwrap()
    }

    /// Rows of everything that an import may write.
    pub async fn footprint(&self) -> i64 {
        self.count(
            "select (select count(*) from cases) + (select count(*) from people) + (select count(*) from claims)
                  + (select count(*) from surcharges) + (select count(*) from case_solutions) + (select count(*) from addresses)
                  + (select count(*) from bank_accounts) + (select count(*) from case_list) + (select count(*) from case_search)
                  + (select count(*) from case_counters) + (select count(*) from audit where object_class = 'EnforcementCase')",
        )
        .await
    }

    /// What holds after every import: list rows agree, and spec 3 §5's balance is zero.
    pub async fn check(&self) {
        let mut tx = db::begin(&self.api, Scope::Chamber).await.unwrap();
        assert_eq!(domain::cases::drift(&mut tx).await.unwrap(), 0);
        let unbalanced = self
            .count(
                "select count(*) from cases c
                 where c.import_id is not null and c.sum_received_cents + c.paid_to_claimant_cents
                   <> (c.start_fee_initial_cents - c.start_fee_cents) + (c.issuer_fee_initial_cents - c.issuer_fee_cents)
                    + (c.enforcement_fee_initial_cents - c.enforcement_fee_cents)
                    + (select coalesce(sum(sum_full_cents - sum_charged_cents), 0) from claims k where k.case_id = c.id and k.type = 0)
                    + (select coalesce(sum(sum_full_cents - sum_charged_cents), 0) from surcharges s where s.case_id = c.id)",
            )
            .await;
        assert_eq!(unbalanced, 0);
    }
}

async fn actor(admin: &PgPool, user: i64, code: &str) -> Actor {
    let tenant = sqlx::query_scalar("select id from bureaus where code = $1")
        .bind(code)
        .fetch_one(admin)
        .await
        .unwrap();
    Actor {
        user_id: UserId(user),
        username: "import-test".into(),
        role_id: RoleId(1),
        role: Role::Kt,
        tenant_id: TenantId(tenant),
        tenant_code: code.into(),
        request_id: "request-1".into(),
    }
}

/// The file that scripts/make_cases.py makes.
pub fn made(arguments: &[&str]) -> Vec<u8> {
    let out = Command::new("python3")
        .arg(script())
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    out.stdout
}

/// The file with faults, and its list of (row, column).
pub fn made_bad(arguments: &[&str]) -> (Vec<u8>, Vec<(i32, String)>) {
    let path = std::env::temp_dir().join(format!("toimik-import-{}.csv", uuid::Uuid::new_v4()));
    made(&[arguments, &["--out", path.to_str().unwrap()]].concat());
    let list = path.with_extension("csv.expected");
    let (file, expected) = (
        std::fs::read(&path).unwrap(),
        std::fs::read_to_string(&list).unwrap(),
    );
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(&list).unwrap();
    let lines = expected.lines().skip(1).map(|line| {
        let (row, column) = line.split_once(';').unwrap();
        (row.parse().unwrap(), column.to_owned())
    });
    (file, lines.collect())
}

fn script() -> String {
    format!("{}/../scripts/make_cases.py", env!("CARGO_MANIFEST_DIR"))
}

pub fn errors(found: &[Found]) -> Vec<(i32, String)> {
    let of_errors = found.iter().filter(|f| !f.warning);
    of_errors
        .map(|f| (f.row, f.column.clone().unwrap_or_default()))
        .collect()
}

pub fn warnings(found: &[Found]) -> Vec<(i32, String)> {
    let of_warnings = found.iter().filter(|f| f.warning);
    of_warnings
        .map(|f| (f.row, f.column.clone().unwrap_or_default()))
        .collect()
}

/// A small file written by hand: the needed columns, then one line a case.
pub fn small(extra_titles: &str, lines: &[&str]) -> Vec<u8> {
    let header = "Toimiku number;Avamise kuupäev;Staatus;Sissenõudja liik;Sissenõudja nimi;Sissenõudja kood;Võlgniku liik;\
                  Võlgniku nimi;Võlgniku kood;Nõude liik;Põhinõue";
    let mut text = format!("{header}{extra_titles}\r\n");
    for line in lines {
        text.push_str(line);
        text.push_str("\r\n");
    }
    text.into_bytes()
}

/// A sound line of [`small`] for that running number.
pub fn line(index: u32) -> String {
    format!(
        "101/2024/{index};05.01.2024;Menetluses;Juriidiline isik;Näidis OÜ;90000009;Eraisik;Aino Näidis;60001019906;Võlanõue;100,00"
    )
}
