// The refresh contract: how old the data is, refresh now, and how often it refreshes by itself.
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import { text } from '@/lib/texts'
import type { PollEvery } from '@/lib/use-poll'
import { Button } from './button'
import { Icon } from './icons'
import { Menu, MenuChoice } from './menu'

const texts = {
  now: text('Värskenda kohe', 'Refresh now'),
  every: text('Värskendamine', 'Refreshing'),
  auto: text('automaatne', 'automatic'),
  off: text('väljas', 'off'),
  seconds: text((n: number) => `iga ${n} s`, (n) => `every ${n} s`),
}

const CHOICES: PollEvery[] = ['auto', 'off', 2, 5, 10, 30, 60]

function word(every: PollEvery): string {
  if (every === 'auto') return texts.auto()
  return every === 'off' ? texts.off() : texts.seconds(every)
}

export function Fresh({ at, every, choices = CHOICES, onEvery, onRefresh, busy }: { at: number; every: PollEvery; choices?: PollEvery[]; onEvery: (every: PollEvery) => void; onRefresh: () => void; busy: boolean }) {
  return (
    <span data-slot="fresh" className="inline-flex items-center gap-2 text-xs whitespace-nowrap text-muted-foreground max-sm:w-full max-sm:justify-between">
      <span>{common.dataFrom()} <b className="font-medium text-foreground">{at ? timeOf(at) : '–'}</b></span>
      <span className="inline-flex">
        <Button size="icon" className="rounded-r-none max-sm:size-10" aria-label={texts.now()} title={texts.now()} disabled={busy} onClick={onRefresh}><Icon name="refresh" className="size-3.5!" /></Button>
        <Menu trigger={<Button className="-ml-px rounded-l-none max-sm:h-10">{word(every)}<Icon name="down" /></Button>}>
          <MenuChoice label={texts.every()} value={String(every)} onChange={(value) => onEvery(choices.find((choice) => String(choice) === value) ?? every)} options={choices.map((choice) => ({ value: String(choice), word: word(choice) }))} />
        </Menu>
      </span>
    </span>
  )
}
