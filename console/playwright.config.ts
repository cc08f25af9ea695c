// Browser tests on the running product; scripts/e2e starts it and says where it is.
import { defineConfig } from '@playwright/test'
import { browser } from './e2e/support/browser'

export default defineConfig({
  testDir: './e2e',
  testMatch: '*.spec.ts',
  // One product, one set of data: the tests take turns.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  outputDir: './test-results',
  use: browser,
})
