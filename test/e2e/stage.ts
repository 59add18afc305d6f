import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { TestDatabase } from '../support/databases.ts'
import { startScriptedModel, type ScriptedModel, type ScriptStep } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** The real server with the scripted model, and a browser, which it closes at its end. */
export interface Stage {
  server: TestServer
  model: ScriptedModel
  browser: Browser
  /** A page of a visitor who was never here, not opened yet. A service worker only where it is asked for: tests put things in the way of requests, which it would get past. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>
  close(): Promise<void>
}

/** `env` are settings beside those that lead to the model. */
export async function openStage(browser: Browser, env: Record<string, string> = {}, database: TestDatabase = 'sqlite'): Promise<Stage> {
  const model = await startScriptedModel()
  const server = await startServer({
    database,
    env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...env },
  })
  return {
    server,
    model,
    browser,
    visitor: async (options) =>
      new Visitor(server.url, await (await browser.newContext({ serviceWorkers: 'block', ...options })).newPage()),
    async close() {
      await browser.close()
      await server.stop()
      await model.close()
    },
  }
}

/** Only to end what hangs, like the time limits in `vitest.config.ts`. */
const PATIENCE_MS = 60_000

/** One visitor's browser, with what it asked for and complained about. */
export class Visitor {
  readonly page: Page
  /** Addresses of all requests so far. */
  readonly requests: string[] = []
  /** What the page or the browser reported as wrong: uncaught errors and breaches of the content security policy. */
  readonly faults: string[] = []
  #url: string

  constructor(url: string, page: Page) {
    this.#url = url
    this.page = page
    page.setDefaultTimeout(PATIENCE_MS)
    page.context().on('request', (request) => this.requests.push(request.url()))
    page.on('pageerror', (error) => this.faults.push(String(error)))
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) this.faults.push(message.text())
    })
  }

  get composer(): Locator {
    return this.page.getByRole('textbox', { name: /^Message/ })
  }

  get answers(): Locator {
    return this.page.locator('article.agent')
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  get prompts(): Locator {
    return this.page.locator('article.human')
  }

  /** What the visitor wrote, without what can be done with it. */
  promptTexts(): Promise<string[]> {
    return this.prompts.locator('.bubble').allInnerTexts()
  }

  /** The links of the list of chats, newest first. */
  get chats(): Locator {
    return this.page.getByRole('navigation', { name: 'Chat history' }).getByRole('link')
  }

  /** Another tab of the same browser, not opened yet. */
  async anotherTab(): Promise<Visitor> {
    return new Visitor(this.#url, await this.page.context().newPage())
  }

  /** Another browser with the same visitor's cookies and consent, not opened yet. */
  async anotherDevice(): Promise<Visitor> {
    const context = this.page.context()
    const other = await context.browser()!.newContext({ serviceWorkers: 'block', storageState: await context.storageState() })
    return new Visitor(this.#url, await other.newPage())
  }

  async open(hash = ''): Promise<void> {
    await this.page.goto(`${this.#url}/${hash}`)
  }

  /** Opens the chat and accepts the notice, so that a prompt can be sent. */
  async enter(hash = ''): Promise<void> {
    await this.open(hash)
    await this.button('Accept').click()
    await this.composer.waitFor()
  }

  async send(prompt: string): Promise<void> {
    await this.composer.fill(prompt)
    await this.composer.press('Enter')
  }

  /** Sends a prompt and waits for its whole answer. */
  async ask(prompt: string): Promise<void> {
    const answered = await this.button('Copy answer').count()
    await this.send(prompt)
    await this.button('Copy answer').nth(answered).waitFor()
  }

  /** What the document loads by itself has been asked for: it was drawn, and a request made afterwards has come back. The page always has a stream open. */
  async drawn(): Promise<void> {
    await this.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await fetch('/favicon.svg', { cache: 'no-store' })
    })
  }

  async leave(): Promise<void> {
    await this.page.context().close()
  }
}

/**
 * A text whose first `count` words come one after another, and the others when they are let go: what a test does meanwhile may take as
 * long as it needs.
 */
export function heldText(text: string, count = 25): { script: ScriptStep[]; letGo(): void } {
  const tokens = text.split(/(?= )/)
  const held = Promise.withResolvers<void>()
  const pace = { tokensPerSecond: 20 }
  const script = [{ text: tokens.slice(0, count), ...pace }, { until: held.promise }, { text: tokens.slice(count), ...pace }]
  return { script, letGo: held.resolve }
}

/** Words that are each told from the others: what is lost or doubled shows. */
export const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
