// How high rows are: three sizes, kept with the user.
import { useId } from 'react'
import { text } from '@/lib/texts'
import { cn } from '@/lib/utils'

export type RowSize = 28 | 32 | 40
const texts = { label: text('Rea kõrgus', 'Row height'), 28: text('Tihe', 'Compact'), 32: text('Tavaline', 'Normal'), 40: text('Hõre', 'Roomy') }
const SIZES: RowSize[] = [28, 32, 40]

export function RowHeight({ value, onChange }: { value: RowSize; onChange: (value: RowSize) => void }) {
  const id = useId()
  return (
    <div className="mt-2 grid gap-1.5 border-t pt-3" role="radiogroup" aria-labelledby={id}>
      <span id={id} className="text-xs text-muted-foreground">{texts.label()}</span>
      <span className="inline-flex h-7 overflow-hidden rounded-md border border-input has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring">
        {SIZES.map((size) => (
          <label key={size} className={cn('flex-1 cursor-pointer border-l border-border text-center text-xs leading-[26px] text-muted-foreground first:border-l-0', value === size && 'bg-foreground font-medium text-card')}>
            <input type="radio" name={id} className="sr-only" checked={value === size} onChange={() => onChange(size)} />
            {texts[size]()}
          </label>
        ))}
      </span>
    </div>
  )
}
