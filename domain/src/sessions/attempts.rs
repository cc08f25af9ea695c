//! Failed sign-ins: a growing wait by user and by address, counted before the password is looked at; never a hard lock.
use sqlx::PgConnection;

use crate::Result;

/// Tries that cost no wait; the next failure makes the following try wait.
const FREE: i32 = 9;
const LONGEST_WAIT_S: i32 = 60;
/// A count older than this is forgotten.
const MEMORY_S: i32 = 15 * 60;

/// May the password be looked at now?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    Allowed,
    WaitSeconds(i64),
}

/// Seconds to wait after that many tries: 0 up to the ninth, then 1, 2, 4 … 60.
fn wait_s(tries: i32) -> i32 {
    match tries - FREE {
        over if over < 0 => 0,
        over if over > 5 => LONGEST_WAIT_S,
        over => 1 << over,
    }
}

/// Counts one try for the user name and the address, unless one of the two has to wait.
pub async fn reserve(
    conn: &mut PgConnection,
    username_key: &str,
    address: &str,
) -> Result<Attempt> {
    // The address first in all calls, so that parallel tries never lock crosswise.
    for key in [address_key(address), user_key(username_key)] {
        if let Attempt::WaitSeconds(wait) = count(conn, &key).await? {
            return Ok(Attempt::WaitSeconds(wait));
        }
    }
    Ok(Attempt::Allowed)
}

/// The password was right: the user's count ends, and the address gets this try back.
pub async fn forgive(conn: &mut PgConnection, username_key: &str, address: &str) -> Result<()> {
    sqlx::query!(
        "update login_failures set failures = greatest(failures - 1, 0), blocked_until = last_at where key = $1",
        address_key(address)
    )
    .execute(&mut *conn)
    .await?;
    forgive_user(conn, username_key).await
}

/// The password was wrong: the wait begins now, when the caller knows it.
pub async fn refuse(conn: &mut PgConnection, username_key: &str, address: &str) -> Result<()> {
    let keys = [address_key(address), user_key(username_key)];
    for key in keys {
        sqlx::query!(
            "update login_failures
             set blocked_until = greatest(blocked_until, clock_timestamp() + (blocked_until - last_at)), last_at = clock_timestamp()
             where key = $1",
            key
        )
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Forgets the failures of one user name.
pub async fn forgive_user(conn: &mut PgConnection, username_key: &str) -> Result<()> {
    sqlx::query!(
        "delete from login_failures where key = $1",
        user_key(username_key)
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn count(conn: &mut PgConnection, key: &str) -> Result<Attempt> {
    sqlx::query!(
        "insert into login_failures (key, failures, last_at, blocked_until)
         values ($1, 0, clock_timestamp(), clock_timestamp()) on conflict do nothing",
        key
    )
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query!(
        r#"select case when last_at < clock_timestamp() - $2::int * interval '1 second' then 0 else failures end as "failures!",
                  ceil(extract(epoch from blocked_until - clock_timestamp()))::bigint as "wait!"
           from login_failures where key = $1 for update"#,
        key,
        MEMORY_S
    )
    .fetch_one(&mut *conn)
    .await?;
    if row.wait > 0 {
        return Ok(Attempt::WaitSeconds(row.wait));
    }
    let tries = row.failures.saturating_add(1);
    sqlx::query!(
        "update login_failures set failures = $2, last_at = clock_timestamp(),
                blocked_until = clock_timestamp() + $3::int * interval '1 second' where key = $1",
        key,
        tries,
        wait_s(tries)
    )
    .execute(conn)
    .await?;
    Ok(Attempt::Allowed)
}

fn user_key(username_key: &str) -> String {
    format!("user:{username_key}")
}

fn address_key(address: &str) -> String {
    format!("address:{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end_at_a_minute() {
        let waits: Vec<i32> = [1, 8, 9, 10, 11, 14, 15, 1_000].map(wait_s).to_vec();
        assert_eq!(waits, [0, 0, 1, 2, 4, 32, 60, 60]);
    }
}
