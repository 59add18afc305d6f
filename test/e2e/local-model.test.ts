import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readinessDetails, sendPrompt } from '../support/api.ts'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { TINY_RESULT, TINY_TEXT, tinyModel } from '../support/tiny-model.ts'
import { Visitor } from './stage.ts'

const METRICS_TOKEN = 'a-token-for-operators'

const ID = 'visitor-of-the-local-model-0123456789'
const model = tinyModel()

/** Serves the model file; the first request stalls at half until `release`. */
class ModelHost {
  url = ''
  readonly #server: Server
  #release = Promise.withResolvers<void>()

  constructor() {
    this.#server = createServer((_, response) => {
      const half = model.bytes.length / 2
      response.writeHead(200, { 'content-length': model.bytes.length }).write(model.bytes.subarray(0, half))
      this.#release.promise.then(
        () => response.end(model.bytes.subarray(half)),
        () => undefined,
      )
    })
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tiny.gguf`
  }

  release(): void {
    this.#release.resolve()
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const host = new ModelHost()
let server: TestServer
let browser: Browser
let visitor: Visitor

beforeAll(async () => {
  await host.start()
  browser = await launchBrowser()
  server = await startServer({
    database: 'sqlite',
    env: {
      MODEL: 'local',
      LOCAL_MODEL_URL: host.url,
      LOCAL_MODEL_SHA256: model.sha256,
      // The tests stop endless answers themselves.
      MODEL_WINDOW: '131072',
      LIMIT_TURN_OUTPUT_TOKENS: '1000000',
      METRICS_TOKEN,
    },
  })
  visitor = new Visitor(server.url, await (await browser.newContext()).newPage())
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  host.close()
})

const problemsOf = (of: TestServer) => readinessDetails(of, METRICS_TOKEN)
const status = () => visitor.answers.last()
/** The model's process, the server's only child. */
const modelProcess = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

test('while the model downloads, the server is up and reports progress, and the prompt is saved', async () => {
  await expect.poll(() => problemsOf(server)).toContain('Downloading the local model: 50 %.')
  const refused = await sendPrompt(server.url, ID, 'Say hello.')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'model_loading', percent: 50 })
  await visitor.enter()
  await visitor.send('Say hello.')
  await visitor.page.getByText('The model is still downloading (50%).').waitFor()
  host.release()
  await expect.poll(() => problemsOf(server)).toEqual([])
  // Automatic retries may be exhausted on a busy machine.
  const answer = visitor.answers.getByText(TINY_TEXT)
  await answer.or(visitor.button('Retry')).first().waitFor()
  if (await visitor.button('Retry').isVisible()) await visitor.button('Retry').click()
  await answer.waitFor()
})

test('calls a tool and answers from its result', async () => {
  await visitor.ask('How much is it!')
  await expect.poll(() => status().innerText()).toContain(TINY_RESULT)
  await status().getByText('calculator').waitFor()
})

test('stops on request, and answers the next prompt', async () => {
  await visitor.send('Go on?')
  await status().getByText('again, and again').waitFor()
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  await visitor.button('New chat').first().click()
  await visitor.ask('And now.')
  await expect.poll(() => status().innerText()).toContain(TINY_TEXT)
})

test('a killed model process fails its answer, keeps the text, and the next answer works', async () => {
  await visitor.send('Go on?')
  await status().getByText('again, and again').waitFor()
  process.kill(modelProcess(server.pid), 'SIGKILL')
  await visitor.page.getByRole('alert').waitFor()
  await expect.poll(() => status().innerText()).toContain('again, and again')
  await visitor.button('New chat').first().click()
  await visitor.ask('And now.')
  await expect.poll(() => status().innerText()).toContain(TINY_TEXT)
})

test('the model process ends with the server, however the server ends', async () => {
  const pid = modelProcess(server.pid)
  await server.kill('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

/** Zombie processes don't count as running. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
