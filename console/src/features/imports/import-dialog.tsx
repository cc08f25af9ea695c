// CSV import: choose kind and file, watch the upload, then the work and its result.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, report } from '@/api/errors'
import type { ImportKind } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Hint } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { PercentBar } from '@/components/ui/progress'
import { common } from '@/lib/common'
import { decimal } from '@/lib/format'
import { toasts } from '@/lib/toasts'
import { cn } from '@/lib/utils'
import { ImportResult } from './import-result'
import { MAX_BYTES, sendImport } from './queries'
import { t } from './texts'

function FilePicker({ file, problem, first, onPick }: { file: File | null; problem: string | null; first: React.RefObject<HTMLButtonElement | null>; onPick: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <div className="grid gap-1.5">
      <div
        role="group"
        aria-label={t.file()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const dropped = event.dataTransfer.files[0]
          if (dropped) onPick(dropped)
        }}
        className={cn('flex flex-wrap items-center gap-3 rounded-md border border-dashed border-input px-4 py-5', over && 'border-ring bg-selected')}
      >
        <Button ref={first} onClick={() => input.current?.click()}><Icon name="file" />{t.choose()}</Button>
        <input
          ref={input}
          type="file"
          accept="text/csv,.csv,.txt"
          aria-label={t.file()}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const picked = event.target.files?.[0]
            if (picked) onPick(picked)
            event.target.value = ''
          }}
        />
        {file ? <span className="min-w-0 truncate"><b className="font-medium">{file.name}</b> <span className="text-muted-foreground">· {decimal(file.size / 1_048_576)} MB</span></span> : <span className="text-muted-foreground">{t.drop()}</span>}
      </div>
      {problem ? <p role="alert" className="text-xs text-err">{problem}</p> : <Hint>{t.fileHint()}</Hint>}
    </div>
  )
}

function checkFile(file: File): string | null {
  if (file.size > MAX_BYTES) return t.tooLarge()
  return file.size === 0 ? t.empty() : null
}

export default function ImportDialog({ id, onStarted, onClose }: { id: number | undefined; onStarted: (id: number) => void; onClose: () => void }) {
  const [kind, setKind] = useState<ImportKind>('taavi')
  const [file, setFile] = useState<File | null>(null)
  const [percent, setPercent] = useState(0)
  const client = useQueryClient()
  const first = useRef<HTMLButtonElement>(null)
  // One key for this file: a second click is the first one's echo.
  const key = useRef(crypto.randomUUID())
  // Who leaves the dialog wants no import: what is still being sent stops, and a late answer opens nothing.
  const sending = useRef<AbortController>(null)
  useEffect(() => () => sending.current?.abort(), [])
  const problem = file ? checkFile(file) : null
  const send = useMutation({
    mutationFn: (chosen: File) => {
      sending.current = new AbortController()
      return sendImport(kind, chosen, key.current, setPercent, sending.current.signal)
    },
    meta: { quiet: true },
    onSuccess: async (answer) => {
      toasts.success(answer.message || t.taken())
      await client.invalidateQueries({ queryKey: ['imports'] })
      if (!sending.current?.signal.aborted) onStarted(answer.id)
    },
    onError: (error) => {
      // Without an answer the file may have arrived: the same key finds its import.
      if (error instanceof ApiError && error.status >= 400) key.current = crypto.randomUUID()
      // It may have arrived in the last moment: the list of imports knows.
      if (sending.current?.signal.aborted) return client.invalidateQueries({ queryKey: ['imports'] })
      if (error instanceof ApiError && error.status === 0) toasts.error(t.uploadFailed())
      else report(error, t.uploadFailed())
    },
  })

  if (id !== undefined) {
    return (
      <Dialog open onClose={() => { void client.invalidateQueries({ queryKey: ['cases'] }); onClose() }} title={t.resultTitle(id)} closeLabel={common.closeWindow()} size="wide">
        <DialogBody><ImportResult id={id} /></DialogBody>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      title={t.title()}
      closeLabel={common.closeWindow()}
      footer={
        <div className="ml-auto flex gap-3">
          <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" disabled={!file || problem !== null} reason={send.isPending ? t.uploading(percent) : null} onClick={() => { if (file) send.mutate(file) }}>{t.start()}</Button>
        </div>
      }
    >
      <DialogBody className="grid gap-4">
        <fieldset className="flex items-center gap-4" disabled={send.isPending}>
          <legend className="mb-1.5 text-xs font-medium">{t.kind()}</legend>
          {(['taavi', 'etaitur'] as const).map((one) => (
            <label key={one} className="flex min-h-6 items-center gap-1.5">
              <input type="radio" name="kind" className="size-3.5 accent-ring" checked={kind === one} onChange={() => { key.current = crypto.randomUUID(); setKind(one) }} />
              {t.kinds[one]()}
            </label>
          ))}
        </fieldset>
        {send.isPending ? (
          <div className="grid gap-2">
            <p role="status">{t.uploading(percent)}</p>
            <PercentBar label={t.uploading(percent)} percent={percent} />
          </div>
        ) : (
          <FilePicker
            file={file}
            problem={problem}
            first={first}
            onPick={(picked) => {
              key.current = crypto.randomUUID()
              setFile(picked)
            }}
          />
        )}
      </DialogBody>
    </Dialog>
  )
}
