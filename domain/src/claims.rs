//! What a claim is: its kind and its status, with the numbers they are stored and sent as.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type)]
#[repr(i16)]
pub enum ClaimKind {
    Monetary = 0,
    NonMonetary = 1,
    /// Falls due again each period, as maintenance does.
    Periodical = 2,
}

/// Source: spec 2 §9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type)]
#[repr(i16)]
pub enum ClaimStatus {
    Active = 0,
    Stopped = 1,
    Fulfilled = 2,
    Cancelled = 3,
    Expired = 4,
    Replaced = 5,
    NotEnforceable = 6,
}

impl ClaimStatus {
    /// Counts in the case's total: owed still, or owed and paid.
    pub fn in_force(self) -> bool {
        matches!(self, Self::Active | Self::Stopped | Self::Fulfilled)
    }

    /// Counts towards the base fee.
    pub fn bears_fee(self) -> bool {
        matches!(self, Self::Active | Self::Stopped)
    }
}
