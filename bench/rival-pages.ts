import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import type { ChatMessage } from '../src/contract/message.ts'
import { longAnswer, longConversation, storeLongConversation } from './support/long-conversation.ts'
import { duringMainThread, LONG_TASK_MS, tasksDuring } from './support/main-thread.ts'
import { againstRival, count, type Figure, kilobytes, seconds, withinBound } from './support/measurement.ts'
import { ask, enter, openConversation, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'
import { buildRivalPage, type RivalName, serveRivalPage } from './support/rival-page.ts'
import { settingsFor } from './support/rivals.ts'

const RIVALS: Record<RivalName, string> = { streamdown: 'useChat and Streamdown', 'assistant-ui': 'assistant-ui' }
const MOST_OF_A_RIVALS_WEIGHT = 0.4
const MOST_OF_A_RIVALS_SCRIPT = 0.5
const MOST_LONG_TASKS = 1

const WORDS = 2_500
const TOKENS_PER_SECOND = 100
const PROMPTS_BEFORE = 100
const ANSWER_LIMIT_MS = 90_000

/** The chat page compared with minimal pages made with common libraries: its weight, and the cost of an answer. */
export const rivalPages: Figure = {
  name: 'rival-pages',
  measure: () =>
    withProcesses(async (processes) => {
      const dataDirectory = processes.folder()
      const conversation = await storeLongConversation(dataDirectory, PROMPTS_BEFORE)
      const model = await processes.model(['--text', longAnswer(WORDS), '--tokens-per-second', String(TOKENS_PER_SECOND)])
      const { url } = await processes.parley({ settings: settingsFor(model), dataDirectory })
      const ownKilobytes = await withVisitor((page) => weight(page, () => enter(page, url)))
      const measurements = []
      const folders = { streamdown: await buildRivalPage('streamdown'), 'assistant-ui': await buildRivalPage('assistant-ui') }
      for (const [name, words] of Object.entries(RIVALS) as [RivalName, string][]) {
        const rival = await serveRivalPage(folders[name], [], url)
        const value = await withVisitor((page) => weight(page, () => page.goto(rival.url)))
        await rival.close()
        measurements.push(againstRival('scripts and styles, gz', ownKilobytes, { name: words, value }, kilobytes, MOST_OF_A_RIVALS_WEIGHT))
      }
      // At the same time, so that other work on the machine affects both.
      const [script, theirs] = await Promise.all([
        withVisitor(async (page) => {
          await openConversation(page, url, conversation)
          const thread = await duringMainThread(page, page.context(), () => ask(page, 'Tell me everything.', ANSWER_LIMIT_MS))
          await expectWords(page.locator('article.agent').last())
          return thread.script
        }),
        scriptOfStreamdown(folders.streamdown, longConversation(PROMPTS_BEFORE), url),
      ])
      const tasks = await withVisitor(async (page) => {
        await openConversation(page, url, conversation)
        return tasksDuring(page, () => ask(page, 'And again.', ANSWER_LIMIT_MS))
      })
      const long = tasks.filter((task) => task > LONG_TASK_MS).length
      const about = `${WORDS} words into ${PROMPTS_BEFORE * 2} messages`
      const rival = { name: RIVALS.streamdown, value: theirs }
      measurements.push(
        againstRival(`script time, ${about}`, script, rival, seconds, MOST_OF_A_RIVALS_SCRIPT),
        withinBound(`long tasks, ${about}`, long, MOST_LONG_TASKS, count),
      )
      return measurements
    }),
}

/** Kilobytes of scripts and styles that a page requests, compressed with gzip at level 9. */
async function weight(page: Page, open: () => Promise<unknown>): Promise<number> {
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (['script', 'stylesheet'].includes(response.request().resourceType())) bodies.push(response.body())
  })
  await open()
  await page.waitForLoadState('networkidle')
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

async function expectWords(answer: Locator): Promise<void> {
  const words = (await answer.innerText()).split(/\s+/).length
  if (words < WORDS / 2) throw new Error(`Only ${words} words were shown.`)
}

async function scriptOfStreamdown(folder: string, earlier: ChatMessage[], parleyUrl: string): Promise<number> {
  const rival = await serveRivalPage(folder, earlier, parleyUrl)
  try {
    return await withVisitor(async (page) => {
      await page.goto(rival.url)
      await page
        .locator('article')
        .nth(earlier.length - 1)
        .waitFor()
      const { script } = await duringMainThread(page, page.context(), async () => {
        await page.locator('#composer').fill('Tell me everything.')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.locator('form[data-status="streaming"]').waitFor()
        const isReady = () => document.querySelector('form[data-status="ready"]') !== null
        await page.waitForFunction(isReady, undefined, { timeout: ANSWER_LIMIT_MS, polling: 500 })
      })
      await expectWords(page.locator('article').last())
      return script
    })
  } finally {
    await rival.close()
  }
}
