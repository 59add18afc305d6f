import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Receiver } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedWebhook } from '../../src/contract/staff/webhooks.ts'
import { sendPrompt } from '../support/api.ts'
import { type ConnectProxy, INTERCEPTING_CERTIFICATE, passOnTo, startConnectProxy, startIntercepted } from '../support/connect-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

let folder: string
let model: ScriptedModel
let proxy: ConnectProxy
let interceptor: Awaited<ReturnType<typeof startIntercepted>>
let receiver: Awaited<ReturnType<typeof startIntercepted>>
let server: TestServer
/** Webhooks that `example.org` got. */
const received: { headers: Record<string, string>; body: string }[] = []

/** A network in which `model.example` and `example.org` are reached through a proxy alone, which intercepts TLS. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-proxy-'))
  writeFileSync(join(folder, 'authority.pem'), INTERCEPTING_CERTIFICATE)
  model = await startScriptedModel()
  interceptor = await startIntercepted(passOnTo(model.baseUrl))
  receiver = await startIntercepted((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body })
      response.writeHead(204).end()
    })
  })
  proxy = await startConnectProxy({ ports: { 'model.example:443': interceptor.port, 'example.org:443': receiver.port } })
  const env = {
    ...WITH_CONSOLE,
    CONSOLE_PRIVATE_HOSTS: 'example.org',
    OPENAI_BASE_URL: `https://model.example${new URL(model.baseUrl).pathname}`,
    MODEL: 'scripted',
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
  }
  server = await startServer({ database: 'sqlite', env })
})
afterAll(async () => {
  await server.stop()
  proxy.close()
  interceptor.close()
  receiver.close()
  await model.close()
  rmSync(folder, { recursive: true })
})

test('prompts are answered by a model behind a proxy that intercepts TLS', async () => {
  model.script([{ text: 'From behind the proxy.' }])
  const reply = await sendPrompt(server.url, 'me', 'hello')
  expect(await reply.json()).toMatchObject({ response: 'From behind the proxy.' })
  expect(new Set(proxy.asked)).toEqual(new Set(['model.example:443']))
})

const doctor = async (env: Record<string, string>) => {
  const { output } = await runOperatorCommand({ ...server.env, PORT: new URL(server.url).port, ...env }, ['doctor', '--json'])
  return (JSON.parse(output.slice(output.indexOf('['))) as { area: string; text: string; change?: string }[]).find(
    ({ area }) => area === 'model',
  )
}

test('the doctor reaches the model', async () => {
  expect(await doctor({})).toMatchObject({ verdict: 'ok' })
})

test('the doctor names the error of the certificate, and what to set', async () => {
  expect(await doctor({ NODE_EXTRA_CA_CERTS: '' })).toMatchObject({
    verdict: 'problem',
    text: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') as string,
    change: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
  })
})

test('the doctor says that a proxy refuses', async () => {
  expect(await doctor({ OPENAI_BASE_URL: 'https://other.example/v1' })).toMatchObject({
    verdict: 'problem',
    text: expect.stringContaining('PROXY_403') as string,
    change: expect.stringContaining('NO_PROXY') as string,
  })
})

test('webhooks reach a receiver behind the proxy', async () => {
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  const target = { url: 'https://example.org/hook', events: ['backup.failed'] }
  const { body: webhook } = await owner.call<CreatedWebhook>('POST', 'webhooks', target)
  const below = join(import.meta.filename, 'below-a-file')
  await runOperatorCommand({ ...server.env, BACKUP_PASSPHRASE: 'a long passphrase' }, ['backup', '--to', below])
  await eventually(() => expect(received).toHaveLength(1))
  const [{ headers, body }] = received as [(typeof received)[0]]
  expect(new Receiver(webhook.secret).verify(body, headers)).toMatchObject({ type: 'backup.failed' })
  expect(proxy.asked).toContain('example.org:443')
})
