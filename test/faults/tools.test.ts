import type { Tool } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/server/models/model-limits.ts'
import { guardTool } from '../../src/server/answering/tools/guard-tool.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { answerOf, expectBody, expectReading } from './kit/visitor.ts'

describe('a tool that', () => {
  const warnings: string[] = []
  /** Runs a tool like the agent, with default limits. */
  const run = async (execute: () => unknown): Promise<unknown> => {
    const tool = { inputSchema: {}, execute } as unknown as Tool
    const guarded = guardTool('test', tool, { limits: DEFAULT_LIMITS, onWarning: (message) => warnings.push(message) })
    return guarded.execute?.({}, { toolCallId: 'call', messages: [], context: undefined } as never)
  }

  test('F17: hangs times out', async () => {
    const startedAt = performance.now()
    await expect(run(() => new Promise(() => undefined))).rejects.toThrow('The tool took too long and was stopped.')
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(DEFAULT_LIMITS.toolTimeoutMs - 1)
    expect(DEFAULT_LIMITS.toolTimeoutMs).toBe(20_000)
  })

  test('F17: throws does not reveal the cause', async () => {
    const throwing = run(() => {
      throw new Error('secret internals')
    })
    await expect(throwing).rejects.toThrow('The tool could not finish.')
  })

  test('F17: returns 10 MB is cut off', async () => {
    await expect(run(() => 'x'.repeat(10 * 1024 * 1024))).rejects.toThrow('The result of the tool is too long.')
  })
})

describe('a model whose tool', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage({ database: 'sqlite' })
  })
  afterAll(() => stage.stop())

  test('F17: fails is told so, and answers', async () => {
    stage.model.script(({ prompt, body }) => {
      if (prompt !== 'A tool that fails.') return undefined
      const result = body.messages.find((message) => message.role === 'tool')
      if (result) return [{ text: `It said: ${String(result.content)}` }]
      return [{ toolCall: { name: 'calculator', arguments: { expression: ['no', 'text'] } } }]
    })
    const visitor = await stage.visitor()
    const reading = expectReading(await visitor.send('A tool that fails.'))
    await reading.ended
    expect([reading.status, reading.text]).toEqual(['done', expect.stringMatching(/^It said: .*expression/s)])
    expect(reading.chunks).toContain('tool-output-error')
  })

  test('F17: is called endlessly stops after six steps', async () => {
    stage.model.script(({ prompt }) =>
      prompt === 'Loop.' ? [{ text: 'Again. ' }, { toolCall: { name: 'calculator', arguments: { expression: '1 + 1' } } }] : undefined,
    )
    const visitor = await stage.visitor()
    const reading = expectReading(await visitor.send('Loop.'))
    await reading.ended
    const asked = stage.model.requests.filter(({ prompt }) => prompt === 'Loop.')
    expect(asked.length).toBe(DEFAULT_LIMITS.maxSteps)
    expect(DEFAULT_LIMITS.maxSteps).toBe(6)
    expect(answerOf(expectBody(await visitor.session(reading.session)), reading.turn)?.text).toBe(reading.text)
    expect(reading.status).not.toBeNull()
  })
})
