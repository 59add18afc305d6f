import type { Locator, Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'

/** Only ends tests that hang. */
const PATIENCE_MS = 240_000

/** Reloads a page until it shows what the server has a moment later. Waits longer each time, for machines that draw slowly. */
export async function reloadUntil(page: Page, shown: Locator): Promise<void> {
  let timeout = 500
  await eventually(async () => {
    timeout *= 1.5
    await page.reload()
    await shown.waitFor({ timeout })
  }, PATIENCE_MS)
}
