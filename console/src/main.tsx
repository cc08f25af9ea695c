// Starts the console: the query client, the router, and what happens when a piece of the program cannot be fetched.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster } from './components/ui/toaster'
import './index.css'
import { useLanguage } from './lib/texts'
import { queryClient, router } from './router'

function App() {
  // A new language renders everything anew; what is typed in an open dialog is the price.
  const language = useLanguage()
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider key={language} router={router} />
        <Toaster />
      </QueryClientProvider>
    </CSPProvider>
  )
}

// Errors of the program's own are told to the server; what happens before that part has come waits for it.
const early: Event[] = []
const keep = (event: Event) => void early.push(event)
for (const name of ['error', 'unhandledrejection']) addEventListener(name, keep)
import('./api/error-log').then(({ watch }) => {
  for (const name of ['error', 'unhandledrejection']) removeEventListener(name, keep)
  watch(early)
}, () => undefined)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
