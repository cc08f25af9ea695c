// Each page in both themes: nothing that axe objects to, the keyboard, the phone, sign-in and its errors.
import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { call } from './support/api'
import { matches } from './support/bulk'
import { order, refuse, synchronise, untilSettled } from './support/examples'
import { openPage, pagesOf, USERS, walkByRows, walkByTab } from './support/pages'
import { bailiff101, chamber, PASSWORD, signIn } from './support/sign-in'
import { behave } from './support/simulator'

// Something of everything: failed jobs with long words, an operator action that did not help, a saved view.
test.beforeAll(async ({ browser }) => {
  const page = await (await browser.newContext()).newPage()
  await refuse('Register keeldus: isiku andmed ei ühti rahvastikuregistriga, vaata kanne üle ja saada uuesti')
  await signIn(page, 'mitu', chamber)
  const { id } = await synchronise(page, 'number=101%2F2026%2F11')
  await page.context().clearCookies()
  await signIn(page, 'taitur')
  await page.goto(`/operator_actions/${await order(page, 'retry', { bulkAction: id }, { reason: 'Leheproov' })}`)
  await untilSettled(page)
  await behave()
  await call(page, 'POST', '/v2/saved_views', { page: 'jobs', name: `Leheproov ${Date.now()}`, query: 'queue=%5B%22register%22%5D&state=%5B%22failed%22%5D', shared: false })
  await page.context().close()
})

for (const user of USERS.filter((one) => pagesOf(one).length > 0)) {
  const pages = pagesOf(user)
  test.describe(`pages of ${user}`, () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`are accessible in the ${colorScheme} theme`, async ({ page }) => {
        await page.emulateMedia({ colorScheme })
        const complaints: string[] = []
        page.on('console', (message) => {
          if (message.type() === 'error' && !/401|404/.test(message.text())) complaints.push(message.text())
        })
        await signIn(page, user)
        for (const one of pages) {
          await openPage(page, one)
          await expectAccessible(page)
        }
        expect(complaints).toEqual([])
      })
    }
    test('are walked by keyboard', async ({ page }) => {
      // Each control of each page is a key of its own.
      test.slow()
      await signIn(page, user)
      for (const one of pages) {
        await openPage(page, one)
        await walkByTab(page)
        if (one.table) await walkByRows(page, one.table)
      }
    })
    test('fit a phone', async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 780 })
      await signIn(page, user)
      for (const one of pages) {
        await openPage(page, one)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBeLessThanOrEqual(360)
        await expectAccessible(page)
      }
    })
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme })
    test('sign-in, menus and dialogs are accessible', async ({ page }) => {
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !/401|404/.test(message.text())) complaints.push(message.text())
      })
      await page.goto('/signin')
      await expectAccessible(page)
      await page.getByLabel('Kasutajatunnus').fill('taitur')
      await page.getByLabel('Parool', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Logi sisse' }).click()
      const roles = page.getByRole('region', { name: 'Rollid' }).getByRole('button')
      await expect(roles.first()).toBeVisible()
      await expectAccessible(page)
      await roles.first().click()
      await expect(page.getByRole('heading', { name: 'Töölaud' })).toBeVisible()
      await page.getByRole('button', { name: /· KT/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Kiirklahvid' }).click()
      await expect(page.getByRole('dialog', { name: 'Kiirklahvid' })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.goto('/case_list?dialog=import')
      await expect(page.getByRole('dialog', { name: 'Impordi toimikud CSV-failist' })).toBeVisible()
      await expectAccessible(page)
      await page.goto('/case_list')
      await matches(page)
      await page.getByRole('button', { name: 'Masstegevus', exact: true }).click()
      await expect(page.getByRole('menuitem', { name: /Lõpeta toimikud/ })).toHaveAttribute('aria-disabled', 'true')
      await expect(page.getByRole('menuitem', { name: /Lõpeta toimikud/ })).toContainText('tuleb hiljem')
      await expectAccessible(page)
      await page.getByRole('menuitem', { name: 'Sea alustamise tasu' }).click()
      await page.getByLabel('Menetluse alustamise tasu').fill('15,00')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Edasi' }).click()
      await expect(page.getByRole('dialog').getByRole('table', { name: 'Näidis' })).toBeVisible()
      await expectAccessible(page)
      expect(complaints).toEqual([])
    })
  })
}

test('a wrong password empties the field and says so', async ({ page }) => {
  await page.goto('/signin')
  const submit = page.getByRole('button', { name: 'Logi sisse' })
  await expect(submit).toBeDisabled()
  await page.getByLabel('Kasutajatunnus').fill('taitur2')
  await page.getByLabel('Parool', { exact: true }).fill('vale')
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Sisestatud kasutajatunnus või parool on vale')
  await expect(page.getByLabel('Parool', { exact: true })).toHaveValue('')
  await page.getByRole('link', { name: 'Riiklik autentimine' }).click()
  await expect(page.getByText('Riiklik autentimine ei ole veel kasutusel.')).toBeVisible()
})

