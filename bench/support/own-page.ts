import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { LongConversation } from './long-conversation.ts'
import { withBrowser } from '../../test/support/chromium.ts'

/** A browser without a previous visit, closed afterwards. `watch` gets the context before its first request. */
export function withVisitor<Result>(
  use: (page: Page, context: BrowserContext) => Promise<Result>,
  watch: (context: BrowserContext) => void = () => {},
): Promise<Result> {
  return withBrowser(async (browser: Browser) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    watch(context)
    return use(await context.newPage(), context)
  })
}

/** Opens the page, accepts the privacy notice, and waits until nothing is loading. */
export async function enter(page: Page, address: string): Promise<void> {
  await accept(page, address)
  await page.waitForLoadState('networkidle')
}

/** Opens the page of a visitor with chats, and accepts the privacy notice. It is never idle, because it follows the list of chats. */
export async function accept(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  await page.locator('#composer').waitFor()
}

/** Sends a prompt and waits for the whole answer. */
export async function ask(page: Page, prompt: string, limitMs: number): Promise<void> {
  const complete = 'article.agent[aria-busy="false"]'
  const before = await page.locator(complete).count()
  await page.locator('#composer').fill(prompt)
  await page.keyboard.press('Enter')
  // Polls rarely, because polling is work for the page too.
  const isComplete = ([selector, count]: [string, number]) => document.querySelectorAll(selector).length > count
  await page.waitForFunction(isComplete, [complete, before] as [string, number], { timeout: limitMs, polling: 500 })
}

/** Opens a stored conversation as its owner. The page draws its newest messages, and loads others on demand. */
export async function openConversation(page: Page, url: string, { session, visitorKey }: LongConversation): Promise<void> {
  await page.context().addCookies([{ name: 'visitor', value: visitorKey, url }])
  await accept(page, `${url}/#/chat?session=${session}`)
  await page.locator('article.agent').last().waitFor()
}
