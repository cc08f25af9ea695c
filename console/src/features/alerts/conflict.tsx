// What to do where somebody was faster: the rule was changed or deleted while another typed.
import { Button } from '@/components/ui/button'
import { Banner } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import type { Difference, Draft, Met } from './draft'
import { t } from './texts'

export function Conflict({ met, differences, wordOf, onLoad, onClose }: { met: Met; differences: Difference[]; wordOf: (name: keyof Draft, value: Draft[keyof Draft]) => string; onLoad: () => void; onClose: () => void }) {
  const c = t.editor.conflict
  if (met.kind === 'gone') return <Banner alert tone="warn" icon="warn" title={c.gone()} act={<Button className="max-sm:h-10" onClick={onClose}>{c.close()}</Button>}><p>{c.goneHint()}</p></Banner>
  return (
    <Banner
      alert
      tone="warn"
      icon="warn"
      title={met.loaded ? c.loaded() : c.changed()}
      act={met.loaded ? undefined : <Button className="max-sm:h-10" onClick={onLoad}><Icon name="refresh" />{c.load()}</Button>}
    >
      <p>{differences.length === 0 ? c.same() : met.loaded ? c.typed() : c.differs()}</p>
      {differences.length > 0 ? (
        <ul className="num mt-1 grid gap-0.5 text-xs">
          {differences.map(({ name, mine, now }) => <li key={name}>{t.editor.fields[name]()}: {c.pair(wordOf(name, mine), wordOf(name, now))}</li>)}
        </ul>
      ) : null}
    </Banner>
  )
}
