// Calls of the API in the name of the person who is signed in, for what a test needs to stand before it begins.
import { expect, type Page } from '@playwright/test'

export async function call<T>(page: Page, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
  const answer = await page.evaluate(async ({ method, path, body }) => {
    const { token } = await (await fetch('/api/auth/verify', { method: 'POST' })).json()
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const sent = await fetch(`/api${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    return { status: sent.status, text: await sent.text() }
  }, { method, path, body })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  return JSON.parse(answer.text || 'null') as T
}
