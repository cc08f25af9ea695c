// The router and the query client, and how they answer to errors that no page handles.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { onRotated, onSignedOut } from './api/client'
import { ApiError, report } from './api/errors'
import { RouteFailed } from './features/shell/route-failed'
import { refreshIsOff } from './lib/refresh-choice'
import { wayBack } from './lib/search'
import { routeTree } from './routeTree.gen'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { /** The sentence for a failure that has none of its own. */ failed?: string; /** The caller tells it itself. */ quiet?: boolean }
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      retryDelay: (failures, error) => Math.max(1000 * 2 ** failures, error instanceof ApiError ? error.retryAfterMs : 0),
      refetchOnWindowFocus: () => (refreshIsOff() ? false : 'always'),
      refetchOnReconnect: () => !refreshIsOff(),
    },
  },
  // What a page cannot show gets a sentence on the page; a missing right and a refused field are told at once.
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && (error.status === 403 || error.violations.length > 0)) report(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (!mutation.meta?.quiet) report(error, mutation.meta?.failed)
    },
  }),
})

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: RouteFailed,
  scrollRestoration: true,
})

// A new page is read from its heading on, unless it has put the focus into a field of its own.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (!fromLocation || !pathChanged || document.activeElement instanceof HTMLInputElement) return
  document.getElementById('title')?.focus({ preventScroll: true })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

onSignedOut(() => {
  queryClient.clear()
  void router.navigate({ to: '/signin', search: wayBack(router.state.location), replace: true })
})

// A rotated token is the moment to see whether the person's roles have changed.
onRotated(() => void queryClient.invalidateQueries({ queryKey: ['user'] }))
