//! One tick of the scheduler: takes or keeps the lead, fires what is due, writes down how firings ended.
use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::crons::{self, Cron};
use domain::leases::{self, Name, Term};
use domain::{Error, Result, Scope, db};
use sqlx::PgPool;

use crate::status::Status;

pub struct Leader {
    pool: PgPool,
    table: Vec<Cron>,
    holder: String,
    term: Option<Term>,
    status: Arc<Status>,
}

impl Leader {
    pub fn new(pool: PgPool, table: Vec<Cron>, status: Arc<Status>) -> Self {
        Self {
            pool,
            table,
            holder: uuid::Uuid::new_v4().to_string(),
            term: None,
            status,
        }
    }

    /// What one second asks for. Whatever goes wrong is tried again in the next.
    pub async fn tick(&mut self, now: DateTime<Utc>) {
        match self.lead().await {
            Ok(Some(term)) => self.work(&term, now).await,
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(error = %error, "who leads is not known, asking again in a second")
            }
        }
    }

    async fn lead(&mut self) -> Result<Option<Term>> {
        let mut tx = db::begin(&self.pool, Scope::Queue).await?;
        let kept = match &self.term {
            Some(term) if leases::keep(&mut tx, term).await? => Some(term.clone()),
            _ => leases::take(&mut tx, Name::Scheduler, &self.holder).await?,
        };
        tx.commit().await?;
        if kept != self.term {
            match (&kept, &self.term) {
                (Some(new), _) => tracing::info!(term = new.number, "this process schedules"),
                (None, Some(old)) => tracing::warn!(
                    term = old.number,
                    "another process schedules, this term is over"
                ),
                (None, None) => {}
            }
            self.status.leads(kept.as_ref().map(|term| term.number));
            self.term.clone_from(&kept);
        }
        Ok(kept)
    }

    async fn work(&self, term: &Term, now: DateTime<Utc>) {
        let states = match self.settle(term).await {
            Ok(states) => states,
            Err(error) => return self.report(&error, "crons could not be looked at"),
        };
        for cron in &self.table {
            let state = states.get(cron.name).copied().unwrap_or_default();
            let begins = state.decided_at.is_none() && !state.shut;
            if (begins || !state.due(cron, now).is_empty())
                && let Err(error) = self.fire(term, cron, now).await
            {
                self.report(&error, "a cron could not fire, trying again in a second");
            }
        }
    }

    async fn settle(&self, term: &Term) -> Result<HashMap<String, crons::State>> {
        let mut tx = db::begin(&self.pool, Scope::Queue).await?;
        for name in crons::settle(&mut tx, term).await? {
            tracing::error!(
                cron.name = name,
                "a cron has failed again and again and is shut"
            );
        }
        let states = crons::states(&mut tx).await?;
        tx.commit().await?;
        Ok(states)
    }

    async fn fire(&self, term: &Term, cron: &Cron, now: DateTime<Utc>) -> Result<()> {
        let mut tx = db::begin(&self.pool, Scope::Queue).await?;
        let jobs = crons::fire(&mut tx, term, cron, now).await?;
        tx.commit().await?;
        for job in jobs {
            self.status.fired(cron.name);
            tracing::info!(cron.name = cron.name, job.id = job.0, "a cron fired");
        }
        Ok(())
    }

    fn report(&self, error: &Error, what: &'static str) {
        if matches!(
            error,
            Error::Refused {
                code: "not_leader",
                ..
            }
        ) {
            self.status.refused();
        }
        tracing::warn!(error = %error, what);
    }

    /// Gives up the lead, so that another need not wait for the lease to run out.
    pub async fn resign(&mut self) {
        let Some(term) = self.term.take() else { return };
        let resigned = async {
            let mut tx = db::begin(&self.pool, Scope::Queue).await?;
            leases::resign(&mut tx, &term).await?;
            tx.commit().await?;
            Ok::<_, Error>(())
        };
        if let Err(error) = resigned.await {
            tracing::info!(error = %error, "the lease was not given up, it will run out");
        }
    }
}
