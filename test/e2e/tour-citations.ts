import { openCitedChat } from './cited-chat.ts'
import type { Tour } from './tour.ts'
import { CITING, MANY_SOURCES } from './tour-words.ts'

/** An answer with many sources, and one with a source that runs the other way. */
export async function tourCitations({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  const address = await page.evaluate(() => location.hash)
  await openCitedChat(stage.server, page, CITING, MANY_SOURCES, 'How long may I return my tea?')
  await page
    .getByRole('button', { name: /^Source 1:/ })
    .first()
    .click()
  await page.locator(':popover-open').waitFor()
  await look('citation-long')
  await page.keyboard.press('Escape')
  await visitor.button(/^Show \d+ more sources?$/).click()
  await page.getByText(/^\d+ more passages?$/).click()
  await look('sources-many')
  await page.evaluate((hash) => (location.hash = hash), address)
  await visitor.answers.nth(1).waitFor()
}
