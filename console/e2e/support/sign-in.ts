// Signing in as one of the demo people.
import { expect, type Page } from '@playwright/test'

export const PASSWORD = 'toimik-demo'

/** Signs in through the form; a person with several roles names the bureau and role to take. */
export async function signIn(page: Page, username: string, role?: RegExp): Promise<void> {
  await page.goto('/signin')
  await page.getByLabel('Kasutajatunnus').fill(username)
  await page.getByLabel('Parool', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Logi sisse' }).click()
  await expect(page.getByRole('heading', { name: /^Tere, / })).toBeVisible()
  const roles = page.getByRole('region', { name: 'Rollid' }).getByRole('button')
  await (role ? roles.filter({ hasText: role }) : roles).first().click()
  await expect(page.getByRole('heading', { name: 'Töölaud' })).toBeVisible()
}

export const bailiff101 = /^101\s*Kohtutäitur/
export const chamber = /Koda/
