//! The sums of a case, as one pure definition; `refresh` computes the same over sets, and a test compares the two.
use crate::claims::{ClaimKind, ClaimStatus};
use crate::money::Cents;

/// What the sums need of one claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub main: bool,
    pub kind: ClaimKind,
    pub status: ClaimStatus,
    /// Its claim type is maintenance.
    pub maintenance: bool,
    pub full: Cents,
    pub periodical: Cents,
}

/// A surcharge; `claim_status` of the claim it belongs to, if it belongs to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surcharge {
    pub claim_status: Option<ClaimStatus>,
    pub full: Cents,
}

/// The amounts on the case itself; fees as first set, not what is left of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amounts {
    pub start_fee: Cents,
    pub issuer_fee: Cents,
    pub enforcement_fee: Cents,
    pub received: Cents,
    pub paid_to_claimant: Cents,
}

/// One row of a fee table: the fee for a claim of at most `up_to`; `None`: no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeeRow {
    pub up_to: Option<Cents>,
    pub fee: Cents,
}

/// Full sums of monetary claims in force, plus surcharges that hang on no dropped claim; `None` on overflow.
pub fn total_claims(claims: &[Claim], surcharges: &[Surcharge]) -> Option<Cents> {
    let owed = claims
        .iter()
        .filter(|c| c.kind == ClaimKind::Monetary && c.status.in_force())
        .map(|c| c.full);
    let extra = surcharges
        .iter()
        .filter(|s| s.claim_status.is_none_or(ClaimStatus::in_force))
        .map(|s| s.full);
    add(owed.chain(extra))
}

/// What is still owed in all; `None` on overflow.
pub fn balance(total_claims: Cents, amounts: &Amounts) -> Option<Cents> {
    total_claims
        .checked_add(amounts.start_fee)?
        .checked_add(amounts.issuer_fee)?
        .checked_add(amounts.enforcement_fee)?
        .checked_sub(amounts.received)?
        .checked_sub(amounts.paid_to_claimant)
}

/// The sum on which the base fee is computed: main claims that bear a fee, maintenance as one month.
/// Maintenance without a monthly sum is arrears alone and counts in full. `None` on overflow.
pub fn fee_base(claims: &[Claim]) -> Option<Cents> {
    let bearing = || claims.iter().filter(|c| c.main && c.status.bears_fee());
    let full = |maintenance: bool| {
        add(bearing()
            .filter(move |c| c.kind == ClaimKind::Monetary && c.maintenance == maintenance)
            .map(|c| c.full))
    };
    let month = add(bearing().filter(|c| c.maintenance).map(|c| c.periodical))?;
    let maintenance = if month > Cents::ZERO {
        month
    } else {
        full(true)?
    };
    full(false)?.checked_add(maintenance)
}

/// The table's full base fee, without VAT; nothing to compute it on: no fee.
pub fn table_fee(rows: &[FeeRow], base: Cents) -> Cents {
    if base <= Cents::ZERO {
        return Cents::ZERO;
    }
    rows.iter()
        .filter(|row| row.up_to.is_none_or(|up_to| base <= up_to))
        .min_by_key(|row| row.up_to.map_or(i64::MAX, |up_to| up_to.0))
        .map_or(Cents::ZERO, |row| row.fee)
}

fn add(mut amounts: impl Iterator<Item = Cents>) -> Option<Cents> {
    amounts.try_fold(Cents::ZERO, Cents::checked_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(full: i64) -> Claim {
        Claim {
            main: true,
            kind: ClaimKind::Monetary,
            status: ClaimStatus::Active,
            maintenance: false,
            full: Cents(full),
            periodical: Cents::ZERO,
        }
    }

    #[test]
    fn total_takes_claims_in_force_and_their_surcharges() {
        let claims = [
            claim(10_000),
            Claim {
                status: ClaimStatus::Fulfilled,
                main: false,
                ..claim(2_000)
            },
            Claim {
                status: ClaimStatus::Cancelled,
                ..claim(400_000)
            },
            Claim {
                kind: ClaimKind::NonMonetary,
                ..claim(500_000)
            },
            Claim {
                kind: ClaimKind::Periodical,
                ..claim(600_000)
            },
        ];
        let surcharges = [
            Surcharge {
                claim_status: None,
                full: Cents(30),
            },
            Surcharge {
                claim_status: Some(ClaimStatus::Active),
                full: Cents(5),
            },
            Surcharge {
                claim_status: Some(ClaimStatus::Expired),
                full: Cents(70_000),
            },
        ];
        assert_eq!(total_claims(&claims, &surcharges), Some(Cents(12_035)));
        let amounts = Amounts {
            start_fee: Cents(1_500),
            issuer_fee: Cents(22_500),
            enforcement_fee: Cents(100),
            received: Cents(40_000),
            paid_to_claimant: Cents(1),
        };
        assert_eq!(balance(Cents(12_035), &amounts), Some(Cents(-3_866)));
        assert_eq!(balance(Cents(i64::MAX), &amounts), None);
    }

    #[test]
    fn fee_counts_maintenance_as_one_month() {
        let arrears = Claim {
            maintenance: true,
            ..claim(90_000)
        };
        let monthly = Claim {
            kind: ClaimKind::Periodical,
            periodical: Cents(29_200),
            ..Claim {
                maintenance: true,
                ..claim(0)
            }
        };
        let stopped = Claim {
            status: ClaimStatus::Stopped,
            ..claim(100)
        };
        let fulfilled = Claim {
            status: ClaimStatus::Fulfilled,
            ..claim(7)
        };
        let side = Claim {
            main: false,
            ..claim(7)
        };
        for (claims, base) in [
            (vec![], 0),
            (vec![claim(100), stopped, fulfilled, side], 200),
            (vec![arrears, monthly], 29_200),
            (vec![arrears], 90_000),
            (vec![arrears, monthly, claim(1)], 29_201),
        ] {
            assert_eq!(fee_base(&claims), Some(Cents(base)));
        }
    }

    #[test]
    fn fee_is_that_of_the_first_bracket_that_holds_the_sum() {
        let rows = [
            FeeRow {
                up_to: None,
                fee: Cents(120_000),
            },
            FeeRow {
                up_to: Some(Cents(6_500)),
                fee: Cents(2_500),
            },
            FeeRow {
                up_to: Some(Cents(100_000)),
                fee: Cents(22_500),
            },
        ];
        for (base, fee) in [
            (0, 0),
            (1, 2_500),
            (6_500, 2_500),
            (6_501, 22_500),
            (100_000, 22_500),
            (100_001, 120_000),
        ] {
            assert_eq!(table_fee(&rows, Cents(base)), Cents(fee));
        }
        assert_eq!(table_fee(&[], Cents(5)), Cents::ZERO);
    }
}
