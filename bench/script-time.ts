import type { BrowserContext, Page } from 'playwright-core'
import { serveBarePage } from './support/bare-page.ts'
import { longAnswer, storeLongConversation } from './support/long-conversation.ts'
import { duringMainThread, type MainThread } from './support/main-thread.ts'
import { againstRival, type Figure, seconds } from './support/measurement.ts'
import { ask, openConversation, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'
import { settingsFor } from './support/rivals.ts'

const WORDS = 2_500
const TOKENS_PER_SECOND = 100
const PROMPTS_BEFORE = 100
const ANSWER_LIMIT_MS = 90_000

/** Main-thread time while a 2,500-word answer streams into 200 messages, compared with a page that only appends the text. */
export const scriptTime: Figure = {
  name: 'script-time',
  measure: () =>
    withProcesses(async (processes) => {
      const dataDirectory = processes.folder()
      const conversation = await storeLongConversation(dataDirectory, PROMPTS_BEFORE)
      const model = await processes.model(['--text', longAnswer(WORDS), '--tokens-per-second', String(TOKENS_PER_SECOND)])
      const { url } = await processes.parley({ settings: settingsFor(model), dataDirectory })
      const bare = await withVisitor((page, context) => measureBarePage(page, context, url))
      const ours = await withVisitor(async (page, context) => {
        await openConversation(page, url, conversation)
        return duringMainThread(page, context, () => ask(page, 'Tell me everything.', ANSWER_LIMIT_MS))
      })
      const about = `${WORDS} words into ${PROMPTS_BEFORE * 2} messages`
      return [
        againstRival(`script time, ${about}`, ours.script, { name: 'bare page', value: bare.script }, seconds),
        againstRival('the same, whole main thread', ours.all, { name: 'bare page', value: bare.all }, seconds),
      ]
    }),
}

async function measureBarePage(page: Page, context: BrowserContext, parleyUrl: string): Promise<MainThread> {
  const barePage = await serveBarePage(parleyUrl)
  try {
    await page.goto(barePage.url)
    return await duringMainThread(page, context, async () => {
      await page.mouse.click(10, 10)
      await page.waitForFunction("document.title !== 'waiting'", undefined, { timeout: ANSWER_LIMIT_MS })
      if ((await page.title()) !== 'done') throw new Error('The bare page got no text.')
    })
  } finally {
    await barePage.close()
  }
}
