import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChatChunk } from '../../src/contract/chat/message.ts'
import { MessageBuilder } from '../../src/contract/chat/message-builder.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import type { AgentView } from '../../src/contract/staff/content/agents.ts'
import type { Evaluation } from '../../src/contract/staff/content/evaluations.ts'
import type { InstallationStatus } from '../../src/contract/staff/status.ts'
import type { TrialPrompt } from '../../src/contract/staff/content/trial-answers.ts'
import { allEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { type RecordedRequest, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { isStored } from '../support/stored-text.ts'

const BUDGET = 10
/** Each answer reserves 12,000 tokens at a hundred thousandth each. */
const PRICES = { PRICES: 'scripted=10/10', LIMIT_TURN_INPUT_TOKENS: '10000', BUDGET_PER_DAY: String(BUDGET) }
const HOSTILE = '<img src=x onerror=alert(1)> </script>'

const textWith = (instruction: string) => `---\nname: Pool\ngreeting: Hi\nknowledge: [.]\n---\n${instruction}\n`
const CASES = `- name: hours
  prompt: When does the pool open?
  contains: nine
  sources: pool.md
- name: follow-up
  turns:
    - prompt: What does it cost?
      matches: ^Four
    - prompt: And for children?
      contains: [Two]
      forbidden: four
`

/** Answers like a model that knows the pool, in the manner that the instruction asks for. */
const answers = ({ prompt, body }: RecordedRequest) => {
  const isVague = JSON.stringify(body.messages[0]).includes('Be vague')
  const hasSearched = body.messages.at(-1)?.role === 'tool'
  if (prompt.includes('Wait')) return [{ silence: true as const }]
  if (prompt.includes('open') && !hasSearched)
    return [{ toolCall: { name: 'search_knowledge', arguments: { query: 'pool opening hours' } } }]
  if (prompt.includes('open')) return [{ text: isVague ? 'In the morning [1].' : `It opens at nine [1]. ${HOSTILE}` }]
  if (prompt.includes('children')) return [{ text: body.messages.length > 3 ? 'Two euros.' : 'I don’t know what you mean.' }]
  return [{ text: 'Four euros.' }]
}

describe.each(DATABASES)('evaluations of agents on %s', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-evaluation-'))
  let model: ScriptedModel
  let server: TestServer
  let owner: StaffClient
  let editor: StaffClient
  beforeAll(async () => {
    mkdirSync(join(folder, 'knowledge'))
    writeFileSync(join(folder, 'knowledge', 'pool.md'), '# Opening hours of the pool\n\nThe pool opens at nine and closes at five.\n')
    model = await startScriptedModel()
    server = await startServer({
      database,
      env: { ...WITH_CONSOLE, ...PRICES, OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', KNOWLEDGE_DIR: join(folder, 'knowledge') },
    })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    editor = await owner.colleague('editor')
  })
  beforeEach(() => {
    model.clear()
    model.script(answers)
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    rmSync(folder, { recursive: true })
  })

  const view = async (id: string) => (await editor.call<AgentView>('GET', `agents/${id}`)).body.managed
  const create = (id: string, instruction = 'Answer.') => editor.call('POST', 'agents', { id, text: textWith(instruction) })
  const save = (id: string, instruction: string, basedOn: number) =>
    editor.call('POST', `agents/${id}/draft`, { text: textWith(instruction), basedOn })
  const saveCases = (id: string, text: string, basedOn = 0) =>
    editor.call<{ detail: string }>('POST', `agents/${id}/cases`, { text, basedOn })
  const evaluate = (id: string, revision: number) => editor.call<{ number: number }>('POST', `agents/${id}/evaluations`, { revision })
  const evaluation = async (id: string, number: number) => (await editor.call<Evaluation>('GET', `agents/${id}/evaluations/${number}`)).body
  const ended = (id: string, number: number) =>
    eventually(async () => {
      const now = await evaluation(id, number)
      expect(now.status).not.toBe('running')
      return now
    })
  const publish = (id: string, revision: number, by = editor, anyway?: true) =>
    by.call<{ detail: string }>('POST', `agents/${id}/publication`, { revision, ...(anyway && { anyway }) })
  const spent = async () => (await owner.call<InstallationStatus>('GET', 'status')).body.budgets[0]?.used ?? 0
  const ask = (id: string, body: TrialPrompt, signal?: AbortSignal) =>
    fetch(`${editor.origin}/api/staff/v1/agents/${id}/answers`, {
      method: 'POST',
      headers: { origin: editor.origin, cookie: String(editor.cookie), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
  const answerOf = async (response: Response) => {
    const builder = new MessageBuilder()
    for (const { chunk } of (await allEvents(response)) as unknown as { chunk: ChatChunk }[]) builder.apply(chunk)
    return builder.finished()
  }

  test('ask the draft its cases; a draft that answers all of them is published with its result', async () => {
    await create('pool')
    expect(await saveCases('pool', CASES)).toMatchObject({ status: 200 })
    expect(await publish('pool', 1)).toMatchObject({ status: 409, body: { code: 'agent_not_evaluated' } })
    const before = await spent()
    expect(await evaluate('pool', 1)).toMatchObject({ status: 200, body: { number: 1 } })
    const { cases, ...summary } = await ended('pool', 1)
    expect(summary).toMatchObject({ status: 'done', isCurrent: true, total: 2, asked: 2, right: 2, by: expect.stringMatching(/^editor/) })
    expect(cases).toMatchObject([
      {
        name: 'hours',
        isRight: true,
        turns: [{ state: 'answered', sources: ['pool.md'], faults: [], text: expect.stringContaining(HOSTILE) }],
      },
      { name: 'follow-up', isRight: true, turns: [{ text: 'Four euros.' }, { text: 'Two euros.' }] },
    ])
    expect(await spent()).toBeGreaterThan(before)
    expect(await publish('pool', 1)).toMatchObject({ status: 200, body: { number: 1 } })
    expect((await view('pool'))?.publications).toMatchObject([{ number: 1, evaluation: { right: 2, total: 2 } }])
    // Figures count the answers of visitors alone.
    expect(await owner.call('GET', 'figures')).toMatchObject({ body: { days: [] } })
  })

  test('keep a draft that fails from being published and name the cases; only owners publish it anyway, which is recorded', async () => {
    await create('vague', 'Be vague.')
    await saveCases('vague', CASES)
    await evaluate('vague', 1)
    expect(await ended('vague', 1)).toMatchObject({
      status: 'done',
      right: 1,
      cases: [{ isRight: false, turns: [{ faults: ['lacks "nine"'] }] }, { turns: [{ faults: [] }, { faults: [] }] }],
    })
    const rejected = await publish('vague', 1)
    expect(rejected).toMatchObject({ status: 409, body: { code: 'evaluation_failed', detail: 'Wrong: “hours”.' } })
    expect(await publish('vague', 1, editor, true)).toMatchObject({ status: 403, body: { code: 'role_insufficient' } })
    expect(await publish('vague', 1, owner, true)).toMatchObject({ status: 200 })
    expect((await view('vague'))?.publications).toMatchObject([{ evaluation: { right: 1, total: 2 } }])
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(body.entries[0]?.action).toBe('agent.publish-anyway')

    // Another text needs another evaluation, and so do other cases.
    await save('vague', 'Answer.', 1)
    expect((await view('vague'))?.evaluations).toMatchObject([{ isCurrent: false }])
    expect(await publish('vague', 2)).toMatchObject({ body: { code: 'agent_not_evaluated' } })
    await evaluate('vague', 2)
    await ended('vague', 2)
    await saveCases('vague', `${CASES}- prompt: Is it far?\n`, 1)
    expect(await publish('vague', 2)).toMatchObject({ body: { code: 'agent_not_evaluated' } })
    await saveCases('vague', CASES, 2)
    expect(await publish('vague', 2)).toMatchObject({ status: 200, body: { number: 2 } })
    // The way out of a bad version needs no evaluation.
    expect(await editor.call('POST', 'agents/vague/roll-back', { number: 1 })).toMatchObject({ status: 200, body: { number: 3 } })
  })

  test('send a model no more personal data than visitors could', async () => {
    const text = textWith('Answer.').replace('greeting', 'personalData: { iban: mask, card: refuse }\ngreeting')
    await editor.call('POST', 'agents', { id: 'careful', text })
    await saveCases('careful', '- prompt: Is DE89 3704 0044 0532 0130 00 right?\n- prompt: Is 4111 1111 1111 1111 right?\n')
    await evaluate('careful', 1)
    expect(await ended('careful', 1)).toMatchObject({
      cases: [{ turns: [{ text: 'Four euros.' }] }, { isRight: false, turns: [{ state: 'failed' }] }],
    })
    const sent = JSON.stringify(model.requests.map(({ body }) => body))
    expect(sent).toContain('Is [iban 1] right?')
    expect(sent).not.toMatch(/(?<![\w-])(?:3704|4111)(?![\w-])|DE89370400440532013000|4111111111111111/)
  })

  test('save only cases without mistakes, and tell the second of two editors', async () => {
    await create('cases')
    const rejected = await saveCases('cases', '- prompt: A\n- prompt: B\n  sauce: c\n')
    expect(rejected).toMatchObject({ status: 422, body: { code: 'cases_mistaken', detail: expect.stringContaining('Line 2: case 2') } })
    for (const [text, mistake] of [
      ['- {prompt: A, judge: Is kind}', 'judging model'],
      ['- {prompt: A, agent: other}', 'agent must be cases'],
      ['- {prompt: A, matches: "("}', 'regular expression'],
      ['- &a [*a, *a]', 'Line 1'],
      [Array.from({ length: 101 }, () => '- prompt: A').join('\n'), 'more than 100'],
    ] as const)
      expect((await saveCases('cases', text)).body.detail, text).toContain(mistake)
    expect((await view('cases'))?.cases).toMatchObject({ text: '', revision: 0, count: 0 })
    await saveCases('cases', '- prompt: A\n')
    expect(await saveCases('cases', '- prompt: B\n')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect((await view('cases'))?.cases).toMatchObject({
      text: '- prompt: A\n',
      revision: 1,
      by: expect.stringMatching(/^editor/),
      count: 1,
    })
    // Without cases, there is nothing to evaluate and nothing in the way.
    await saveCases('cases', ' ', 1)
    expect(await evaluate('cases', 1)).toMatchObject({ status: 409, body: { code: 'no_cases' } })
    expect(await publish('cases', 1)).toMatchObject({ status: 200 })
  })

  test('end when they are stopped, one at a time for an agent, and none is left of a deleted one', async () => {
    await create('slow')
    await saveCases('slow', '- prompt: Wait for me\n- prompt: When does the pool open?\n')
    const { body } = await evaluate('slow', 1)
    expect(await evaluate('slow', 1)).toMatchObject({ status: 409, body: { code: 'evaluation_running' } })
    await eventually(async () => expect((await evaluation('slow', body.number)).asked).toBe(1))
    expect(await editor.call('DELETE', `agents/slow/evaluations/${body.number}`)).toMatchObject({ status: 200 })
    expect(await ended('slow', body.number)).toMatchObject({ status: 'stopped', cases: [] })
    expect(await publish('slow', 1)).toMatchObject({ body: { code: 'agent_not_evaluated' } })
    expect(await editor.call('DELETE', `agents/slow/evaluations/${body.number}`)).toMatchObject({ status: 404 })
    expect(await editor.call('DELETE', 'agents/slow')).toMatchObject({ status: 200 })
    expect(await editor.call('GET', `agents/slow/evaluations/${body.number}`)).toMatchObject({ status: 404 })
  })

  test('the draft and its versions answer staff with sources and state, and no chat is stored', async () => {
    await create('preview')
    await publish('preview', 1)
    await save('preview', 'Be vague.', 1)
    const draft = await answerOf(await ask('preview', { prompt: 'Will it open today?' }))
    expect(textOf(draft)).toBe('In the morning [1].')
    expect(draft.metadata).toMatchObject({ status: 'done', state: 'answered', model: expect.any(String) })
    expect(draft.parts.some((part) => part.type === 'source-document' && part.filename === 'pool.md')).toBe(true)
    const history = [
      { role: 'user' as const, text: 'What does it cost?' },
      { role: 'assistant' as const, text: 'Four euros.' },
    ]
    expect(textOf(await answerOf(await ask('preview', { prompt: 'And for children?', history })))).toBe('Two euros.')
    expect(await isStored(server, 'Will it open today?')).toBe(false)
    expect((await ask('unknown', { prompt: 'Hi' })).status).toBe(404)
    expect((await ask('preview', { prompt: ' ' })).status).toBe(400)
    await editor.call('POST', 'agents', { id: 'mistaken', text: 'none' })
    expect((await ask('mistaken', { prompt: 'Hi' })).status).toBe(409)
  })

  test('an answer to staff ends with their connection, and with the budget', async () => {
    await create('limited')
    const leaving = new AbortController()
    const response = await ask('limited', { prompt: 'Wait' }, leaving.signal)
    await eventually(() => expect(model.requests.at(-1)?.prompt).toBe('Wait'))
    leaving.abort()
    await response.body?.cancel().catch(() => undefined)
    expect(await model.requests.at(-1)?.ended).toBe(true)
    await eventually(async () => expect(await spent()).toBeLessThan(BUDGET - 0.2))
    expect(await owner.call('POST', 'budgets/moneyPerDay', { value: 0.01, replaces: BUDGET })).toMatchObject({ status: 200 })
    const answerNow = async () => (await answerOf(await ask('limited', { prompt: 'What does it cost?' }))).metadata
    expect(await answerNow()).toMatchObject({ status: 'failed', code: 'budget_exhausted' })
    expect(await owner.call('DELETE', 'budgets/moneyPerDay')).toMatchObject({ status: 200 })
    // In force within a second.
    await eventually(async () => expect(await answerNow()).toMatchObject({ status: 'done' }))
  })

  test('are interrupted by the end of their process', async () => {
    await create('restarted')
    await saveCases('restarted', '- prompt: Wait for me\n')
    const { body } = await evaluate('restarted', 1)
    await server.restart()
    const origin = await eventually(async () => {
      const announced = (await consoleOf(server)).origin
      expect(announced).not.toBe(editor.origin)
      return announced
    })
    const again = new StaffClient(origin)
    again.cookie = editor.cookie
    const { body: after } = await again.call<Evaluation>('GET', `agents/restarted/evaluations/${body.number}`)
    expect(after).toMatchObject({ status: 'interrupted', cases: [] })
  })
})
