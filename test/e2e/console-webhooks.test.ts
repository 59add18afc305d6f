import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedWebhook } from '../../src/contract/staff/webhooks.ts'
import { launchBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

/** Ids of the events that the receiver got. */
const received: string[] = []
let status = 500
let receiver: Server
let server: TestServer
let browser: Browser
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, CONSOLE_PRIVATE_HOSTS: '127.0.0.1' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  receiver.close()
})

test('a delivery is seen in the console with its attempts, and sent again', async () => {
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  expect((await owner.call<CreatedWebhook>('POST', 'webhooks', { url, events: ['backup.failed'] })).status).toBe(200)
  const below = join(import.meta.filename, 'below-a-file')
  await runOperatorCommand({ ...server.env, BACKUP_PASSPHRASE: 'a long passphrase' }, ['backup', '--to', below])
  await eventually(() => expect(received).not.toEqual([]))
  status = 204
  // After a refused attempt, the next one comes by itself.
  await eventually(() => expect(received.length).toBeGreaterThan(1))

  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  const [name = '', value = ''] = owner.cookie?.split('=') ?? []
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
  await page.goto(`${origin}/#/staff`)
  const delivery = page.getByRole('listitem').filter({ hasText: url }).filter({ hasText: 'attempts' })
  await expect.poll(() => delivery.innerText()).toMatch(/backup failed[^]*204[^]*2 attempts/i)
  expect([...(await violationsIn(page)), ...(await overflowOf(page))]).toEqual([])
  expect(new Set(received).size).toBe(1)
})
