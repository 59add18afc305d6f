import type { Locator, Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'

/** In which a page is drawn on a busy machine. */
const DRAWN_MS = 10_000
/** Only ends tests that hang. */
const PATIENCE_MS = 120_000

/** Reloads a page until it shows what the server has a moment later. */
export async function reloadUntil(page: Page, shown: Locator): Promise<void> {
  await eventually(async () => {
    await page.reload()
    await shown.waitFor({ timeout: DRAWN_MS })
  }, PATIENCE_MS)
}
