// How queues, kinds of jobs, registers and processes are named, and how their states are said.
import type { Pause, QueueAnswer, QueueState, RegisterState, WorkerState } from '@/api/operations'
import { Badge, type Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import { kindWord, queueWord } from '@/features/jobs/status'
import { text } from '@/lib/texts'
import { isIdle } from './trouble'

const registers: Record<string, () => string> = {
  tarn: text('Täitmisregister', 'National register'),
}

export function registerWord(name: string): string {
  return registers[name]?.() ?? name
}

type Look = { word: () => string; tone: Tone; icon: IconName }

const queueLook: Record<QueueState, Look> = {
  no_workers: { word: text('Seisab', 'Stands'), tone: 'err', icon: 'err' },
  register_down: { word: text('Register ei vasta', 'Register down'), tone: 'err', icon: 'zap' },
  stuck: { word: text('Ei liigu', 'Stuck'), tone: 'err', icon: 'err' },
  paused: { word: text('Peatatud', 'Paused'), tone: 'warn', icon: 'pause' },
  working: { word: text('Töötab', 'Working'), tone: 'run', icon: 'run' },
  ok: { word: text('Korras', 'All well'), tone: 'ok', icon: 'ok' },
}

const idleLook: Look = { word: text('Töötlejaid ei ole', 'No workers'), tone: 'queued', icon: 'skip' }

export function lookOf(queue: QueueAnswer): Look {
  if (!isIdle(queue)) return queueLook[queue.state]
  return queue.pause ? queueLook.paused : idleLook
}

export const registerLook: Record<RegisterState, Look> = {
  open: { word: text('Ei vasta', 'Does not answer'), tone: 'err', icon: 'zap' },
  recovering: { word: text('Taastub', 'Recovering'), tone: 'warn', icon: 'retry' },
  closed: { word: text('Vastab', 'Answers'), tone: 'ok', icon: 'ok' },
}

export const workerLook: Record<WorkerState, Look> = {
  alive: { word: text('Elus', 'Alive'), tone: 'ok', icon: 'ok' },
  doubtful: { word: text('Kahtlane', 'Doubtful'), tone: 'warn', icon: 'half' },
  lost: { word: text('Kadunud', 'Lost'), tone: 'err', icon: 'err' },
  stopped: { word: text('Lõpetanud', 'Stopped'), tone: 'queued', icon: 'stop' },
}

export function LookBadge({ look, box, className }: { look: Look; box?: boolean; className?: string }) {
  return <Badge tone={look.tone} icon={look.icon} {...(box ? { box } : {})} {...(className ? { className } : {})}>{look.word()}</Badge>
}

/** The edge of a row: red where it stands, yellow where somebody holds it. */
export function edgeOf(tone: Tone): 'err' | 'warn' | undefined {
  return tone === 'err' || tone === 'warn' ? tone : undefined
}

const paused = {
  queue: text((name: string) => `Järjekord ${name}`, (name) => `The queue ${name}`),
  kind: text((name: string) => `Töö liik „${name}“`, (name) => `The kind “${name}”`),
  bureau: text((code: string, name: string) => `Büroo ${code} (${name})`, (code, name) => `Bureau ${code} (${name})`),
}

/** What a pause holds: "Järjekord Arestid". */
export function pausedWord(of: Pick<Pause, 'queue' | 'kind' | 'bureau'>): string {
  if (of.queue) return paused.queue(queueWord[of.queue]())
  return of.bureau ? paused.bureau(of.bureau.code, of.bureau.name) : paused.kind(kindWord(of.kind ?? ''))
}

