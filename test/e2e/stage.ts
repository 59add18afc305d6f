import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { startScriptedModel, type ScriptedModel, type ScriptStep } from '../support/scripted-model.ts'
import { startServer, type TestServer, WITH_DOCUMENTS } from '../support/server.ts'

/** The real server with a scripted model, and a browser, which is closed at the end. */
export interface Stage {
  server: TestServer
  model: ScriptedModel
  browser: Browser
  /** A new visitor's page, not opened yet. Service workers are off by default, because they would bypass request routes. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>
  close(): Promise<void>
}

/** `env` has settings besides those of the model. */
export async function openStage(browser: Browser, env: Record<string, string> = {}): Promise<Stage> {
  const model = await startScriptedModel()
  const server = await startServer({
    database: 'sqlite',
    env: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...WITH_DOCUMENTS, ...env },
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

/** Only ends tests that hang. */
const PATIENCE_MS = 240_000

/** One visitor's browser, with its requests and reported faults. */
export class Visitor {
  readonly page: Page
  /** Addresses of all requests so far. */
  readonly requests: string[] = []
  /** Uncaught errors and violations of the content security policy. */
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

  /** The visitor's prompts, without their buttons. */
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
    await this.button('Accept and continue').click()
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

  /** Waits until the document was drawn and a later request has returned, so all its own requests were sent. */
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
 * A text that streams its first `count` words, and the rest on `release`, so a test can take as long as it
 * needs.
 */
export function pausedText(text: string, count = 25): { script: ScriptStep[]; release(): void } {
  const tokens = text.split(/(?= )/)
  const paused = Promise.withResolvers<void>()
  const pace = { tokensPerSecond: 20 }
  const script = [{ text: tokens.slice(0, count), ...pace }, { until: paused.promise }, { text: tokens.slice(count), ...pace }]
  return { script, release: paused.resolve }
}

/** Unique words, so lost or repeated ones show. */
export const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')
