// Role choice: a greeting and the roles of the person, bureau by bureau.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { report } from '@/api/errors'
import { useSession } from '@/api/session'
import { Icon } from '@/components/ui/icons'
import { Sheet } from '@/components/ui/sheet'
import { common } from '@/lib/common'
import { setLanguage } from '@/lib/texts'
import { Gate } from './gate'
import { roleOf, selectRole, useUser } from './queries'
import { roleWord } from './status'
import { t } from './texts'

export function ChooseRolePage() {
  const user = useUser()
  const current = roleOf(user, useSession())
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/choose-role' })
  const [choosing, setChoosing] = useState<number | null>(null)
  useEffect(() => {
    if (user) setLanguage(user.language)
  }, [user])

  async function pick(id: number) {
    if (choosing !== null) return
    setChoosing(id)
    try {
      await selectRole(id)
      await navigate({ to: to ?? '/dashboard' })
    } catch (error) {
      report(error, t.roleFailed())
      setChoosing(null)
    }
  }

  if (!user) return <Gate><p className="min-h-40" /></Gate>
  return (
    <Gate>
      <h1 className="mt-5" tabIndex={-1}>{t.hello(user.name)}</h1>
      <p className="mb-4 text-muted-foreground">{user.roles.length > 0 ? t.choose() : t.noRoles()}</p>
      {user.roles.length > 0 ? (
        <Sheet className="overflow-hidden" aria-label={t.roles()}>
          {user.roles.map((role) => (
            <button
              key={role.id}
              type="button"
              disabled={choosing !== null}
              aria-busy={choosing === role.id}
              aria-current={role.id === current?.id ? 'true' : undefined}
              onClick={() => void pick(role.id)}
              className="grid w-full grid-cols-[44px_1fr_auto] items-center gap-x-3 border-t px-4 py-3 text-left first:border-t-0 hover:bg-accent focus-visible:rounded-lg focus-visible:bg-selected focus-visible:-outline-offset-3"
            >
              <span className="text-lg leading-6 font-semibold tracking-[-0.02em]">{role.tenant_code}</span>
              <span>
                <span className="block font-semibold">{roleWord[role.role]()}</span>
                <span className="block text-xs text-muted-foreground">{role.tenant_name}</span>
              </span>
              <Icon name={choosing === role.id ? 'run' : 'right'} className="text-muted-foreground" />
            </button>
          ))}
        </Sheet>
      ) : null}
      <p className="mt-4">
        <Link to="/logout" preload={false} className="inline-flex h-7 items-center gap-1.5 rounded-md px-2.5 font-medium text-muted-foreground hover:bg-accent hover:text-foreground">
          <Icon name="out" className="size-3.5" />
          {common.signOut()}
        </Link>
      </p>
    </Gate>
  )
}
