//! Spreads what was received over what was owed, so that received = Σ (initial − remaining): the balance of spec 3 §5 is zero.
//! The order is a setting.
use crate::money::Cents;

/// What a debtor's money may go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Debt {
    StartFee,
    EnforcementCosts,
    Claims,
    Interest,
    IssuerFee,
}

impl Debt {
    /// The order when the setting says nothing.
    pub const ORDER: [Self; 5] = [
        Self::StartFee,
        Self::EnforcementCosts,
        Self::Claims,
        Self::Interest,
        Self::IssuerFee,
    ];
}

/// An amount of each kind: what was owed at first, or what still is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Owed {
    pub start_fee: Cents,
    pub costs: Cents,
    pub claims: Cents,
    pub interest: Cents,
    pub issuer_fee: Cents,
}

impl Owed {
    fn of(&mut self, debt: Debt) -> &mut Cents {
        match debt {
            Debt::StartFee => &mut self.start_fee,
            Debt::EnforcementCosts => &mut self.costs,
            Debt::Claims => &mut self.claims,
            Debt::Interest => &mut self.interest,
            Debt::IssuerFee => &mut self.issuer_fee,
        }
    }

    /// What remains of each when `received` is taken off in this order; None when more was received than owed.
    pub fn less(mut self, received: Cents, order: &[Debt; 5]) -> Option<Self> {
        let mut left = received;
        for debt in order {
            let owed = self.of(*debt);
            let part = left.min(*owed);
            *owed = owed.checked_sub(part)?;
            left = left.checked_sub(part)?;
        }
        (left == Cents::ZERO).then_some(self)
    }
}

/// The order from a setting's value; None unless it names each kind once.
pub fn order(value: &serde_json::Value) -> Option<[Debt; 5]> {
    let order: [Debt; 5] = serde_json::from_value(value.clone()).ok()?;
    Debt::ORDER
        .iter()
        .all(|debt| order.contains(debt))
        .then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owed(amounts: [i64; 5]) -> Owed {
        let [start_fee, costs, claims, interest, issuer_fee] = amounts.map(Cents);
        Owed {
            start_fee,
            costs,
            claims,
            interest,
            issuer_fee,
        }
    }

    #[test]
    fn spreads_in_order() {
        let full = owed([1500, 300, 10_000, 500, 2500]);
        for (received, left) in [
            (0, Some([1500, 300, 10_000, 500, 2500])),
            (1000, Some([500, 300, 10_000, 500, 2500])),
            (1800, Some([0, 0, 10_000, 500, 2500])),
            (11_900, Some([0, 0, 0, 400, 2500])),
            (14_799, Some([0, 0, 0, 0, 1])),
            (14_800, Some([0, 0, 0, 0, 0])),
            (14_801, None),
        ] {
            assert_eq!(
                full.less(Cents(received), &Debt::ORDER),
                left.map(owed),
                "{received}"
            );
        }
    }

    #[test]
    fn reads_the_setting() {
        let other = serde_json::json!([
            "claims",
            "interest",
            "start_fee",
            "enforcement_costs",
            "issuer_fee"
        ]);
        assert_eq!(order(&other).unwrap()[0], Debt::Claims);
        for wrong in [
            serde_json::json!([
                "claims",
                "claims",
                "start_fee",
                "enforcement_costs",
                "issuer_fee"
            ]),
            serde_json::json!(["claims"]),
            serde_json::json!("claims"),
        ] {
            assert_eq!(order(&wrong), None);
        }
    }
}
