// The wire: shapes from the API's document with wide numbers and words narrowed; only what is an open object there (rows and filters of cases) is spelled out here.
import type { Stall } from './operations'
import type { components } from './schema'

type Schemas = components['schemas']
/** A shape with some of its fields narrowed. */
type Narrow<Wide, Fields> = Omit<Wide, keyof Fields> & Fields

export type Money = { cents: number; currency: 'EUR'; tarnId?: number | null }
export type AllowedAction = Schemas['AllowedAction']
/** A v2 collection; which type its members have is not said twice. */
export type Collection<T> = { member: T[]; totalItems?: number }

export type RoleName = 'KT' | 'koda' | 'dev'
export type Role = Narrow<Schemas['RoleAnswer'], { role: RoleName }>
export type Login = Narrow<Schemas['SignInAnswer'], { role?: Role | null; roles: Role[] }>
export type User = Narrow<Schemas['UserAnswer'], { language: 'et' | 'en'; row_height: 28 | 32 | 40; roles: Role[]; job_table_column_fields?: string[] | null }>
export type UserChange = Pick<Narrow<Schemas['PreferencesInput'], Partial<Pick<User, 'language' | 'row_height' | 'job_table_column_fields'>>>, 'language' | 'row_height' | 'case_table_column_fields' | 'job_table_column_fields'>

export type CaseStatus =
  | 'open' | 'closed' | 'archived' | 'stopped' | 'tarn' | 'rejected' | 'partially_closed'
  | 'being_reopened' | 'being_closed' | 'being_partially_closed' | 'being_stopped' | 'being_unstopped'
export type PersonKind = 'private' | 'juridical'

export type CaseRow = {
  id: number
  number: string
  status: CaseStatus
  tenant_id: number
  tenant: string
  taitis_number: string | null
  last_transition_error: string | null
  problem_count?: number
  main_claim_type: string | null
  claimant_name: string | null
  claimant_reg_code: string | null
  debtor_name: string | null
  debtor_reg_code: string | null
  total_claims: Money | null
  balance: Money | null
  start_fee: Money | null
  issuer_fee: Money | null
  table_fee: Money | null
} & Record<string, unknown>

export type CaseColumn = Schemas['ColumnAnswer']
export type CaseFilters = {
  status?: CaseStatus[]
  number?: string
  'claimant.type'?: PersonKind[]
  'debtor.type'?: PersonKind[]
  'claimant.name'?: string
  'claimant.regCode'?: string
  'debtor.name'?: string
  'debtor.regCode'?: string
  mainClaimType?: number[]
  'balance.cents'?: { gte?: number; lte?: number; between?: string }
  dateOpened?: { after?: string; before?: string }
  globalSearchTerm?: string
  includeAllBailiffs?: boolean
  exists?: Record<string, boolean>
  caseSelection?: number
}
export type CaseCount = Narrow<Schemas['Count'], { byStatus?: Partial<Record<CaseStatus, number>> | null }>
export type ClaimType = Pick<Schemas['ClaimTypeAnswer'], 'id' | 'name'>

export const BulkType = { startFee: 1, close: 2, issuerFee: 3, removePrepare: 4, removeConfirm: 5, arrestPrepare: 6, arrestConfirm: 7, validate: 8, sync: 9 } as const
export type BulkTypeCode = (typeof BulkType)[keyof typeof BulkType]

/** 1 in progress, 2 ok, 3 failed, 4 cancelled, 5 warning: of actions, tasks and imports alike. */
export type WorkStatus = 1 | 2 | 3 | 4 | 5
export type TaskState = 'queued' | 'dispatched' | 'running' | 'ok' | 'failed' | 'cancelled' | 'warning'
export type BulkCounts = Schemas['CountsAnswer']
type Person = Narrow<Schemas['PersonAnswer'], { role?: RoleName | null }>
export type BulkAction = Narrow<Schemas['ActionAnswer'], {
  type: BulkTypeCode; status: WorkStatus; createdBy: Person; filters?: CaseFilters | null
  stall?: Stall | null; parent?: number | null; children?: number[]
}>
export type BulkDay = Narrow<Schemas['DayAnswer'], { member: BulkAction[] }>
export type Task = Narrow<Schemas['TaskAnswer'], { type: BulkTypeCode; status: WorkStatus; state: TaskState }>
export type Preview = Narrow<Schemas['PreviewAnswer'], { sample: CaseRow[] }>

export type ImportKind = 'taavi' | 'etaitur'
export type ImportLine = Schemas['FoundAnswer']
export type Import = Narrow<Schemas['ImportAnswer'], { type: ImportKind; status: WorkStatus }>
/** With what was wrong in the file: at most 10,000 of each, the counts tell all. */
export type WholeImport = Import & Pick<Schemas['WholeImportAnswer'], 'errors' | 'warnings'>
export type ImportTaken = Schemas['TakenAnswer']
