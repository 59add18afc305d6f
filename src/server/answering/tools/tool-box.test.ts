import { dynamicTool, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULT_LIMITS } from '../../models/model-limits.ts'
import { approvalRequiredTool } from './foreign-tools.ts'
import { ToolBox } from './tool-box.ts'
import { createTools } from './tools.ts'

const wide = () => dynamicTool({ description: 'Looks up an order. '.repeat(60), inputSchema: z.object({}), execute: async () => 'ok' })
const set = (...names: string[]): ToolSet => Object.fromEntries(names.map((name) => [name, wide()]))

function boxOf(kinds: { mcp?: ToolSet; http?: ToolSet; web?: ToolSet }, approvalRequired: string[] = []) {
  const warnings: string[] = []
  const onWarning = (message: string) => void warnings.push(message)
  const own = createTools({ search: async () => null, limits: DEFAULT_LIMITS, onWarning })
  const foreign = () => [kinds.mcp ?? {}, kinds.http ?? {}, kinds.web ?? {}]
  const box = new ToolBox({
    agent: 'anna',
    own,
    foreign,
    approvalRequired: () => approvalRequired,
    limits: DEFAULT_LIMITS,
    onWarning,
    maxTokens: 100_000,
  })
  return { box, warnings, ownNames: Object.keys(own) }
}
const sizeOfOwn = () => boxOf({}).box.forTurn(true).tokens

test.each([
  [0, []],
  [1, ['fetch_page']],
  [2, ['fetch_page', 'orders_a']],
  [3, ['fetch_page', 'orders_a', 'shop_a']],
  [4, ['fetch_page', 'orders_a', 'shop_a', 'shop_b']],
])('with room for %i of four definitions, drops MCP tools first, then API tools, then web tools', (count, fitting) => {
  const { box, ownNames } = boxOf({ mcp: set('shop_a', 'shop_b'), http: set('orders_a'), web: set('fetch_page') })
  const one = (box.forTurn(true).tokens - sizeOfOwn()) / 4
  const { tools, tokens } = box.forTurn(true, sizeOfOwn() + Math.ceil((count + 0.1) * one))
  expect(Object.keys(tools).toSorted()).toEqual([...fitting, ...ownNames].toSorted())
  expect(tokens).toBeLessThanOrEqual(sizeOfOwn() + (count + 0.1) * one)
})

test("an agent's own tools always fit", () => {
  const { box, ownNames } = boxOf({ mcp: set('shop_a') })
  expect(Object.keys(box.forTurn(true, 1).tools)).toEqual(ownNames)
})

test('dropped tools are logged once per change and listed as a problem', () => {
  const { box, warnings } = boxOf({ mcp: set('shop_a', 'shop_b') })
  for (let turn = 0; turn < 3; turn += 1) box.forTurn(true, 1)
  expect(warnings).toEqual([expect.stringMatching(/The agent anna answers without the tools shop_b, shop_a: .*LIMIT_TURN_INPUT_TOKENS/)])
  expect(box.problems).toEqual([])
})

test('tools that require approval are missing without an approver, and external tools never replace own ones', () => {
  const { box, ownNames } = boxOf({ mcp: { ask_me: approvalRequiredTool(wide()), calculator: wide() }, web: set('fetch_page') }, [
    'fetch_page',
  ])
  const { tools, approvalRequired } = box.forTurn(false)
  expect(Object.keys(tools)).toEqual(ownNames)
  expect([...approvalRequired].toSorted()).toEqual(['ask_me', 'fetch_page'])
  expect(tools.calculator.description).toContain('arithmetic')
})
