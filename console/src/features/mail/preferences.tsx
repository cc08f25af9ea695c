// The person's own choice of mails: a switch for each kind, saved at once.
import { useQuery } from '@tanstack/react-query'
import { Switch } from '@/components/ui/checkbox'
import { Bone, LineFailed, useLate } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { useUser } from '@/features/auth/queries'
import { preferencesQuery, useChooseMail } from './queries'
import { mailKindWhen, mailKindWord } from './status'
import { t } from './texts'

function Address({ email }: { email: string | null | undefined }) {
  if (email) return <p>{t.preferences.to()} <b className="font-medium wrap-anywhere">{email}</b></p>
  return (
    <div className="flex gap-2 rounded-md border border-border-strong bg-muted px-3 py-2.5">
      <Icon name="warn" className="mt-0.5 text-warn" />
      <div>
        <p className="font-medium">{t.preferences.none()}</p>
        <p>{t.preferences.ask()}</p>
      </div>
    </div>
  )
}

export function Preferences() {
  const found = useQuery({ ...preferencesQuery, refetchOnWindowFocus: false })
  const roles = useUser()?.roles ?? []
  const choose = useChooseMail()
  const late = useLate(found.isPending)
  if (found.isError && !found.data) return <p><LineFailed title={t.preferences.loadFailed()} error={found.error} onRetry={() => void found.refetch()} /></p>
  if (!found.data) return <div className="grid min-h-60 content-start gap-6 py-2">{late ? ['w-2/3', 'w-1/2', 'w-3/4', 'w-1/2'].map((width, index) => <Bone key={index} className={width} />) : null}</div>
  const { email, kinds } = found.data
  return (
    <div className="grid gap-4">
      <Address email={email} />
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-xs font-medium">{t.preferences.what()}</legend>
        {kinds.map(({ kind, wanted, default: usual }) => (
          <Switch
            key={kind}
            label={mailKindWord(kind)}
            hint={[mailKindWhen(kind, roles), usual ? t.preferences.usuallyOn() : t.preferences.usuallyOff()].filter(Boolean).join(' · ')}
            checked={choose.isPending && choose.variables.kind === kind ? choose.variables.wanted : wanted}
            onChange={(next) => { if (!choose.isPending) choose.mutate({ kind, wanted: next }) }}
          />
        ))}
      </fieldset>
    </div>
  )
}
