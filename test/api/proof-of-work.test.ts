import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { Challenge } from '../../src/contract/proof-of-work.ts'
import { Problem } from '../../src/contract/problem.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { proofOf, solve } from '../support/proof-of-work.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const BROWSER = { 'sec-fetch-site': 'same-origin', cookie: 'privacy-consent=true' }
const from = (address: string) => ({ 'x-forwarded-for': address })

let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(() => model.close())

const serverWith = (database: TestDatabase, env: Record<string, string>): Promise<TestServer> =>
  startServer({
    database,
    env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', TRUSTED_PROXIES: '127.0.0.1', ...BUSY_NETWORKS, ...env },
  })

/** Network limits high enough not to matter here. */
const BUSY_NETWORKS = Object.fromEntries(
  ['PROMPTS_PER_MINUTE', 'PROMPTS_PER_DAY', 'RUNNING_TURNS', 'TOKENS_PER_DAY'].map((name) => [`LIMIT_NETWORK_${name}`, '1000000']),
)

/** The outcome of a prompt: `taken` (accepted), or the code of its rejection. */
async function fateOf(sending: Promise<Response>): Promise<string> {
  const response = await sending
  const body = (await response.json()) as { code?: string }
  return body.code ?? 'taken'
}

describe.each(DATABASES)('proof of work, always, on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverWith(database, { PROOF_OF_WORK: 'always' })
  })
  afterAll(() => server.stop())

  const challengeFor = async (address: string): Promise<Challenge> =>
    ((await (await sendPrompt(server.url, 'me', 'hi', { headers: from(address) })).json()) as { challenge: Challenge }).challenge
  const send = (address: string, proof?: string, headers: Record<string, string> = {}) =>
    fateOf(
      sendPrompt(server.url, 'me', 'hi', {
        headers: { ...from(address), ...headers, ...(proof !== undefined && { 'proof-of-work': proof }) },
      }),
    )

  test('is required by a challenge, and the model is not called without it', async () => {
    const asked = model.requests.length
    const response = await sendPrompt(server.url, 'me', 'hi', { headers: from('198.51.100.1') })
    const { status, code, challenge } = Problem.parse(await response.json())
    expect([status, code, response.headers.getSetCookie()]).toEqual([428, 'proof_of_work_required', []])
    expect(model.requests).toHaveLength(asked)
    expect(await send('198.51.100.1', await solve(challenge as Challenge))).toBe('taken')
    expect(model.requests).toHaveLength(asked + 1)
  })

  test('allows the page’s worker and no other inline script', async () => {
    const { headers } = await fetch(`${server.url}/`, { redirect: 'manual' })
    expect(headers.get('content-security-policy')).toContain(
      "require-trusted-types-for 'script'; trusted-types service-worker highlight proof-of-work",
    )
  })

  test('accepts a solution once: one of 50 concurrent prompts becomes a turn, and none later, even after a restart', async () => {
    const proof = await solve(await challengeFor('198.51.100.2'))
    const asked = model.requests.length
    const fates = await Promise.all(Array.from({ length: 50 }, () => send('198.51.100.2', proof)))
    expect(fates.filter((fate) => fate === 'taken')).toHaveLength(1)
    // On a busy machine, PostgreSQL may time out before the proof is checked.
    expect(fates.filter((fate) => !['taken', 'proof_of_work_required', 'storage_unavailable'].includes(fate))).toEqual([])
    expect(model.requests).toHaveLength(asked + 1)
    await server.restart()
    expect(await send('198.51.100.2', proof)).toBe('proof_of_work_required')
  })

  test('accepts a solution only from the network that got the challenge', async () => {
    const proof = await solve(await challengeFor('2001:db8:7:7::1'))
    expect(await send('2001:db8:7:8::1', proof)).toBe('proof_of_work_required')
    expect(await send('198.51.100.3', proof)).toBe('proof_of_work_required')
    expect(await send('2001:db8:7:7::2', proof)).toBe('taken')
  })

  test('rejects wrong, forged, expired and missing solutions', async () => {
    const challenge = await challengeFor('198.51.100.4')
    const { solution } = await proofOf(challenge)
    const { parameters } = challenge
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
    const easier = { ...challenge, parameters: { ...parameters, cost: 1, keyPrefix: '00' } }
    const longer = { ...challenge, parameters: { ...parameters, data: { ...parameters.data, expires: parameters.data.expires + 3_600 } } }
    const wrong = { ...solution, derivedKey: `${parameters.keyPrefix}${'0'.repeat(64 - parameters.keyPrefix.length)}` }
    const proofs = [
      encoded({ challenge, solution: wrong }),
      encoded({ challenge: easier, solution: (await proofOf(easier)).solution }),
      encoded({ challenge: longer, solution }),
      encoded({ challenge: { ...challenge, signature: '00'.repeat(32) }, solution }),
      encoded({ challenge, solution: { ...solution, derivedKey: '' } }),
      encoded({ challenge: null, solution }),
      encoded({ challenge: { ...challenge, __proto__: {}, extra: 1 }, solution }),
      '',
      'not base64 ☹'.replaceAll(/\W/g, '~'),
      'A'.repeat(5_000),
    ]
    const fates = []
    for (const proof of proofs) fates.push(await send('198.51.100.4', proof))
    expect(fates).toEqual(proofs.map(() => 'proof_of_work_required'))
    expect(await send('198.51.100.4', encoded({ challenge, solution }))).toBe('taken')
  })

  test('does not use up a solution for a rejected prompt', async () => {
    const proof = await solve(await challengeFor('198.51.100.5'))
    const key = { 'idempotency-key': 'one-key-for-two-prompts' }
    expect(await send('198.51.100.5', await solve(await challengeFor('198.51.100.5')), key)).toBe('taken')
    const other = sendPrompt(server.url, 'me', 'other', { headers: { ...from('198.51.100.5'), ...key, 'proof-of-work': proof } })
    expect(await fateOf(other)).toBe('idempotency_key_reused')
    expect(await send('198.51.100.5', proof)).toBe('taken')
  })
})

describe.each(DATABASES)('proof of work, auto, on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverWith(database, {
      PROOF_OF_WORK: 'auto',
      LIMIT_NETWORK_PROMPTS_PER_DAY: '8',
      ...withConstants({ networkReadsPerMinute: 10 }),
    })
  })
  afterAll(() => server.stop())

  const send = (address: string, headers: Record<string, string>) =>
    fateOf(sendPrompt(server.url, 'me', 'hi', { headers: { ...from(address), ...headers } }))

  test('is required of browsers once their network has used half of its prompts, and of no other client or network', async () => {
    const fates = []
    for (let prompt = 0; prompt < 6; prompt += 1) fates.push(await send('203.0.113.1', BROWSER))
    expect(fates).toEqual(['taken', 'taken', 'taken', 'taken', 'proof_of_work_required', 'proof_of_work_required'])
    expect(await send('203.0.113.1', {})).toBe('taken')
    expect(await send('203.0.113.2', BROWSER)).toBe('taken')
  })

  test('limits requests for challenges', async () => {
    for (let prompt = 0; prompt < 4; prompt += 1) await send('203.0.113.3', BROWSER)
    const fates = new Set<string>()
    // A new minute may start in between.
    for (let prompt = 0; prompt < 25; prompt += 1) fates.add(await send('203.0.113.3', BROWSER))
    expect(fates).toEqual(new Set(['proof_of_work_required', 'too_many_requests']))
  })
})
