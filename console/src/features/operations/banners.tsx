// What is wrong, above everything: one stack, worst first, each with its cause and its act.
import { Link } from '@tanstack/react-router'
import type { Pause } from '@/api/operations'
import { BannerStack } from '@/components/ui/banner-stack'
import { Button, buttonVariants } from '@/components/ui/button'
import { Banner } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { Until } from '@/components/ui/span'
import { roleShort } from '@/features/auth/status'
import { cronWord } from '@/features/crons/status'
import { t as ofCrons } from '@/features/crons/texts'
import { queueWord } from '@/features/jobs/status'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { dateTime, whenMinute, whenShort } from '@/lib/format'
import { useEndPause, useProbe } from './queries'
import { pausedWord, registerWord } from './status'
import { t } from './texts'
import type { Trouble } from './trouble'

const strong = 'font-medium text-foreground'
const quietLink = buttonVariants({ variant: 'ghost' })

function Down({ of }: { of: Extract<Trouble, { kind: 'register' }> }) {
  const { register, queue } = of
  const probe = useProbe()
  const name = registerWord(register.name)
  return (
    <Banner
      tone="err"
      alert={false}
      icon="zap"
      title={register.openedAt ? t.down.title(name, whenShort(register.openedAt)) : t.down.untimed(name)}
      meta={
        <>
          {register.nextProbeAt ? <span>{t.down.next()} <b className={strong}>{queue?.pause ? t.down.held() : <Until at={register.nextProbeAt} />}</b></span> : null}
          <span>{t.down.probes()} <b className={strong}>{t.down.times(register.probes)}</b></span>
          {register.waitingBureaus > 0 ? <span>{t.down.bureaus()} <b className={strong}>{t.down.bureauCount(register.waitingBureaus)}</b></span> : null}
          {register.lastOkAt ? <span>{t.down.lastOk()} <b className={strong}>{whenMinute(register.lastOkAt)}</b></span> : null}
        </>
      }
      act={
        <>
          <Button reason={refusal(register, 'probe')} disabled={probe.isPending} onClick={() => probe.mutate(register.name)}><Icon name="refresh" />{t.down.probe()}</Button>
          <Link to="/errors" search={queue ? { queue: queue.name } : {}} className={quietLink}>{t.down.errors()}</Link>
        </>
      }
    >
      <p>
        {register.calls > 0 ? t.down.calls(register.failures, register.calls) : null}
        {register.lastError ? <>{register.calls > 0 ? ', ' : ''}{t.down.lastError()} <span className="font-mono text-xs break-words">{register.lastError.replace(/\.$/, '')}</span></> : null}
        {register.calls > 0 || register.lastError ? '. ' : null}
        {register.waiting.value === 0 ? t.down.noneWaiting() : t.down.waiting(countText(register.waiting), register.waiting.value === 1)}
      </p>
    </Banner>
  )
}

function Nobody({ of: { queue, lost } }: { of: Extract<Trouble, { kind: 'no_workers' }> }) {
  const seen = lost?.seenAt ?? queue.lastLostSeenAt
  return (
    <Banner tone="err" alert={false} icon="err" title={t.nobody.title(queueWord[queue.name]())} act={<Link to="/workers" className={quietLink}>{t.nobody.workers()}</Link>}>
      <p>
        {lost ? <>{t.nobody.lost()} <span className="font-mono text-xs">{lost.name}</span> {t.nobody.seen(whenShort(lost.seenAt))} </> : null}
        {!lost && seen ? `${t.nobody.seenOnly(whenShort(seen))} ` : null}
        {queue.waiting.value > 0 ? t.nobody.waiting(countText(queue.waiting), queue.waiting.value === 1) : t.nobody.none()}
      </p>
    </Banner>
  )
}

function Stuck({ of: { queue } }: { of: Extract<Trouble, { kind: 'stuck' }> }) {
  return (
    <Banner tone="err" alert={false} icon="err" title={t.stuck.title(queueWord[queue.name]())} act={<Link to="/queues/$name" params={{ name: queue.name }} className={quietLink}>{t.stuck.open()}</Link>}>
      <p>{t.stuck.text(countText(queue.waiting), queue.waiting.value === 1)}</p>
    </Banner>
  )
}

function Amiss({ of: { cron } }: { of: Extract<Trouble, { kind: 'cron' }> }) {
  const { disabled, late_since: late } = cron
  const word = cronWord(cron.name)
  return (
    <Banner
      tone="err"
      alert={false}
      icon={disabled ? 'err' : 'clock'}
      title={disabled ? t.cron.shut(word) : t.cron.late(word)}
      meta={disabled ? <span>{ofCrons.shut.since()} <b className={strong}>{whenShort(disabled.at)}</b></span> : undefined}
      act={<Link to="/crons/$id" params={{ id: String(cron.id) }} aria-label={`${ofCrons.open()}: ${word}`} className={quietLink}>{ofCrons.open()}</Link>}
    >
      <p>{disabled || !late ? ofCrons.reopen.banner() : ofCrons.lateBanner(whenMinute(late))}</p>
    </Banner>
  )
}

export function PauseBanner({ pause, onEdit }: { pause: Pause; onEdit: (pause: Pause) => void }) {
  const end = useEndPause()
  const what = pausedWord(pause)
  const by = pause.createdBy
  return (
    <Banner
      tone="warn"
      icon="pause"
      title={pause.until ? t.paused.until(what, dateTime(pause.until)) : t.paused.open(what)}
      meta={
        <>
          {by ? <span>{t.paused.by()} <b className={strong}>{by.name}</b>{by.role ? ` (${roleShort[by.role]()})` : ''}</span> : null}
          <span>{t.paused.since()} <b className={strong}>{whenShort(pause.createdAt)}</b></span>
          {pause.until ? <span>{t.paused.resumes()} <b className={strong}><Until at={pause.until} /></b></span> : <span>{t.paused.openEnd()}</span>}
        </>
      }
      act={
        <>
          <Button reason={refusal(pause, 'resume')} disabled={end.isPending} onClick={() => end.mutate(pause)}><Icon name="play" />{t.paused.resume()}</Button>
          <Button variant="ghost" reason={refusal(pause, 'edit')} onClick={() => onEdit(pause)}>{t.paused.edit()}</Button>
        </>
      }
    >
      <p className="break-words">{t.paused.quote(pause.reason)}</p>
    </Banner>
  )
}

export function Troubles({ found, onEdit }: { found: Trouble[]; onEdit: (pause: Pause) => void }) {
  if (found.length === 0) return null
  return (
    <BannerStack label={t.wrong()} said={t.wrongCount(found.length)}>
      {found.map((one) => {
        if (one.kind === 'register') return <Down key={one.key} of={one} />
        if (one.kind === 'no_workers') return <Nobody key={one.key} of={one} />
        if (one.kind === 'cron') return <Amiss key={one.key} of={one} />
        return one.kind === 'stuck' ? <Stuck key={one.key} of={one} /> : <PauseBanner key={one.key} pause={one.pause} onEdit={onEdit} />
      })}
    </BannerStack>
  )
}
