// The signed-in person: reading, changing own settings, choosing a role, leaving.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetAnswers, get, post, put } from '@/api/client'
import { adopt, choose, leave, ready, useSession } from '@/api/session'
import type { Login, Role, User, UserChange } from '@/api/types'
import { t } from './texts'

export function userQuery(userId: number) {
  return queryOptions({ queryKey: ['user', userId], queryFn: ({ signal }) => get<User>(`/user/${userId}`, { signal }), staleTime: 60_000 })
}

export function useUser(): User | undefined {
  const session = useSession()
  return useQuery({ ...userQuery(session?.userId ?? 0), enabled: session !== null }).data
}

/** The role that this session works in. */
export function roleOf(user: User | undefined, session: { tenantId: number | null; roleId: number | null } | null): Role | undefined {
  if (!user || !session || session.tenantId == null) return undefined
  return (
    user.roles.find((role) => role.id === session.roleId && role.tenant_id === session.tenantId) ??
    user.roles.find((role) => role.tenant_id === session.tenantId)
  )
}

export function useRole(): Role | undefined {
  return roleOf(useUser(), useSession())
}

/** Whether the role sees what belongs to no bureau, such as alerts and crons; false until it is known. */
export function useOversees(): boolean {
  const role = useRole()?.role
  return role === 'koda' || role === 'dev'
}

/** Whether the role is known and does not see it: then nothing is asked in its name, since each refusal is written to the log. */
export function useBarred(): boolean {
  const role = useRole()
  return !useOversees() && role !== undefined
}

export async function signIn(username: string, password: string): Promise<void> {
  adopt(await post<Login>('/auth/login', { username, password }))
}

export async function selectRole(roleId: number): Promise<void> {
  choose(await post<Login>('/auth/role-select', { role_id: roleId }))
  forgetAnswers()
}

/** Ends the session here and on the server; a server that does not answer keeps nobody in. */
export async function signOut(): Promise<void> {
  try {
    if (await ready()) await post('/auth/logout')
  } catch {
    // The cookie dies at its limit.
  }
  forgetAnswers()
  leave()
}

/** Saves the person's own settings and shows them at once. */
export function useSaveUser() {
  const client = useQueryClient()
  const user = useUser()
  return useMutation({
    mutationFn: (change: UserChange) => {
      if (!user) throw new Error('no user yet')
      const latest = client.getQueryData<User>(['user', user.id]) ?? user
      return put<User>(`/user/${user.id}`, { ...change, version: latest.version })
    },
    scope: { id: 'user' },
    meta: { failed: t.saveFailed() },
    onMutate: (change) => {
      if (user) client.setQueryData<User>(['user', user.id], (old) => (old ? { ...old, ...change } : old))
    },
    onSuccess: (saved) => {
      if (user) client.setQueryData<User>(['user', user.id], (old) => ({ ...old, ...saved }))
    },
    onError: () => {
      if (user) void client.invalidateQueries({ queryKey: ['user', user.id] })
    },
  })
}
