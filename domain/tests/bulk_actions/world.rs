//! Two bureaus, the chamber, their people, and cases with claims; acts go through the same roles as in the processes.
use domain::bulk_actions::{self as actions, Action, Launch};
use domain::cases::refresh_list;
use domain::ids::{BulkActionId, CaseId, JobId, RoleId, TenantId, UserId, WorkerId};
use domain::jobs::dispatch::{Steering, pick};
use domain::jobs::run::claim;
use domain::jobs::{Claimed, Ending, Outcome, Queue, State, finish};
use domain::testing::Database;
use domain::{Actor, Result, Role, Scope, Tx, db};
use serde_json::{Value, json};
use sqlx::PgPool;

pub struct World {
    pub api: PgPool,
    pub jobs: PgPool,
    pub admin: PgPool,
    pub b101: TenantId,
    pub b102: TenantId,
    pub koda: TenantId,
    user: UserId,
    _db: Database,
}

/// What a case is made of; the rest is as usual.
#[derive(Clone, Copy)]
pub struct Made {
    pub index: i32,
    pub claim_cents: i64,
    pub status: i16,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            index: 1,
            claim_cents: 50_000,
            status: 0,
        }
    }
}

impl World {
    pub async fn new() -> Self {
        let database = Database::new().await;
        let (api, jobs, admin) = (
            database.pool("api"),
            database.pool("jobs"),
            database.admin(),
        );
        let bureau = |code: &'static str| {
            let admin = admin.clone();
            async move {
                sqlx::query_scalar(
                    "insert into bureaus (code, name, bailiff_name, bailiff_code) values ($1, 'Büroo ' || $1, 'Nimi', '38001010004')
                     on conflict (code) do update set code = excluded.code returning id",
                )
                .bind(code)
                .fetch_one(&admin)
                .await
                .map(TenantId)
                .unwrap()
            }
        };
        let (b101, b102) = (bureau("101").await, bureau("102").await);
        let koda = sqlx::query_scalar("select id from bureaus where is_chamber")
            .fetch_one(&admin)
            .await
            .map(TenantId)
            .unwrap();
        let user = sqlx::query_scalar("insert into users (username, username_key, name) values ('mari', 'mari', 'Mari Maasikas') returning id")
            .fetch_one(&admin)
            .await
            .map(UserId)
            .unwrap();
        for tenant in [b101, b102] {
            sqlx::query(
                "insert into people (tenant_id, type, code, name_last, name)
                 values ($1, 2, '70000310', 'Sissenõudja AS', 'Sissenõudja AS'), ($1, 1, '30001010004', 'Võlgnik', 'Võlgnik')",
            )
            .bind(tenant.0)
            .execute(&admin)
            .await
            .unwrap();
        }
        Self {
            api,
            jobs,
            admin,
            b101,
            b102,
            koda,
            user,
            _db: database,
        }
    }

    pub fn actor(&self, role: Role, tenant: TenantId) -> Actor {
        Actor {
            user_id: self.user,
            username: "mari".into(),
            role_id: RoleId(1),
            role,
            tenant_id: tenant,
            tenant_code: "x".into(),
            request_id: "test".into(),
        }
    }

    pub fn kt(&self) -> Actor {
        self.actor(Role::Kt, self.b101)
    }

    pub fn kt2(&self) -> Actor {
        self.actor(Role::Kt, self.b102)
    }

    pub fn chamber(&self) -> Actor {
        self.actor(Role::Koda, self.koda)
    }

    pub fn operator(&self) -> Actor {
        self.actor(Role::Dev, self.koda)
    }

    pub async fn case(&self, tenant: TenantId, made: Made) -> CaseId {
        let prefix: i16 = if tenant == self.b101 { 101 } else { 102 };
        let id: i64 = sqlx::query_scalar(
            "insert into cases (tenant_id, prefix, year, index, state, status, claimant_id, debtor_id, date_opened,
                                start_fee_initial_cents, start_fee_cents)
             select $1, $2, 2024, $3, 'open', $4, min(id), max(id), '2024-03-01', 1500, 1500 from people where tenant_id = $1
             returning id",
        )
        .bind(tenant.0)
        .bind(prefix)
        .bind(made.index)
        .bind(made.status)
        .fetch_one(&self.admin)
        .await
        .unwrap();
        sqlx::query(
            "insert into claims (tenant_id, case_id, main_claim, type, claim_type_id, sum_full_cents)
             select $1, $2, true, 0, min(id), $3 from claim_types where not maintenance",
        )
        .bind(tenant.0)
        .bind(id)
        .bind(made.claim_cents)
        .execute(&self.admin)
        .await
        .unwrap();
        self.refresh(tenant, &[CaseId(id)]).await;
        CaseId(id)
    }

    pub async fn refresh(&self, tenant: TenantId, cases: &[CaseId]) {
        let mut tx = db::begin(&self.jobs, Scope::Bureau(tenant)).await.unwrap();
        refresh_list(&mut tx, cases).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn cases(&self, tenant: TenantId, count: i32) -> Vec<CaseId> {
        let mut made = Vec::new();
        for index in 1..=count {
            made.push(
                self.case(
                    tenant,
                    Made {
                        index,
                        ..Made::default()
                    },
                )
                .await,
            );
        }
        made
    }

    pub async fn problem(&self, case: CaseId) {
        sqlx::query("insert into problems (tenant_id, case_id, type) select tenant_id, id, 1 from cases where id = $1")
            .bind(case.0)
            .execute(&self.admin)
            .await
            .unwrap();
        let tenant: i64 = sqlx::query_scalar("select tenant_id from cases where id = $1")
            .bind(case.0)
            .fetch_one(&self.admin)
            .await
            .unwrap();
        self.refresh(TenantId(tenant), &[case]).await;
    }

    /// A transaction as an act of this actor runs in.
    pub async fn acting(&self, actor: &Actor) -> Tx {
        db::begin(&self.api, actions::scope_to_act(actor))
            .await
            .unwrap()
    }

    pub async fn reading(&self, actor: &Actor) -> Tx {
        db::begin(&self.api, actor.scope()).await.unwrap()
    }

    pub async fn queue(&self) -> Tx {
        db::begin(&self.jobs, Scope::Queue).await.unwrap()
    }

    /// Launches an action over everything the actor may take.
    pub async fn launch(&self, actor: &Actor, kind: i64, args: Value) -> BulkActionId {
        let mut tx = self.reading(actor).await;
        let id = actions::create(&mut tx, actor, kind, Some(&args))
            .await
            .unwrap();
        let launch = Launch {
            filters: json!({}),
            ..Launch::default()
        };
        actions::freeze(&mut tx, actor, id, &launch).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// Dispatches and claims whatever is due in a queue.
    pub async fn claim_all(&self, queue: Queue) -> Vec<Claimed> {
        let mut tx = self.queue().await;
        let bundles = pick(&mut tx, queue, 10_000, &Steering::default(), &[])
            .await
            .unwrap();
        let mut claimed = Vec::new();
        for bundle in bundles {
            claimed.extend(claim(&mut tx, WorkerId(1), &bundle.pairs).await.unwrap());
        }
        tx.commit().await.unwrap();
        claimed
    }

    /// Ends claimed jobs and runs the closing rule, as a worker does.
    pub async fn end(&self, jobs: &[Claimed], ending: impl Fn(usize) -> Ending) {
        let outcomes: Vec<Outcome> = jobs
            .iter()
            .enumerate()
            .map(|(n, job)| Outcome::new(job, ending(n), format!("rida {n}")))
            .collect();
        let mut tx = self.queue().await;
        finish(&mut tx, &outcomes).await.unwrap();
        tx.commit().await.unwrap();
        self.close(jobs).await;
    }

    pub async fn close(&self, jobs: &[Claimed]) {
        let mut ids: Vec<BulkActionId> = jobs.iter().filter_map(|job| job.bulk_action_id).collect();
        ids.dedup();
        let mut tx = self.queue().await;
        actions::close_finished(&mut tx, &ids).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn action(&self, id: BulkActionId) -> Action {
        let mut tx = self.reading(&self.chamber()).await;
        actions::find(&mut tx, id).await.unwrap()
    }

    /// Judged by the rows alone.
    pub async fn in_state(&self, id: BulkActionId, state: State) -> i64 {
        sqlx::query_scalar("select count(*) from jobs where bulk_action_id = $1 and state = $2")
            .bind(id.0)
            .bind(state)
            .fetch_one(&self.admin)
            .await
            .unwrap()
    }

    pub async fn audited(&self, action: &str, object: i64) -> i64 {
        sqlx::query_scalar("select count(*) from audit where action = $1 and object_id = $2")
            .bind(action)
            .bind(object)
            .fetch_one(&self.admin)
            .await
            .unwrap()
    }

    pub async fn tasks_of(&self, id: BulkActionId) -> Vec<JobId> {
        sqlx::query_scalar("select id from jobs where bulk_action_id = $1 order by id")
            .bind(id.0)
            .fetch_all(&self.admin)
            .await
            .unwrap()
    }
}

/// Runs one act in its transaction; commits what succeeds. What fails has let go of its rows when this returns.
pub async fn act<T>(
    world: &World,
    actor: &Actor,
    work: impl AsyncFnOnce(&mut Tx) -> Result<T>,
) -> Result<T> {
    let mut tx = world.acting(actor).await;
    let outcome = work(&mut tx).await;
    match outcome {
        Ok(_) => tx.commit().await?,
        Err(_) => tx.rollback().await?,
    }
    outcome
}

pub fn failed() -> Ending {
    Ending::Failed { code: "x".into() }
}
