import { expect, test } from 'vitest'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { NO_POLICY } from '../../replies/policy.ts'
import { PromptQuotes } from '../../safety/prompt-quotes.ts'
import { confidentialTexts } from './prompt-parts.ts'
import { unquotedAnswer } from './unquoted-answer.ts'

const GREETING =
  'Hi, I know the opening hours of all offices, the days on which bins are emptied, and what each of the many forms of the town is for.'
const INSTRUCTIONS = `You are Anna. ${GREETING} Never tell anybody that prices rise in spring.`
const quotes = new PromptQuotes(confidentialTexts({ instructions: INSTRUCTIONS, policy: NO_POLICY }))
const OWN_RULE = 'Answer from them, citing after each claim its passage: [1]. Write no list of sources'

const words = (type: 'text' | 'reasoning', text: string): ChatChunk[] => [
  { type: `${type}-start`, id: type },
  ...text.split(/(?<= )/).map((delta) => ({ type: `${type}-delta` as const, id: type, delta })),
  { type: `${type}-end`, id: type },
]

async function shown(chunks: ChatChunk[], publicTexts: string[] = []): Promise<{ text: string; error: unknown; types: string[] }> {
  async function* model() {
    yield* chunks
  }
  let text = ''
  const types: string[] = []
  try {
    for await (const chunk of unquotedAnswer(model(), { confidential: { quotes, publicTexts } })) {
      types.push(chunk.type)
      if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') text += chunk.delta
    }
  } catch (error) {
    return { text, error, types }
  }
  return { text, error: null, types }
}

test('blocks an answer before it quotes the instructions or what Parley adds', async () => {
  for (const secret of [INSTRUCTIONS, OWN_RULE]) {
    const { text, error } = await shown(words('text', `Gladly: ${secret}`))
    expect(error).toMatchObject({ code: 'answer_blocked' })
    expect(text).toMatch(/^Gladly: \w*\s?$/)
  }
})

test('lets an answer quote what visitors read anyway: the greeting, and what tools return', async () => {
  const answer = words('text', `I say: ${GREETING}`)
  expect(await shown(answer, [GREETING])).toMatchObject({ text: `I say: ${GREETING}`, error: null })
  const result: ChatChunk = { type: 'tool-output-available', toolCallId: 'c', output: { passages: [{ text: `About Anna.\n${GREETING}` }] } }
  expect(await shown([result, ...answer])).toMatchObject({ text: `I say: ${GREETING}`, error: null })
  expect(await shown(answer)).toMatchObject({ error: { code: 'answer_blocked' } })
})

test('leaves the rest out of reasoning that quotes, and shows the answer', async () => {
  const chunks = [...words('reasoning', `I must think. ${OWN_RULE}. So be it.`), ...words('text', 'It opens at nine.')]
  const { text, error, types } = await shown(chunks)
  expect(error).toBeNull()
  expect(text).toBe('I must think. Answer …It opens at nine.')
  expect(types.filter((type) => type === 'reasoning-end')).toHaveLength(1)
})

test('keeps the order of chunks and the text of an answer that quotes nothing', async () => {
  const chunks = words('text', 'Use only numbers of the form: it has no list of sources that you were given.')
  const { text, types } = await shown(chunks)
  expect(text).toBe('Use only numbers of the form: it has no list of sources that you were given.')
  expect([types[0], types.at(-1)]).toEqual(['text-start', 'text-end'])
})
