// Pictures of what the page shows, in both themes, into docs/screenshots.
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'

const folder = fileURLToPath(new URL('../../../docs/screenshots/', import.meta.url))

/** Presses the page's own switch, which a dialog may lie over, so that words and icons follow. */
async function switchTheme(page: Page, from: 'light' | 'dark'): Promise<void> {
  const button = page.getByRole('button', { name: from === 'light' ? 'Tume kujundus' : 'Hele kujundus', includeHidden: true })
  await button.evaluate((found: HTMLButtonElement) => found.click())
  await expect(page.locator('html')).toHaveClass(from === 'light' ? /dark/ : /^(?!.*dark)/)
}

/** The page in the light theme and in the dark, and the light one again. */
export async function both(page: Page, name: string, fullPage = false): Promise<void> {
  // What the mouse happens to lie over is no part of the page.
  await page.mouse.move(0, 0)
  for (const theme of ['light', 'dark'] as const) {
    await page.screenshot({ path: `${folder}${name}.${theme}.png`, fullPage })
    await switchTheme(page, theme)
  }
}
