// The states of an action's tasks as index tabs with their counts.
import type { BulkAction } from '@/api/types'
import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import { type IndexTab, IndexTabs } from '@/components/ui/sheet'
import { TASK_TABS, type TaskSearch, type TaskTab, tabCount } from './task-search'
import { t } from './texts'
import { countWord, workLook } from './status'

const look: Record<TaskTab, { word: () => string; icon: IconName; tone: Tone }> = {
  failed: workLook[3],
  warning: workLook[5],
  running: workLook[1],
  queued: { word: () => capital(countWord.queued()), icon: 'queued', tone: 'queued' },
  ok: workLook[2],
  cancelled: workLook[4],
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function TaskTabs({ action, search }: { action: BulkAction; search: TaskSearch }) {
  const tabs = [undefined, ...TASK_TABS].map((tab): IndexTab => {
    const params = { id: String(action.id) }
    return {
      key: tab ?? 'all',
      word: tab ? look[tab].word() : t.all(),
      count: tabCount(tab, action.counts),
      ...(tab ? { icon: look[tab].icon, tone: look[tab].tone } : {}),
      current: search.tab === tab,
      link: { to: '/bulk_actions/$id', params, search: { ...search, tab, page: undefined, task: undefined, group: undefined } },
    }
  })
  return <IndexTabs label={t.tabs()} tabs={tabs} />
}
