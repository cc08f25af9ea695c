// Texts of the dashboard.
import { text } from '@/lib/texts'

export const t = {
  title: text('Töölaud', 'Dashboard'),
  running: text('Töös', 'Running'),
  runningHint: text('masstegevused ja impordid praegu', 'bulk actions and imports right now'),
  nothingRuns: text('Praegu ei tööta midagi.', 'Nothing is running.'),
  attention: text('Vajab inimest', 'Needs a person'),
  attentionHint: text('viimase 14 tegevuspäeva ebaõnnestunud ja hoiatusega', 'failed or ended with a warning on the last 14 days that had bulk actions'),
  nothingFailed: text('Kõik on korras.', 'All is well.'),
  finished: text('Lõppenud', 'Finished'),
  finishedHint: text('viimased masstegevused', 'the latest bulk actions'),
  nothingFinished: text('Lõppenud masstegevusi veel ei ole.', 'No bulk action has finished yet.'),
  imports: text('Impordid', 'Imports'),
  importsHint: text('viimased kümme', 'the latest ten'),
  noImports: text('Ühtegi faili ei ole imporditud.', 'No file has been imported.'),
  actionsFailed: text('Masstegevuste laadimine ebaõnnestus', 'Bulk actions could not be loaded'),
  importsFailed: text('Importide laadimine ebaõnnestus.', 'The imports could not be loaded.'),
  all: text('kõik masstegevused', 'all bulk actions'),
  import: text('Impordi CSV', 'Import CSV'),
}
