import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { MessageBuilder } from '../../src/contract/chat/message-builder.ts'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { Agents } from '../../src/server/answering/agents/agents.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Expectations of an answer: `source` and `tool` name one, `*` any, `none` none. A turn without expectations only leads to the next. */
const Turn = z.strictObject({
  prompt: z.string().min(1),
  source: z.string().optional(),
  tool: z.string().optional(),
  matches: z.string().optional().describe('A regular expression, case ignored, for the text.'),
  forbidden: z.array(z.string()).optional().describe('Words that the text must not have, case ignored.'),
  state: z.literal('not_covered').optional().describe('Nothing here answers it: no source, no result of a tool.'),
})
type Turn = z.infer<typeof Turn>

const Case = z.union([Turn.extend({ group: z.string() }), z.strictObject({ group: z.string(), turns: z.array(Turn).min(2) })])

export interface BuiltinCase {
  group: string
  turns: Turn[]
}

/**
 * `useful`: as expected. `honest`: says that it does not know, or asks back, although there is an answer.
 * `misleading`: quotes a passage or computes something that was not asked for.
 */
export type Verdict = 'useful' | 'honest' | 'misleading'

export interface Judged {
  one: BuiltinCase
  verdict: Verdict
  /** The last answer. */
  text: string
}

export interface Figures {
  /** Number of prompts that have an answer. */
  answerable: number
  useful: number
  /** Number of prompts that have none. */
  unanswerable: number
  declined: number
  misleading: number
}

export function readBuiltinCases(file: string): BuiltinCase[] {
  const cases = z.array(Case).parse(parse(readFileSync(join(import.meta.dirname, file), 'utf8')))
  return cases.map((one) => ('turns' in one ? one : { group: one.group, turns: [one] }))
}

/** Runs every case with the shipped agent and knowledge, at 14:20 UTC on Wednesday, 18 November 2026. */
export async function measureBuiltin(cases: readonly BuiltinCase[], knowledgeDirectory = join(ROOT, 'knowledge')): Promise<Judged[]> {
  const agents = await Agents.open({
    directory: join(ROOT, 'agents'),
    model: { kind: 'builtin' },
    knowledgeDirectory,
    languages: ['english', 'german', 'french', 'spanish'],
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    limits: { builtinPauseMs: 0 },
    now: () => new Date('2026-11-18T14:20:00Z'),
  })
  try {
    const judged: Judged[] = []
    for (const one of cases) {
      const answer = await lastAnswer(agents, one.turns)
      judged.push({ one, verdict: verdictOn(one.turns.at(-1) as Turn, answer), text: textOf(answer) })
    }
    return judged
  } finally {
    await agents.close()
  }
}

export function figuresOf(judged: readonly Judged[]): Figures {
  const count = (is: (one: Judged) => boolean) => judged.filter(is).length
  const hasAnswer = ({ one }: Judged) => one.turns.at(-1)?.state === undefined
  return {
    answerable: count(hasAnswer),
    useful: count((one) => hasAnswer(one) && one.verdict === 'useful'),
    unanswerable: count((one) => !hasAnswer(one)),
    declined: count((one) => !hasAnswer(one) && one.verdict === 'useful'),
    misleading: count(({ verdict }) => verdict === 'misleading'),
  }
}

async function lastAnswer(agents: Agents, turns: readonly Turn[]): Promise<ChatMessage> {
  const messages: ChatMessage[] = []
  for (const { prompt } of turns) {
    messages.push({ id: `p${messages.length}`, role: 'user', parts: [{ type: 'text', text: prompt }] })
    const builder = new MessageBuilder(`a${messages.length}`)
    for await (const chunk of agents.first.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
    messages.push(builder.finished())
  }
  return messages.at(-1) as ChatMessage
}

function verdictOn({ source, tool, matches, forbidden = [], state }: Turn, answer: ChatMessage): Verdict {
  const text = textOf(answer)
  const lower = text.toLowerCase()
  const sources = answer.parts.flatMap((part) => (part.type === 'source-document' ? (part.filename ?? '') : []))
  const tools = toolsOf(answer)
  const claims = sources.length > 0 || tools.some((name) => name !== 'search_knowledge')
  const leaks = forbidden.some((words) => lower.includes(words.toLowerCase()))
  const fits =
    isNamed(source, sources) &&
    isNamed(tool, tools) &&
    !leaks &&
    (matches === undefined || new RegExp(matches, 'iu').test(text)) &&
    (state === undefined || !claims)
  if (fits) return 'useful'
  return claims || leaks ? 'misleading' : 'honest'
}

function isNamed(expected: string | undefined, found: readonly string[]): boolean {
  if (expected === undefined || expected === '*') return true
  return expected === 'none' ? found.length === 0 : found.includes(expected)
}

/** Names of the tools that returned a result; those that returned an error are left out. */
function toolsOf(answer: ChatMessage): string[] {
  return answer.parts.flatMap((part) => {
    if (!('toolCallId' in part) || part.state !== 'output-available') return []
    const failed = typeof part.output === 'object' && part.output !== null && 'error' in part.output
    return failed ? [] : part.type.replace(/^tool-/, '')
  })
}
