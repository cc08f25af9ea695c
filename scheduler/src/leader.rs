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
    /// The rig's clocks are its own.
    trusts_clock: bool,
}

impl Leader {
    pub fn new(pool: PgPool, table: Vec<Cron>, status: Arc<Status>, trusts_clock: bool) -> Self {
        Self {
            pool,
            table,
            holder: uuid::Uuid::new_v4().to_string(),
            term: None,
            status,
            trusts_clock,
        }
    }

    /// What one second asks for. Whatever goes wrong is tried again in the next.
    pub async fn tick(&mut self, now: DateTime<Utc>) {
        match self.lead(now).await {
            Ok(Some(term)) => self.work(&term, now).await,
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(error = %error, "who leads is not known, asking again in a second")
            }
        }
    }

    async fn lead(&mut self, now: DateTime<Utc>) -> Result<Option<Term>> {
        let mut tx = db::begin(&self.pool, Scope::Queue).await?;
        // What is decided by a clock that runs ahead is decided for everybody: the lease lapses, and another process leads.
        let off = now - leases::clock(&mut tx).await?;
        let wrong = !self.trusts_clock && off.abs() > crons::LATE;
        if wrong && now.timestamp() % 60 == 0 {
            tracing::error!(
                clock.off_s = off.num_seconds(),
                "the clock of this host is not that of the database, so that this process does not schedule"
            );
        }
        let kept = match &self.term {
            _ if wrong => None,
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

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use domain::clock;
    use domain::testing::Database;

    use super::*;

    #[tokio::test]
    async fn whoever_s_clock_is_wrong_does_not_lead() {
        let database = Database::new().await;
        let pool = database.pool("scheduler");
        let leader = |trusts_clock| {
            let status = Arc::new(Status::new(pool.clone()));
            Leader::new(pool.clone(), crons::TABLE.to_vec(), status, trusts_clock)
        };
        let decided = async || -> Vec<DateTime<Utc>> {
            let mut tx = db::begin(&pool, Scope::Queue).await.expect("begun");
            let states = crons::states(&mut tx).await.expect("states");
            states
                .values()
                .filter_map(|state| state.decided_at)
                .collect()
        };
        let mut one = leader(false);
        for off in [
            TimeDelta::days(1),
            TimeDelta::days(-1),
            TimeDelta::minutes(2),
        ] {
            one.tick(clock::now() + off).await;
            assert!(decided().await.is_empty() && one.term.is_none(), "{off}");
        }
        one.tick(clock::now()).await;
        assert_eq!(decided().await.len(), crons::TABLE.len());
        // It was right and is not any more: what it held lapses, and it writes nothing.
        one.tick(clock::now() + TimeDelta::days(1)).await;
        assert!(one.term.is_none());
        let ahead = clock::now() + crons::LATE;
        assert!(decided().await.iter().all(|at| *at < ahead));
    }
}
