// Sign-in: a password tab and a tab for the national provider.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Empty } from '@/components/ui/feedback'
import { Field, Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { IndexTabs, Sheet } from '@/components/ui/sheet'
import { Gate } from './gate'
import { signIn } from './queries'
import { t } from './texts'

/** The __Host- cookie needs a secure context; localhost counts as one. */
function cookieWorks(): boolean {
  return window.isSecureContext
}

function failure(error: unknown): string {
  if (!(error instanceof ApiError)) return t.noAnswer()
  if (error.status === 0 || error.status >= 500) return t.noAnswer()
  if (error.status === 429) return error.retryAfterMs > 0 ? t.tooMany(Math.ceil(error.retryAfterMs / 1000)) : sentence(error, t.wrong())
  return t.wrong()
}

function PasswordForm() {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [failed, setFailed] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const [caps, setCaps] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/signin' })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!username || !password || sending) return
    setSending(true)
    try {
      await signIn(username, password)
      await navigate({ to: '/choose-role', search: to ? { to } : {} })
    } catch (error) {
      setPassword('')
      setFailed(failure(error))
      field.current?.focus()
    } finally {
      setSending(false)
    }
  }

  const watchCaps = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  const hint = [failed ? t.again() : null, caps ? t.capsLock() : null].filter(Boolean).join(' ')
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {cookieWorks() ? null : <p role="alert" className="rounded-md bg-warn-bg px-2.5 py-2 font-medium text-warn">{t.insecure()}</p>}
      {failed ? (
        <p role="alert" className="flex gap-2 rounded-md bg-err-bg px-2.5 py-2 font-medium text-err">
          <Icon name="err" className="mt-0.5" />
          {failed}
        </p>
      ) : null}
      <Field label={t.username()}>
        {(ids) => <Input large autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus value={username} onChange={(event) => setUsername(event.target.value)} {...ids} />}
      </Field>
      <Field label={t.password()} hint={hint || undefined}>
        {(ids) => (
          <Input
            large ref={field} type="password" autoComplete="current-password" invalid={failed !== null} value={password}
            onChange={(event) => setPassword(event.target.value)} onKeyUp={watchCaps} {...ids}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" disabled={!username || !password || sending}>{t.signIn()}</Button>
    </form>
  )
}

function Provider() {
  return (
    <Empty icon="id" title={t.providerMissing()} act={<Link to="/signin" className="link">{t.usePassword()}</Link>}>
      {t.providerHint()}
    </Empty>
  )
}

export function SignInPage() {
  const { way, to } = useSearch({ from: '/signin' })
  const keep = to ? { to } : {}
  return (
    <Gate>
      <p className="mb-6 text-muted-foreground">{t.lead()}</p>
      <h1 className="sr-only" tabIndex={-1}>{t.title()}</h1>
      <IndexTabs
        className="px-4"
        label={t.ways()}
        tabs={[
          { key: 'password', word: t.password(), icon: 'key', current: way !== 'provider', link: { to: '/signin', search: keep } },
          { key: 'provider', word: t.provider(), icon: 'id', current: way === 'provider', link: { to: '/signin', search: { ...keep, way: 'provider' } } },
        ]}
      />
      <Sheet className="p-6">{way === 'provider' ? <Provider /> : <PasswordForm />}</Sheet>
    </Gate>
  )
}
