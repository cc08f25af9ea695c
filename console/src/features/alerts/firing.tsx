// What is firing now, loud, above everything else; one quiet line when nothing is.
import { Link } from '@tanstack/react-router'
import { BannerStack } from '@/components/ui/banner-stack'
import { buttonVariants } from '@/components/ui/button'
import { Banner } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { PathLink } from '@/components/ui/path-link'
import { Age } from '@/components/ui/span'
import { whenMinute } from '@/lib/format'
import { useNow } from '@/lib/use-now'
import { cn } from '@/lib/utils'
import type { Unevaluated } from './evaluation'
import type { Alert, AlertRule } from './queries'
import { SilenceMenu } from './rule-list'
import { isPlain, ruleWord, silencedNow, valueWord } from './status'
import { t } from './texts'

const strong = 'font-medium text-foreground'

function One({ alert, rule }: { alert: Alert; rule: AlertRule | undefined }) {
  const now = useNow(false)
  const silenced = rule ? silencedNow(rule, now) : null
  const { measure } = alert.rule
  return (
    <Banner
      tone="err"
      alert={false}
      icon="bell"
      title={`${ruleWord(alert.rule)}.`}
      meta={
        <>
          <span>{t.firing.since()} <b className={strong}>{whenMinute(alert.firedAt)}</b></span>
          <span>{t.firing.lasts()} <b className={strong}><Age at={alert.firedAt} /></b></span>
          {isPlain(measure) ? null : <span>{t.firing.now()} <b className={strong}>{valueWord(measure, rule?.value)}</b></span>}
          {isPlain(measure) ? null : <span>{t.firing.peak()} <b className={strong}>{valueWord(measure, alert.peak)}</b></span>}
          {silenced ? <span>{t.firing.silenced()} <b className={strong}>{whenMinute(silenced)}</b></span> : null}
          {alert.silenced ? <span>{t.firing.told()}</span> : null}
        </>
      }
      act={
        <>
          <PathLink path={alert.link} className={cn(buttonVariants({}), 'max-sm:h-10')}>{t.firing.see()}</PathLink>
          {rule ? <SilenceMenu rule={rule}><Icon name="mute" />{t.silence.act()}</SilenceMenu> : null}
        </>
      }
    />
  )
}

/** No rule is looked at: louder than what it looked like last. */
export function Stopped({ of }: { of: Unevaluated }) {
  const said = t.firing.stopped
  return (
    <div className="mb-3 flex-none">
      <Banner
        tone="err"
        icon="warn"
        title={of.since ? said.since(whenMinute(of.since)) : said.now()}
        act={<Link to="/crons/$id" params={{ id: String(of.cron) }} className={cn(buttonVariants({}), 'max-sm:h-10')}>{said.open()}</Link>}
      >
        <p>{said.why[of.why]()} {said.what()}</p>
      </Banner>
    </div>
  )
}

/** `quiet`: whether it may be said that nothing fires. */
export function Firing({ alerts, rules, quiet }: { alerts: Alert[]; rules: AlertRule[]; quiet: boolean }) {
  if (alerts.length === 0) return quiet ? <p role="status" className="mb-3 flex flex-none items-center gap-2 rounded-lg border border-border-strong bg-card px-3 py-2.5 text-muted-foreground"><Icon name="ok" className="text-ok" />{t.firing.none()}</p> : null
  return (
    <BannerStack label={t.firing.title()} said={t.firing.count(alerts.length)}>
      {alerts.map((alert) => <One key={alert.id} alert={alert} rule={rules.find((one) => one.id === alert.rule.id)} />)}
    </BannerStack>
  )
}
