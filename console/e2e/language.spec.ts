// Two languages: the sign-in page speaks the browser's, a choice is the person's own and follows him.
import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { PASSWORD, signIn } from './support/sign-in'

test('sign-in speaks the language of the browser, or what was chosen there', async ({ browser }) => {
  for (const [locale, lang, submit] of [['en-GB', 'en', 'Sign in'], ['et-EE', 'et', 'Logi sisse'], ['fi-FI', 'et', 'Logi sisse']] as const) {
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    await page.goto('/signin')
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page.getByRole('button', { name: submit })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: lang === 'en' ? 'Eesti keeles' : 'In English' }).click()
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', lang === 'en' ? 'et' : 'en')
    await context.close()
  }
})

test('the person’s own choice holds on another machine from the choice of role on', async ({ page, browser }) => {
  await signIn(page, 'taitur2')
  const choose = async (name: string) => {
    await page.locator('#role-menu').click()
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && /\/user\/\d+$/.test(answer.url()))
    await page.getByRole('menuitemradio', { name }).click()
    expect((await saved).status()).toBe(200)
  }
  await choose('English')
  const other = await browser.newContext({ locale: 'et-EE' })
  const there = await other.newPage()
  await there.goto('/signin')
  await there.getByLabel('Kasutajatunnus').fill('taitur2')
  await there.getByLabel('Parool', { exact: true }).fill(PASSWORD)
  await there.getByRole('button', { name: 'Logi sisse' }).click()
  await expect(there.getByRole('heading', { name: /^Hello, / })).toBeVisible()
  await there.getByRole('region', { name: 'Roles' }).getByRole('button').first().click()
  await expect(there.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await other.close()
  await choose('Eesti')
  await expect(page.getByRole('heading', { name: 'Töölaud' })).toBeVisible()
})
