import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { allEvents, cookieOf, sendPrompt, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { sampleSize } from '../support/sample-size.ts'
import { startServer, type TestServer, WITH_DOCUMENTS } from '../support/server.ts'

/** Each prompt reserves 12,000 tokens at a millionth each, or about 10,000 if less is left. */
const PRICES = { PRICES: 'scripted=1/1', LIMIT_TURN_INPUT_TOKENS: '10000' }
const budgetFor = (turns: number) => ({ ...PRICES, BUDGET_PER_DAY: (turns * 0.0121).toFixed(6) })

let model: ScriptedModel
beforeEach(async () => {
  model = await startScriptedModel()
})
const started: TestServer[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()))
  await model.close()
})

async function serverWith(database: TestDatabase, env: Record<string, string | undefined>): Promise<TestServer> {
  const server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...env } })
  started.push(server)
  return server
}

const codeOf = async (response: Response) => (response.status === 200 ? 'taken' : ((await response.json()) as { code: string }).code)

/** A folder of agents by id, with their models. */
function agentsWith(models: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-agents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [id, name] of Object.entries(models)) {
    writeFileSync(join(folder, `${id}.md`), `---\nname: Helper\ngreeting: Hello.\nmodel: ${name}\n---\nYou help.\n`)
  }
  return folder
}

const PROMPTS = sampleSize({ long: 200, short: 60 })

describe.each(DATABASES)('a budget on %s', (database) => {
  test('for 7 answers lets 7 of many prompts at once reach the model', async () => {
    const server = await serverWith(database, budgetFor(7))
    const decided = Promise.withResolvers<void>()
    // No answer ends before all are decided, or its unspent reservation would pay for another.
    model.script(() => ({ steps: [{ text: 'Hello' }, { until: decided.promise }] }))
    const responses = await Promise.all(Array.from({ length: PROMPTS }, (_, index) => streamPrompt(server.url, 'me', `hi ${index}`)))
    const refused = responses.filter(({ status }) => status !== 200)
    expect(await Promise.all(refused.map(codeOf))).toEqual(Array.from({ length: PROMPTS - 7 }, () => 'budget_exhausted'))
    expect(refused.every((response) => Number(response.headers.get('retry-after')) > 0)).toBe(true)
    // A stream may begin before its request reaches the model.
    await expect.poll(() => model.requests.length).toBe(7)
    decided.resolve()
    const answers = await Promise.all(responses.filter(({ status }) => status === 200).map(allEvents))
    expect(answers.map(textOfEvents)).toEqual(Array.from({ length: 7 }, () => 'Hello'))
    expect(model.requests).toHaveLength(7)
  })

  test('is charged the usage of an answer, not its reservation', async () => {
    const server = await serverWith(database, budgetFor(1))
    const codes = []
    for (let prompt = 0; prompt < 5; prompt += 1) codes.push(await codeOf(await sendPrompt(server.url, 'me', 'hi')))
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'taken'))
  })

  test('is charged the whole reservation of an answer whose process died', async () => {
    const server = await serverWith(database, budgetFor(2))
    model.script([{ text: 'Half' }, { silence: true }])
    const reader = (await streamPrompt(server.url, 'me', 'hi')).body?.getReader()
    await reader?.read()
    await expect.poll(() => model.requests.length).toBe(1)
    await server.restart('SIGKILL')
    // There is room for the charged answer and the next, but not for another reservation.
    expect(await codeOf(await sendPrompt(server.url, 'me', 'hi'))).toBe('taken')
    model.script([{ text: 'Long '.repeat(50) }])
    expect(await codeOf(await sendPrompt(server.url, 'me', 'hi'))).toBe('taken')
    model.script([{ text: 'Half' }, { silence: true }])
    const running = await streamPrompt(server.url, 'me', 'hi')
    expect([await codeOf(running), await codeOf(await sendPrompt(server.url, 'me', 'hi'))]).toEqual(['taken', 'budget_exhausted'])
    // A graceful stop would wait for the silent model.
    await server.stop('SIGKILL')
  })

  test('switches to the fallback model when exhausted, and reports it', async () => {
    const server = await serverWith(database, { ...budgetFor(0.5), FALLBACK_MODEL: 'builtin' })
    const events = await allEvents(await streamPrompt(server.url, 'me', 'What can you do?'))
    expect(events[0]?.chunk).toMatchObject({ type: 'start', messageMetadata: { model: 'Built-in assistant', isFallback: true } })
    expect(textOfEvents(events)).not.toBe('')
    expect(model.requests).toEqual([])
  })

  test('is not charged when a free model answers in place of one that fails', async () => {
    const server = await serverWith(database, { ...budgetFor(1), FALLBACK_MODEL: 'builtin' })
    model.script(() => ({ status: 401 }))
    for (let prompt = 0; prompt < 3; prompt += 1) {
      const events = await allEvents(await streamPrompt(server.url, 'me', 'How much is 6*7?'))
      expect(events.find(({ chunk }) => chunk.type === 'message-metadata')?.chunk).toMatchObject({
        messageMetadata: { model: 'Built-in assistant', isFallback: true },
      })
      expect(textOfEvents(events)).toContain('42')
    }
    expect(model.requests).toHaveLength(3)
  })

  test('is charged the price of the agent’s model, and nothing for the built-in assistant', async () => {
    const folder = agentsWith({ assistant: '', dear: 'large', free: 'builtin' })
    const server = await serverWith(database, { ...budgetFor(1.7), AGENTS_DIR: folder, PRICES: 'scripted=1/1, large=3/3' })
    const send = async (agent: string) => codeOf(await sendPrompt(server.url, agent, 'What is 2 + 2?'))
    // There is room for one answer of the usual model, but not for three.
    expect(await send('dear')).toBe('budget_exhausted')
    expect(model.requests).toEqual([])
    expect(await send('assistant')).toBe('taken')
    model.script([{ text: 'Half' }, { silence: true }])
    const running = await streamPrompt(server.url, 'assistant', 'hi')
    expect(await codeOf(running)).toBe('taken')
    expect(await send('assistant')).toBe('budget_exhausted')
    expect(await send('free')).toBe('taken')
    await server.stop('SIGKILL')
  })

  test('still covers an answer with one lookup when nearly exhausted', async () => {
    const server = await serverWith(database, { ...budgetFor(0.9), ...WITH_DOCUMENTS })
    model.script([{ toolCall: { name: 'search_knowledge', arguments: { query: 'privacy' } } }])
    model.script([{ text: 'It is private.' }])
    expect(await codeOf(await sendPrompt(server.url, 'me', 'hi'))).toBe('taken')
    expect(model.requests).toHaveLength(2)
  })

  test('of tokens is per visitor, and is not reset by deleting chats', async () => {
    const server = await serverWith(database, { LIMIT_TOKENS_PER_DAY: '10500' })
    const cookies = [cookieOf(await sendPrompt(server.url, 'me', 'one')), cookieOf(await sendPrompt(server.url, 'me', 'two'))]
    const [headers, others] = cookies.map((cookie) => ({ cookie }))
    model.script([{ text: 'word '.repeat(600) }])
    expect(await codeOf(await sendPrompt(server.url, 'me', 'long', { headers: headers ?? {} }))).toBe('taken')
    await fetch(`${server.url}/api/v1/sessions`, { method: 'DELETE', headers: headers ?? {} })
    expect(await codeOf(await sendPrompt(server.url, 'me', 'more', { headers: headers ?? {} }))).toBe('daily_tokens_used')
    expect(await codeOf(await sendPrompt(server.url, 'me', 'more', { headers: others ?? {} }))).toBe('taken')
  })
})
