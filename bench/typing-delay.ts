import type { Page } from 'playwright-core'
import { longAnswer, storeLongConversation } from './support/long-conversation.ts'
import { type Figure, milliseconds, withinBound } from './support/measurement.ts'
import { openConversation, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { quantile } from './support/statistics.ts'

const WORDS = 2_500
const TOKENS_PER_SECOND = 100
const PROMPTS_BEFORE = 100
const SLOW_DOWN = 4
const KEYS = 150
const KEY_INTERVAL_MS = 100
const MOST_DELAY_MS = 50

/** Input delay while an answer streams, with the CPU slowed to a quarter. */
export const typingDelay: Figure = {
  name: 'typing-delay',
  measure: () =>
    withProcesses(async (processes) => {
      const dataDirectory = processes.folder()
      const conversation = await storeLongConversation(dataDirectory, PROMPTS_BEFORE)
      const model = await processes.model(['--text', longAnswer(WORDS), '--tokens-per-second', String(TOKENS_PER_SECOND)])
      const { url } = await processes.parley({ settings: settingsFor(model), dataDirectory })
      return withVisitor(async (page, context) => {
        await openConversation(page, url, conversation)
        const devTools = await context.newCDPSession(page)
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
        const delay = quantile(await keyDelays(page), 0.98)
        return [withinBound(`input delay while an answer is written, ${SLOW_DOWN} × slower, p98`, delay, MOST_DELAY_MS, milliseconds)]
      })
    }),
}

/** Milliseconds from each key press to the page's first handler of it. */
async function keyDelays(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const delays: number[] = []
    Object.assign(window, { delays })
    addEventListener('keydown', (event) => delays.push(performance.now() - event.timeStamp), { capture: true })
  })
  await page.locator('#composer').fill('Tell me everything.')
  await page.keyboard.press('Enter')
  await page.locator('article.agent[aria-busy="true"] p').first().waitFor()
  const before = await page.evaluate(() => (window as unknown as { delays: number[] }).delays.length)
  await page.locator('#composer').pressSequentially('x'.repeat(KEYS), { delay: KEY_INTERVAL_MS, timeout: 4 * KEYS * KEY_INTERVAL_MS })
  if ((await page.locator('article.agent[aria-busy="true"]').count()) === 0) throw new Error('The answer ended before the typing did.')
  return (await page.evaluate(() => (window as unknown as { delays: number[] }).delays)).slice(before)
}
