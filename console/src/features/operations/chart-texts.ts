// Texts of the charts of a queue and of their table.
import { num } from '@/lib/format'
import { text } from '@/lib/texts'

export const t = {
  title: text('Kulg', 'Course'),
  range: text('Ajavahemik', 'Range'),
  ranges: {
    '1h': text('1 h', '1 h'), '6h': text('6 h', '6 h'), '24h': text('24 h', '24 h'), '7d': text('7 päeva', '7 days'), '90d': text('90 päeva', '90 days'),
  },
  kind: text('Töö liik', 'Kind'),
  allKinds: text('kõik', 'all'),
  asTable: text('Tabelina', 'As a table'),
  asChart: text('Graafikuna', 'As a chart'),
  ends: text('Lõpetatud ja ebaõnnestunud', 'Done and failed'),
  waiting: text('Ootel', 'Waiting'),
  waits: text('Ooteaeg', 'Time waited'),
  runs: text('Tööaeg', 'Time run'),
  ok: text('õnnestunud', 'succeeded'),
  warning: text('hoiatusega', 'with a warning'),
  failed: text('ebaõnnestunud', 'failed'),
  cancelled: text('katkestatud', 'cancelled'),
  p50: text('pooled kuni (p50)', 'half within (p50)'),
  p95: text('95 % kuni (p95)', '95 % within (p95)'),
  at: text('Algus', 'From'),
  waitP50: text('Ooteaeg p50', 'Waited p50'),
  waitP95: text('Ooteaeg p95', 'Waited p95'),
  runP50: text('Tööaeg p50', 'Ran p50'),
  runP95: text('Tööaeg p95', 'Ran p95'),
  said: text(
    (done: number, warning: number, failed: number, most: number | null) => `Õnnestunud ${num(done)}, hoiatusega ${num(warning)}, ebaõnnestunud ${num(failed)}${most === null ? '' : `, korraga ootel kuni ${num(most)}`}.`,
    (done, warning, failed, most) => `${num(done)} succeeded, ${num(warning)} with a warning, ${num(failed)} failed${most === null ? '' : `, up to ${num(most)} waiting at once`}.`,
  ),
  step: text((span: string) => `Samm ${span}.`, (span) => `Step ${span}.`),
  none: text('Selles ajavahemikus töid ei olnud', 'There were no jobs in this range'),
  noneHint: text('Vali pikem ajavahemik või teine liik. Arvud lisanduvad kord minutis.', 'Choose a longer range or another kind. The figures come once a minute.'),
  clearKind: text('Kõik liigid', 'All kinds'),
  loadFailed: text('Graafiku andmete laadimine ebaõnnestus.', 'The figures of the chart could not be loaded.'),
  pieceLost: text('Graafikut ei saanud laadida; näitame tabelit.', 'The chart could not be loaded; here is the table.'),
}
