// The views of a page: opening one, saving the present filters as one.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu'
import { Piece } from '@/components/ui/piece'
import { useSaveView, viewsQuery } from './queries'
import { t } from './texts'
import { queryOf, searchOf, VIEW_PAGES, type ViewPage } from './view'

const ViewDialog = lazy(() => import('./view-dialog'))

export function ViewsMenu({ page, search }: { page: ViewPage; search: Record<string, unknown> }) {
  const views = useQuery(viewsQuery(page)).data?.member ?? []
  const [saving, setSaving] = useState(false)
  const save = useSaveView()
  const navigate = useNavigate()
  const query = queryOf(search)
  const current = query === '' ? undefined : views.find((view) => view.query === query)
  return (
    <>
      <Menu trigger={<Button className="max-w-64"><Icon name="bookmark" /><span className="truncate">{current ? t.current(current.name) : t.button()}</span><Icon name="down" /></Button>}>
        {views.length === 0 ? <MenuItem disabled>{t.noneInMenu()}</MenuItem> : null}
        {views.map((view) => (
          <MenuItem
            key={view.id}
            icon={<Icon name={view.id === current?.id ? 'check' : 'bookmark'} />}
            hint={view.mine ? undefined : t.sharedBy(view.createdBy.name)}
            onClick={() => void navigate({ to: VIEW_PAGES[page], search: searchOf(view.query) as never })}
          >
            {view.name}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon={<Icon name="plus" />} onClick={() => setSaving(true)}>{t.save()}</MenuItem>
        <MenuItem icon={<Icon name="pen" />} onClick={() => void navigate({ to: '/views' })}>{t.manage()}</MenuItem>
      </Menu>
      {saving ? (
        <Piece onLost={() => setSaving(false)}>
          <ViewDialog busy={save.isPending} onClose={() => setSaving(false)} onSave={(view) => save.mutate({ page, query, ...view }, { onSuccess: () => setSaving(false) })} />
        </Piece>
      ) : null}
    </>
  )
}