test('the session outlives a reload and ends with signing out', async ({ page }) => {
  await page.goto('/case_list?q=Tamm')
  await expect(page).toHaveURL(/\/signin/)
  await page.getByLabel('Kasutajatunnus').fill('taitur')
  await page.getByLabel('Parool', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Parool', { exact: true }).press('Enter')
  await page.getByRole('region', { name: 'Rollid' }).getByRole('button').first().click()
  await expect(page).toHaveURL(/\/case_list\?q=Tamm/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Toimikud' })).toBeVisible()
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Töölaud' })).toBeVisible()
  await page.getByRole('link', { name: 'Logi välja' }).click()
  await expect(page).toHaveURL(/\/signin/)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/signin/)
})

test('a lost session leads to sign-in with a word', async ({ page, context }) => {
  await signIn(page, 'taitur')
  await page.route('**/api/v2/enforcement_cases/**', (route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer gone' } }))
  await context.clearCookies()
  await page.getByRole('navigation', { name: 'Põhimenüü' }).getByRole('link', { name: 'Toimikud' }).click()
  await expect(page.getByText('Palun logige uuesti sisse')).toBeVisible()
  await expect(page).toHaveURL(/\/signin/)
})

test('the role, the language and the columns are the person’s own', async ({ page }) => {
  await signIn(page, 'mitu', bailiff101)
  await page.getByRole('button', { name: /^101/ }).click()
  await page.getByRole('menuitemradio', { name: chamber }).click()
  await expect(page.getByRole('button', { name: /koda/ })).toBeVisible()
  await page.getByRole('button', { name: /koda/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto('/case_list')
  await page.getByRole('button', { name: /^Columns/ }).click()
  // The tick follows the saved choice, a moment after the click.
  const fee = page.getByRole('dialog', { name: 'Columns' }).getByLabel('Table fee')
  await fee.click()
  await expect(fee).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Table fee' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Balance' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Table fee' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Columns/ }).click()
  await page.getByRole('button', { name: 'Restore the default columns' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /chamber/ }).click()
  await page.getByRole('menuitemradio', { name: 'Eesti' }).click()
  await expect(page.getByRole('heading', { name: 'Toimikud' })).toBeVisible()
})

test('the list goes by keyboard', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  const rows = page.getByRole('table', { name: 'Toimikute tabel' }).getByRole('row')
  await expect(rows).toHaveCount(41)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(rows.nth(1)).toHaveAttribute('data-here', 'true')
  await page.keyboard.press('/')
  await expect(page.getByLabel('Number, nimi või kood')).toBeFocused()
  await page.keyboard.type('jj')
  await expect(rows.nth(1)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Toimikud' }).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Kiirklahvid' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/case_list')
  await matches(page)
  for (const [name, floats] of [['Masstegevus', 'menu'], ['Põhinõude liik: Kõik liigid', 'dialog']] as const) {
    const trigger = page.getByRole('button', { name, exact: true })
    await trigger.press('Enter')
    await expect(page.getByRole(floats)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole(floats)).toBeHidden()
    await expect(trigger).toBeFocused()
  }
})

test('sorting, paging and filters live in the address', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await page.getByRole('columnheader', { name: 'Saldo' }).getByRole('link').click()
  await expect(page.getByRole('columnheader', { name: 'Saldo' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('link', { name: 'Leht 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.getByLabel('Võlgniku nimi').fill('a')
  await expect(page).not.toHaveURL(/page=2/)
  await expect(page).toHaveURL(/sort=balance/)
  await page.getByRole('button', { name: 'Eemalda filter: Võlgniku nimi' }).click()
  await expect(page).not.toHaveURL(/debtorName/)
  await page.goto('/case_list?q=sellistolemaseioleteada')
  await expect(page.getByRole('heading', { name: 'Toimikuid ei leitud' })).toBeVisible()
})

test('the default list fits at 1440 pixels beside the filters', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await matches(page)
  await expect(page.getByRole('table', { name: 'Toimikute tabel' }).getByRole('row')).toHaveCount(41)
  await expect(page.getByRole('complementary', { name: 'Filtrid' })).toBeVisible()
  for (const place of [page.getByRole('region', { name: 'Toimikute tabel' }), page.getByRole('navigation', { name: 'Staatus' })]) {
    expect(await place.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  }
})

test('the chamber imports nothing', async ({ page }) => {
  await signIn(page, 'koda')
  const closed = page.getByRole('button', { name: 'Impordi CSV' })
  await expect(closed).toHaveAttribute('aria-disabled', 'true')
  await closed.focus()
  await expect(page.getByText('Toimikuid impordib kohtutäitur.').last()).toBeVisible()
  await page.goto('/case_list?dialog=import')
  await matches(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the export brings every match', async ({ page }, info) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  const count = await matches(page)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Ekspordi CSV' }).click()])
  expect(download.suggestedFilename()).toMatch(/^toimikud_\d{8}_\d{6}\.csv$/)
  const path = info.outputPath('toimikud.csv')
  await download.saveAs(path)
  const { readCsv } = await import('./support/files')
  expect(readCsv(path)).toHaveLength(count + 1)
  await expect(page.getByText('Eksport õnnestus')).toBeVisible()
})
