import type { BrowserContext, Page } from 'playwright-core'
import { longAnswer, type LongConversation, storeLongConversation } from './support/long-conversation.ts'
import { duringMainThread, type MainThread } from './support/main-thread.ts'
import { relativeTo, type Figure, milliseconds, seconds } from './support/measurement.ts'
import { accept, ask, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { median } from './support/statistics.ts'

const LONG = 5_000
const SHORT = 20
const USUAL = 200
const ROUNDS = 8
const WORDS = 1_000
const TOKENS_PER_SECOND = 100
const ANSWER_LIMIT_MS = 60_000

/** A chat of 5,000 messages compared with one of 20 when it is opened, and with one of 200 while the same answer streams into both. */
export const longHistory: Figure = {
  name: 'long-history',
  measure: () =>
    withProcesses(async (processes) => {
      const dataDirectory = processes.folder()
      const chats = new Map<number, LongConversation>()
      for (const messages of [SHORT, USUAL, LONG]) chats.set(messages, await storeLongConversation(dataDirectory, messages / 2))
      const model = await processes.model(['--text', longAnswer(WORDS), '--tokens-per-second', String(TOKENS_PER_SECOND)])
      const { url } = await processes.parley({ settings: settingsFor(model), dataDirectory })
      const chat = (messages: number) => ({ url, ...(chats.get(messages) as LongConversation) })
      const opened = new Map<number, number[]>([SHORT, LONG].map((messages) => [messages, []]))
      await withReader(chat(SHORT), (short) =>
        withReader(chat(LONG), async (long) => {
          // The first round fills the browser's caches.
          for (let round = 0; round <= ROUNDS; round += 1) {
            for (const [messages, open] of [
              [SHORT, short],
              [LONG, long],
            ] as const) {
              const ms = await open()
              if (round > 0) opened.get(messages)?.push(ms)
            }
          }
        }),
      )
      const [usual, long] = [await answered(chat(USUAL)), await answered(chat(LONG))]
      const medianOf = (messages: number) => median(opened.get(messages) ?? [])
      return [
        relativeTo(
          `opening a chat of ${LONG} messages, first screen`,
          medianOf(LONG),
          { name: `one of ${SHORT}`, value: medianOf(SHORT) },
          milliseconds,
          1.5,
        ),
        relativeTo(
          `script time, ${WORDS} words into ${LONG} messages`,
          long.script,
          { name: `into ${USUAL}`, value: usual.script },
          seconds,
          1.2,
        ),
        relativeTo('the same, whole main thread', long.all, { name: `into ${USUAL}`, value: usual.all }, seconds),
      ]
    }),
}

type Chat = LongConversation & { url: string }

/** Calls `use` with a function that opens the chat in a new tab and resolves with the time taken, in milliseconds. */
function withReader(chat: Chat, use: (open: () => Promise<number>) => Promise<void>): Promise<void> {
  return withVisitor(async (page, context) => {
    await enterAs(chat, page, context)
    await use(async () => {
      const tab = await context.newPage()
      const begun = performance.now()
      await tab.goto(addressOf(chat))
      await tab.locator('article.agent').last().waitFor()
      const ms = performance.now() - begun
      await tab.close()
      return ms
    })
  })
}

function answered(chat: Chat): Promise<MainThread> {
  return withVisitor(async (page, context) => {
    await enterAs(chat, page, context)
    await page.locator('article.agent').last().waitFor()
    return duringMainThread(page, context, () => ask(page, 'Tell me everything.', ANSWER_LIMIT_MS))
  })
}

async function enterAs(chat: Chat, page: Page, context: BrowserContext): Promise<void> {
  await context.addCookies([{ name: 'visitor', value: chat.visitorKey, url: chat.url }])
  await accept(page, addressOf(chat))
}

const addressOf = ({ url, session }: Chat) => `${url}/#/chat?session=${session}`
