// Pictures of each page in both themes for the documentation.
import { defineConfig } from '@playwright/test'
import { browser } from './e2e/support/browser'

export default defineConfig({
  testDir: './e2e',
  testMatch: '*.pictures.ts',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  outputDir: './test-results',
  use: browser,
})
