// A set of cases in words: the lead, and clauses whose values are set in bold.
export type Said = { lead: string; clauses: Array<{ before: string; value: string }> }
