// What the pages of queues show.
import type { Locator, Page } from '@playwright/test'

export const troubles = (page: Page): Locator => page.getByRole('region', { name: 'Mis on korrast ära' })
export const queueRow = (page: Page, name: string): Locator => page.getByRole('table', { name: 'Järjekorrad' }).getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
