//! What a case list is narrowed by: typed, checked, and the same for lists, counts, exports and bulk actions.
use chrono::NaiveDate;

use super::number_start::NumberStart;
use crate::cases::CaseStatus;
use crate::db::Scope;
use crate::{Actor, Role};

/// The longest text that is searched for, in characters.
pub const LONGEST_TEXT: usize = 200;

/// An interval with both ends in it; a missing end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range<T> {
    pub from: Option<T>,
    pub until: Option<T>,
}

impl<T> Default for Range<T> {
    fn default() -> Self {
        Self {
            from: None,
            until: None,
        }
    }
}

impl<T: Ord + Copy> Range<T> {
    /// Narrows the lower end.
    pub fn not_below(&mut self, value: T) {
        self.from = Some(self.from.map_or(value, |from| from.max(value)));
    }

    /// Narrows the upper end.
    pub fn not_above(&mut self, value: T) {
        self.until = Some(self.until.map_or(value, |until| until.min(value)));
    }

    pub fn holds(&self, value: T) -> bool {
        self.from.is_none_or(|from| from <= value) && self.until.is_none_or(|until| value <= until)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonType {
    Private,
    Juridical,
}

impl PersonType {
    pub fn number(self) -> i16 {
        match self {
            Self::Private => 1,
            Self::Juridical => 2,
        }
    }
}

/// Narrows by one party of the case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Party {
    pub person_type: Option<PersonType>,
    /// Contained in the name, without regard to case and diacritics.
    pub name: Option<String>,
    /// The beginning of the code.
    pub code: Option<String>,
}

/// A column that may be blank, for `exists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blankable {
    pub(super) column: &'static str,
}

/// All set filters must hold; the empty value takes every case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filters {
    /// Any of these; empty: any status.
    pub status: Vec<CaseStatus>,
    pub number: Option<NumberStart>,
    pub claimant: Party,
    pub debtor: Party,
    /// Ids of claim types, any of these; empty: any.
    pub main_claim_type: Vec<i64>,
    pub balance_cents: Range<i64>,
    pub date_opened: Range<NaiveDate>,
    /// Found anywhere in number, names, codes or statement number.
    pub search: Option<String>,
    /// A bailiff asks for the cases of every bureau; the chamber sees them always.
    pub every_bureau: bool,
    pub exists: Vec<(Blankable, bool)>,
    /// The id of a case selection.
    pub selection: Option<i64>,
}

impl Filters {
    pub fn is_empty(&self) -> bool {
        let any = Self {
            every_bureau: self.every_bureau,
            ..Self::default()
        };
        *self == any
    }
}

impl Filters {
    /// The general search, when nothing else narrows.
    pub(super) fn only_search(&self) -> Option<&str> {
        let others = Self {
            search: None,
            ..self.clone()
        };
        self.search.as_deref().filter(|_| others.is_empty())
    }
}

/// Over which bureaus a list goes, and through which relation it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The actor's own bureau: row security narrows.
    Bureau,
    /// A bailiff's look at every bureau: list columns only.
    EveryBureau,
    /// The chamber or the operator.
    Chamber,
}

impl View {
    pub fn of(actor: &Actor, filters: &Filters) -> Self {
        match (actor.role, filters.every_bureau) {
            (Role::Kt, false) => Self::Bureau,
            (Role::Kt, true) => Self::EveryBureau,
            (Role::Koda | Role::Dev, _) => Self::Chamber,
        }
    }

    /// The scope of the transaction in which this view is read.
    pub fn scope(self, actor: &Actor) -> Scope {
        actor.scope()
    }

    /// The relation to select from, under the alias `l` of [`super::push_where`].
    pub fn relation(self) -> &'static str {
        match self {
            Self::Bureau | Self::Chamber => "case_list",
            Self::EveryBureau => "case_list_all",
        }
    }

    pub(super) fn over_bureaus(self) -> bool {
        self != Self::Bureau
    }
}

/// Fields that may be blank: by the name of the filter or of the column.
#[rustfmt::skip]
pub(super) const BLANKABLE: &[(&str, &str, &str)] = &[
    ("taitisNumber", "taitis_number", "l.statement_number"),
    ("registerId", "register_id", "l.register_id"),
    ("mainClaimType", "main_claim_type", "l.main_claim_type_id"),
    ("claimant.regCode", "claimant_reg_code", "l.claimant_code"),
    ("claimant.dateDeath", "claimant_date_death", "l.claimant_date_death"),
    ("debtor.regCode", "debtor_reg_code", "l.debtor_code"),
    ("debtor.dateDeath", "debtor_date_death", "l.debtor_date_death"),
    ("debtorMainBankAccount", "debtor_main_bank_account", "l.debtor_main_account"),
    ("dateClosed", "date_closed", "l.date_closed"),
    ("deliveryDate", "delivery_date", "l.delivery_date"),
    ("voluntaryComplianceDate", "voluntary_compliance_date", "l.voluntary_compliance_date"),
    ("dateGraph", "date_graph", "l.date_graph"),
    ("referenceNo", "reference_no", "l.reference_no"),
    ("enforcementCaseSolution.type", "case_solution_type", "l.solution_type_id"),
    ("enforcementCaseSolution.resolver", "case_solution_resolver", "l.solution_resolver"),
    ("lastTransitionError", "last_transition_error", "l.last_transition_error"),
];
