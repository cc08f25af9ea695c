// All that the palette offers for what is typed: cases and a job by number, pages, commands, a search among the cases.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { IconName } from '@/components/ui/icons'
import { CaseNumber } from '@/components/ui/figures'
import { useRole, useSaveUser, useUser } from '@/features/auth/queries'
import { casesByNumberQuery } from '@/features/cases/queries'
import { jobQuery } from '@/features/jobs/queries'
import { JobBadge, kindWord, queueWord } from '@/features/jobs/status'
import { language, setLanguage } from '@/lib/texts'
import { toggleTheme, useDark } from '@/lib/theme'
import { pagesOf } from '../pages'
import { caseNumberStart, type Item, jobNumber, matching } from './items'
import { t } from './texts'

export type PaletteItem = Item & {
  icon: IconName
  /** What is shown, where it is more than the word. */
  shown?: ReactNode
  keys?: string
  run: () => void
  /** Whether it leads to another page, whose heading then gets the focus. */
  leaves: boolean
}
export type PaletteGroup = { value: string; items: PaletteItem[] }

const DELAY_MS = 150

/** The value as it was when it last stood still for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

function useCases(typed: string): { items: PaletteItem[]; searching: boolean; failed: boolean } {
  const navigate = useNavigate()
  const start = caseNumberStart(typed)
  const settled = useSettled(start ?? '')
  const found = useQuery({ ...casesByNumberQuery(settled), enabled: settled !== '' && start !== null })
  if (start === null) return { items: [], searching: false, failed: false }
  const items = (settled ? (found.data?.member ?? []) : []).filter((row) => row.number.startsWith(start)).map((row): PaletteItem => ({
    key: `case-${row.id}`,
    word: row.number,
    find: '',
    icon: 'folder',
    shown: <><CaseNumber number={row.number} /> <span className="text-muted-foreground">{row.debtor_name}</span></>,
    run: () => void navigate({ to: '/case_list', search: { status: 'all', number: row.number, ...(row.status === 'archived' ? { archived: true } : {}) } }),
    leaves: true,
  }))
  return { items, searching: settled !== start || found.isFetching, failed: found.isError }
}

/** The job of this number, once the server knows of it. */
function useJob(typed: string): PaletteItem[] {
  const navigate = useNavigate()
  const id = jobNumber(typed)
  const settled = useSettled(id ?? '')
  const job = useQuery({ ...jobQuery(Number(settled)), enabled: settled !== '' && settled.length < 16, refetchOnWindowFocus: false }).data
  if (id === null || !job || String(job.id) !== id) return []
  return [{
    key: `job-${id}`,
    word: t.job(id),
    find: '',
    icon: 'job',
    shown: <span className="flex items-center gap-2.5">{t.job(id)} <span className="truncate text-muted-foreground">{kindWord(job.kind)} {job.caseNumber}</span> <JobBadge job={job} /></span>,
    run: () => void navigate({ to: '/jobs/$id', params: { id } }),
    leaves: true,
  }]
}

function useCommands(onHelp: () => void): PaletteItem[] {
  const navigate = useNavigate()
  const user = useUser()
  const role = useRole()
  const save = useSaveUser()
  const dark = useDark()
  const other = language() === 'et' ? 'en' : 'et'
  const command = (key: string, icon: IconName, word: string, find: string, run: () => void, leaves = false): PaletteItem => ({ key, icon, word, find, run, leaves })
  const commands = [
    command('theme', dark ? 'sun' : 'moon', dark ? t.light() : t.dark(), 'teema kujundus theme dark light hele tume', toggleTheme),
    command('language', 'globe', t.language(), 'keel language inglise eesti english estonian', () => {
      save.mutate({ language: other })
      setLanguage(other)
      // Everything is drawn anew.
      requestAnimationFrame(() => document.getElementById('palette-opener')?.focus())
    }),
    ...([28, 32, 40] as const).filter((height) => height !== user?.row_height).map((height) =>
      command(`rows-${height}`, 'menu', t.rows[height](), 'rea kõrgus ridade row height', () => save.mutate({ row_height: height }))),
    command('help', 'help', t.help(), 'abi kiirklahvid klaviatuur help keyboard shortcuts', onHelp),
    command('out', 'out', t.signOut(), 'lahku välju logout sign out', () => void navigate({ to: '/logout' }), true),
  ]
  if (role?.role === 'dev') commands.unshift(command('pause', 'pause', t.pauseQueue(), 'järjekord seiska pause queue stop', () => void navigate({ to: '/queues' }), true))
  if (role?.role === 'KT') commands.unshift(command('import', 'upload', t.import(), 'lae fail csv upload file', () => void navigate({ to: '/case_list', search: { dialog: 'import' } }), true))
  return commands
}

export function useItems(typed: string, onHelp: () => void): { groups: PaletteGroup[]; searching: boolean; failed: boolean } {
  const navigate = useNavigate()
  const role = useRole()?.role
  const cases = useCases(typed)
  const jobs = useJob(typed)
  const commands = useCommands(onHelp)
  const clean = typed.trim()
  const pages = pagesOf(role).map((page): PaletteItem => ({
    key: `page-${page.to}`,
    word: page.word(),
    find: `${page.find} ava open`,
    icon: page.icon,
    ...(page.key ? { keys: `g ${page.key}` } : {}),
    run: () => void navigate({ to: page.to }),
    leaves: true,
  }))
  const queues = (Object.keys(queueWord) as Array<keyof typeof queueWord>).map((name): PaletteItem => ({
    key: `queue-${name}`, word: t.queue(queueWord[name]()), find: `queue ${name}`, icon: 'queue', leaves: true,
    run: () => void navigate({ to: '/queues/$name', params: { name } }),
  }))
  const search: PaletteItem = {
    key: 'search', word: t.searchCases(clean), find: '', icon: 'search', leaves: true,
    run: () => void navigate({ to: '/case_list', search: { status: 'all', q: clean } }),
  }
  const groups = [
    { value: t.cases(), items: cases.items },
    { value: t.jobs(), items: jobs },
    { value: t.pages(), items: matching(clean ? [...pages, ...queues] : pages, clean) },
    { value: t.commands(), items: [...matching(commands, clean), ...(clean.length > 1 ? [search] : [])] },
  ]
  return { groups: groups.filter((group) => group.items.length > 0), searching: cases.searching, failed: cases.failed }
}
