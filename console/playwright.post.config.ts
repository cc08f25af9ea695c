// Browser tests of a product whose mails go to a real server: E2E_MAIL=smtp scripts/e2e --config playwright.post.config.ts
import { defineConfig } from '@playwright/test'
import { browser } from './e2e/support/browser'

export default defineConfig({
  testDir: './e2e',
  testMatch: '*.post.ts',
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  // Alerts are judged by the minute.
  timeout: 600_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  outputDir: './test-results',
  use: browser,
})
