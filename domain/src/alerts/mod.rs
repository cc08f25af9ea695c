//! Alerts: rules over the figures of each minute that the pages show. `series` reads them, `episodes` decides when a rule
//! holds, `evaluate` opens and ends alerts, `tell` sends word, `rules` and `view` are for people.
mod episodes;
mod evaluate;
mod rules;
mod series;
mod tell;
mod view;

pub use episodes::{Episode, Limit, Sample, episodes};
pub use evaluate::{Evaluated, evaluate};
pub use rules::{Draft, MEASURES, Subject, Watched, change, create, delete, rights, silence};
pub use series::{FEWEST_ENDED, note, read};
pub use view::{
    AlertView, Preview, RuleView, Watch, Which, firing, link, list, preview, rule, rules,
};
