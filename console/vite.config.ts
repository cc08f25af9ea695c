// How the console is built, served in development and tested.
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { precompress } from './build/precompress.ts'
import { start } from './build/start.ts'

export default defineConfig({
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: false }),
    react(),
    tailwindcss(),
    start(),
    precompress(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    // The content security policy allows no data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    manifest: true,
    // What every page needs is one piece: it is compressed as one, and stays the same from one release to the next.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack[\\/](react-router|router-core|history|store|react-store|query-core|react-query)|zod|clsx|tailwind-merge|class-variance-authority)[\\/]/ }] } } },
  },
  server: {
    port: 5173,
    proxy: { '/api': { target: process.env.TOIMIK_API ?? 'http://127.0.0.1:8080' } },
  },
  test: {
    // Pure parts need no document; the tests that do say so in their first line.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
  },
})
