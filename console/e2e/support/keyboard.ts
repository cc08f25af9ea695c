// A person without a mouse: Tab until the focus is there, Enter, arrows, letters.
import { expect, type Locator, type Page } from '@playwright/test'

/** A page is long, but not longer. */
const MOST = 150

/** Goes on from where the focus is until it is there, over the end of the page too. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  const mark = await target.evaluate((one) => {
    const mark = crypto.randomUUID()
    one.setAttribute('data-goal', mark)
    return mark
  })
  for (let step = 0; step < MOST; step++) {
    if (await page.evaluate((goal) => document.activeElement?.getAttribute('data-goal') === goal, mark)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}

/** Tabs there and presses it. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Tabs to the field and types in place of what stands there. */
export async function type(page: Page, field: Locator, words: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(words)
}

/** Moves down the list by j until the row with the text is the one. */
export async function rowWith(page: Page, rows: Locator, words: string | RegExp): Promise<void> {
  await expect(rows.filter({ hasText: words }).first()).toBeVisible()
  const here = rows.and(page.locator('[data-here="true"]'))
  for (let step = 0; step < MOST; step++) {
    await page.keyboard.press('j')
    if (await here.filter({ hasText: words }).count() > 0) return
  }
  await expect(here).toContainText(words)
}
