import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { topicsOf } from '../../../contract/chat/parts/topics.ts'
import { VISITOR_PROMPTS } from '../../../../test/support/visitor-prompts.ts'
import { Agents } from '../../answering/agents/agents.ts'
import { REPLIES } from './languages/replies.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const MIN_PROMPTS = 60
const MIN_USEFUL = 45

const agents = await Agents.open({
  directory: join(ROOT, 'agents'),
  knowledgeDirectory: join(ROOT, 'knowledge'),
  languages: ['english', 'german', 'french', 'spanish'],
  model: { kind: 'builtin' },
  installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
  limits: { builtinPauseMs: 0 },
  now: () => new Date('2026-07-01T22:30:00Z'),
  onWarning: (message) => expect.fail(message),
})

async function answerTo(text: string): Promise<ChatMessage> {
  const builder = new MessageBuilder('a')
  const messages: ChatMessage[] = [{ id: 'p', role: 'user', parts: [{ type: 'text', text }] }]
  for await (const chunk of agents.first.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
  return builder.finished()
}

/** Says that it does not know, or cannot translate, in the language of the prompt. */
const saysUnknown = (answer: ChatMessage) =>
  Object.values(REPLIES).some(({ notCovered, followUp }) =>
    [notCovered, followUp.translate].some((words) => textOf(answer).includes(words)),
  )

test('answers most visitor prompts usefully, offers topics for the rest, and never misleads', async () => {
  const answers = await Promise.all(VISITOR_PROMPTS.map(async ({ prompt, useful }) => ({ prompt, useful, answer: await answerTo(prompt) })))
  const isUseful = ({ useful, answer }: (typeof answers)[number]) => useful !== null && textOf(answer).includes(useful)
  const misleading = answers.filter((one) => !isUseful(one) && !saysUnknown(one.answer))
  expect(misleading.map(({ prompt, answer }) => `${prompt} → ${textOf(answer).slice(0, 60)}`)).toEqual([])
  for (const { prompt, answer } of answers.filter((one) => textOf(one.answer).includes(REPLIES.en.notCovered)))
    expect(topicsOf(answer).length, prompt).toBeGreaterThan(0)
  expect(answers.length).toBeGreaterThanOrEqual(MIN_PROMPTS)
  const useful = answers.filter(isUseful)
  const missed = answers.filter((one) => one.useful !== null && !isUseful(one)).map(({ prompt }) => prompt)
  expect(useful.length, `not answered: ${missed.join(' | ')}`).toBeGreaterThanOrEqual(MIN_USEFUL)
})
