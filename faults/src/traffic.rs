//! People at work on several api processes: some read, some write, and there is always a bulk action under way.
use std::cell::Cell;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::actions::{self, Action, COMPUTE_ISSUER_FEE, SYNC_TO_REGISTER, Watch};
use crate::balancer::Balancer;
use crate::rig::Rig;
use crate::site::Session;

pub struct Traffic<'a> {
    pub balancer: &'a Balancer,
    pub koda: Session,
    pub bailiff: Session,
    pub admin: PgPool,
    /// Of the register's actions.
    pub filters: Value,
    /// Of the bailiff's own.
    pub few: Value,
}

/// How long an action may take that nobody breaks off.
const MOST: Duration = Duration::from_secs(300);

impl<'a> Traffic<'a> {
    pub async fn new(rig: &Rig, balancer: &'a Balancer) -> Result<Self> {
        let (filters, _) = actions::newest(&rig.admin, None, rig.tasks).await?;
        let (few, _) = actions::newest(&rig.admin, Some(101), 200).await?;
        Ok(Self {
            balancer,
            koda: rig.koda().await?,
            bailiff: rig.session("taitur", "KT", "101").await?,
            admin: rig.admin.clone(),
            filters,
            few,
        })
    }

    /// Goes on until `over`, and then until the last action has ended; gives the actions and what I3 forbids.
    pub async fn flow(&self, over: &Cell<bool>) -> Result<(Vec<Action>, Vec<String>)> {
        let readers = futures::future::try_join_all((0..4).map(|_| self.read(over)));
        let register = self.act(&self.koda, SYNC_TO_REGISTER, &self.filters, over);
        let fees = self.act(&self.bailiff, COMPUTE_ISSUER_FEE, &self.few, over);
        let (_, (mut actions, mut wrong), other) = futures::try_join!(readers, register, fees)?;
        actions.extend(other.0);
        wrong.extend(other.1);
        Ok((actions, wrong))
    }

    /// One person: the list of cases, the actions, one of them, what is in the queues.
    async fn read(&self, over: &Cell<bool>) -> Result<()> {
        while !over.get() {
            // What fails is in the tally.
            let _ = self
                .balancer
                .post(&self.koda, "/v2/enforcement_cases/data_table", json!({}))
                .await;
            let _ = self.balancer.get(&self.koda, "/v2/bulk_actions").await;
            let _ = self.balancer.get(&self.bailiff, "/v2/imports").await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// One action after the other.
    async fn act(
        &self,
        session: &Session,
        kind: i64,
        filters: &Value,
        over: &Cell<bool>,
    ) -> Result<(Vec<Action>, Vec<String>)> {
        let (mut all, mut wrong) = (Vec::new(), Vec::new());
        while !over.get() {
            let action = self.launch(session, kind, filters).await?;
            let mut watch = Watch::new(session, &action);
            let until = action.launched + MOST;
            while !watch.look().await? {
                if std::time::Instant::now() > until {
                    bail!(
                        "not over: {}",
                        actions::states(&self.admin, action.id).await?
                    );
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            wrong.append(&mut watch.wrong);
            all.push(action);
        }
        Ok((all, wrong))
    }

    async fn launch(&self, session: &Session, kind: i64, filters: &Value) -> Result<Action> {
        let body = json!({"type": kind});
        let created = self.balancer.post(session, "/v2/bulk_actions", body);
        let created = created.await?.expect(201).context("create")?;
        let id = created["id"].as_i64().context("an action without an id")?;
        let launched = std::time::Instant::now();
        let body = json!({"filters": filters, "includeCasesWithProblems": true});
        let path = format!("/v2/bulk_actions/{id}/cases");
        let frozen = self.balancer.post(session, &path, body).await?;
        let frozen = frozen.expect(200).context("freeze")?;
        Ok(Action {
            id,
            kind,
            total: frozen["totalItems"].as_i64().context("no totalItems")?,
            launched,
        })
    }
}
