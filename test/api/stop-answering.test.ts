import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { stopAnswering } from '../../src/server/commands/stop-answering.ts'
import { runStaffCommand } from '../../src/server/commands/staff-command.ts'
import { AuditLog } from '../../src/server/staff/audit.ts'
import type { DatabaseSettings } from '../../src/server/store/engine/open-database.ts'
import { cookieOf, readEvents, sendPrompt, streamPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { obey } from '../support/obedient-model.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const audit = new AuditLog('an installation key of a test')

describe.each(DATABASES)('answers that staff have stopped, on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'stops-'))
  let model: ScriptedModel
  let server: TestServer
  let settings: DatabaseSettings

  beforeAll(async () => {
    mkdirSync(join(directory, 'knowledge'))
    writeFileSync(join(directory, 'knowledge', 'parking.md'), '# Parking\n\nA parking permit costs 30 euros.\n')
    writeFileSync(join(directory, 'knowledge', 'library.md'), '# Library\n\nA library permit costs nothing.\n')
    for (const id of ['assistant', 'other'])
      writeFileSync(join(directory, `${id}.md`), `---\nname: ${id}\ngreeting: Hello.\n---\nYou are ${id}.\n`)
    model = await startScriptedModel()
    const env = { AGENTS_DIR: directory, KNOWLEDGE_DIR: join(directory, 'knowledge'), OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' }
    server = await startServer({ database, env })
    const url = server.env['DATABASE_URL']
    settings = url ? { kind: 'postgres', url, connections: 2, timeoutMs: 20_000 } : { kind: 'sqlite', directory: server.dataDirectory }
  })
  afterEach(async () => {
    model.clear()
    const { output } = await run('--list')
    for (const [, id] of output.matchAll(/^([0-9a-f]{8}) {2}/gm)) await run('--resume', id as string)
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(directory, { recursive: true })
  })

  const run = (...args: string[]) => stopAnswering(args, settings, Date.now(), audit)
  const stop = async (...args: string[]) => {
    const { output, exitCode } = await run(...args, '--reason', 'wrong figures')
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Stopped')])
  }
  const ask = async (prompt: string, agent = 'me') => (await (await sendPrompt(server.url, agent, prompt)).json()) as SendPromptReply

  test.each([
    ['everything', ['--all'], 'What is the time?', 'other'],
    ['an agent', ['--agent', 'other'], 'What is the time?', 'other'],
    ['a topic by its words', ['--topic', 'parking fines'], 'how high are the fines for parking here', 'me'],
    ['a topic by an example', ['--topic', 'parking fines', '--example', 'I got a ticket for my car'], 'I got a ticket for my car!', 'me'],
  ])('%s: the text replies, and no model is called', async (_, args, prompt, agent) => {
    await stop(...args, '--text', 'Paused until Monday.')
    const before = model.requests.length
    expect(await ask(prompt, agent)).toMatchObject({ response: 'Paused until Monday.', state: 'suspended', sources: [] })
    expect(model.requests).toHaveLength(before)
  })

  test('other agents and topics are answered', async () => {
    await stop('--agent', 'other')
    await stop('--topic', 'parking fines')
    expect((await ask('When does the library open?')).state).not.toBe('suspended')
  })

  test('a follow-up that is no question by itself is about what was asked before', async () => {
    const first = await sendPrompt(server.url, 'me', 'How high are **park**ing fines?')
    const { session_id: session } = (await first.json()) as SendPromptReply
    const next = async (prompt: string) =>
      (await (await sendPrompt(server.url, 'me', prompt, { session, headers: { cookie: cookieOf(first) } })).json()) as SendPromptReply
    await stop('--topic', 'parking fines', '--text', 'Paused until Monday.')
    const before = model.requests.length
    expect(await next('And how much is it for trucks?')).toMatchObject({ response: 'Paused until Monday.', state: 'suspended' })
    expect(model.requests).toHaveLength(before)
    expect((await next('When does the library open on Sundays?')).state).not.toBe('suspended')
  })

  test('without a text, the reply is in the language of the prompt', async () => {
    await stop('--all')
    expect((await ask('Wie spät ist es bei Ihnen?')).response).toContain('zurzeit nicht beantwortet')
  })

  test('a file is not searched', async () => {
    await stop('--file', 'parking.md')
    model.script(obey)
    expect((await ask('use search_knowledge {"query":"what does a permit cost"}')).response).toMatch(/^(?!.*30 euros).*costs nothing/s)
  })

  test.each([
    ['everything', ['--all'], 'Tell me a story'],
    ['its topic', ['--topic', 'parking fines'], 'Tell me about fines for parking'],
    ['a file that it uses', ['--file', 'parking.md'], 'use search_knowledge {"query":"parking permit"}'],
  ])('a running answer ends when staff stop %s, and keeps its text', async (_, args, prompt) => {
    model.script((request) => {
      const last = request.body.messages.at(-1)
      return prompt.startsWith('use') && last?.role === 'user' ? obey(request) : [{ text: 'Once upon a time' }, { silence: true }]
    })
    const response = await streamPrompt(server.url, 'me', prompt)
    const cookie = cookieOf(response)
    let session = ''
    let text = ''
    let isStopped = false
    for await (const { chunk } of readEvents(response)) {
      if (chunk.type === 'start') session = chunk.messageMetadata?.sessionId ?? ''
      if (chunk.type === 'text-delta') text += chunk.delta
      if (text.includes('Once upon a time') && !isStopped) {
        isStopped = true
        await stop(...args)
      }
    }
    const reply = await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })
    const { messages } = (await reply.json()) as { messages: ChatMessage[] }
    expect(messages.at(-1)?.metadata).toMatchObject({ status: 'interrupted', code: 'suspended', state: 'suspended' })
    expect(JSON.stringify(messages.at(-1)?.parts)).toContain('Once upon a time')
  })

  test('stays in force over a restart, is listed with its reason, and can be lifted', async () => {
    await stop('--agent', 'assistant')
    await server.restart()
    expect((await ask('Hello?')).state).toBe('suspended')
    const { output } = await run('--list')
    expect(output).toMatch(/^[0-9a-f]{8} {2}the agent "assistant", since 20\S+Z, reason "wrong figures"\n$/)
    expect((await run('--resume', output.slice(0, 8))).exitCode).toBe(0)
    expect((await ask('Hello?')).state).not.toBe('suspended')
  })

  test.each([
    ['nothing', []],
    ['two scopes', ['--all', '--agent', 'x', '--reason', 'r']],
    ['no reason', ['--all']],
    ['an empty topic', ['--topic', ' ', '--reason', 'r']],
    ['an unknown option', ['--everything']],
    ['an example without a topic', ['--all', '--example', 'x', '--reason', 'r']],
    ['a text that is too long', ['--all', '--reason', 'r', '--text', 'x'.repeat(2_001)]],
  ])('the command explains itself when given %s, and stops nothing', async (_, args) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, output: expect.stringContaining('parley stop-answering') })
    expect((await run('--list')).output).toBe('Nothing is stopped.\n')
  })

  test('the audit log names who stopped and resumed, without the texts of a stop, and verifies', async () => {
    const lines: string[] = []
    const staff = (...args: string[]) =>
      runStaffCommand(args, { database: settings, audit, consoleOrigin: null, now: Date.now, write: (text) => lines.push(text) })
    await stop('--all', '--text', 'We are correcting our page.')
    const [id = ''] = /^[0-9a-f]{8}/.exec((await run('--list')).output) ?? []
    await run('--resume', id)
    expect((await staff('audit')).exitCode).toBe(0)
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const target = audit.targetHash(id)
    expect(entries.slice(-2)).toMatchObject([
      { actor: 'operator', action: 'stop.start', target },
      { actor: 'operator', action: 'stop.end', target },
    ])
    expect(lines.join('')).not.toMatch(/correcting|wrong figures/)
    const { hash } = JSON.parse(lines.at(-1) ?? '') as { hash: string }
    const { output, exitCode } = await staff('audit', '--verify')
    expect(output).toContain(`The audit log is intact: ${lines.length} entries.`)
    expect([output.includes(`Note the newest one, ${lines.length} ${hash}`), exitCode]).toEqual([true, 0])
    expect((await staff('audits')).exitCode).toBe(2)
  })

  test('a stop takes effect without an installation key, and says that the audit log lacks it', async () => {
    const { output, exitCode } = await stopAnswering(['--all', '--reason', 'r'], settings, Date.now(), null)
    expect([exitCode, output]).toEqual([0, expect.stringContaining('The audit log has no entry')])
    expect((await ask('Hello?')).state).toBe('suspended')
  })

  test('the command says so when there is no such stop', async () => {
    expect((await run('--resume', 'ffffffff')).exitCode).toBe(1)
  })
})
