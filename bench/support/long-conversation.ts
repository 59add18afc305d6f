import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { endTurn } from '../../src/server/store/turns/turn-ends.ts'
import { insertPrompt } from '../../src/server/store/turns/turns.ts'
import { newMessageId, newSessionId, newTurnId } from '../../src/server/turns/ids.ts'
import { hashOfVisitorKey, newSub, newVisitorKey } from '../../src/server/visitors/visitor-key.ts'

export interface LongConversation {
  session: string
  /** Secret of the owner, for the cookie. */
  visitorKey: string
}

/** Stores a conversation of `prompts` prompts with answers for a new visitor, in the database of a server that is not running. */
export async function storeLongConversation(directory: string, prompts: number, name = 'this'): Promise<LongConversation> {
  const database = await openDatabase({ kind: 'sqlite', directory }, (error) => {
    throw error
  })
  const [session, visitorKey, sub] = [newSessionId(), newVisitorKey(), newSub()]
  const newSession = { id: session, owner: sub, agent: 'assistant', title: 'A long conversation', openById: false }
  const newVisitor = { id: sub, keyHash: hashOfVisitorKey(visitorKey) }
  const continues = { id: session, access: { owner: sub, credential: true, now: Date.now(), retentionMs: Number.MAX_SAFE_INTEGER } }
  for (let index = 0; index < prompts; index += 1) {
    const [id, now] = [newTurnId(), Date.now()]
    const message = promptOf(index, name)
    await insertPrompt(database, {
      id,
      instance: 'bench',
      now,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
      message,
      continues: index > 0 ? continues : null,
      newSession,
      newVisitor,
    })
    await endTurn(database, id, { status: 'done', code: null, state: 'answered', usage: null, answer: answerOf(index) }, now)
  }
  await database.destroy()
  return { session, visitorKey }
}

/** The messages of such a conversation, without storing them. */
export function longConversation(prompts: number, name = 'this'): ChatMessage[] {
  return Array.from({ length: prompts }, (_, index) => [promptOf(index, name), answerOf(index)]).flat()
}

const promptOf = (index: number, name: string) => messageOf('user', `Question ${index + 1}: how does ${name} work?`)
const answerOf = (index: number) => messageOf('assistant', section(index, 80))

/** Markdown of about `words` words: a heading, prose with emphasis, links and code, a list, and sometimes a table or a code block. */
export function section(index: number, words: number): string {
  const prose = Array.from({ length: Math.max(1, words - 45) }, (_, word) => decorated(word + index)).join(' ')
  const list = Array.from({ length: 3 }, (_, item) => `- point ${item + 1} with **weight** and \`code()\``).join('\n')
  const extra = [
    '| name | value |\n|---|---|\n| one | 1 |\n| two | 2 |',
    '```js\nconst answer = 6 * 7\nconsole.log(answer)\n```',
    '> A remark beside the text.',
  ][index % 3]
  return `## Section ${index + 1}\n\n${prose}.\n\n${list}\n\n${extra}`
}

/** Markdown of at least `words` words, in sections. */
export function longAnswer(words: number): string {
  let text = section(0, 120)
  for (let index = 1; text.split(/\s+/).length < words; index += 1) text += `\n\n${section(index, 120)}`
  return text
    .split(/(?<=\s)(?=\S)/)
    .slice(0, words)
    .join('')
}

const WORDS = ['the', 'assistant', 'writes', 'what', 'it', 'knows', 'about', 'this', 'question', 'in', 'plain', 'sentences']

function decorated(index: number): string {
  const word = WORDS[index % WORDS.length] as string
  if (index % 17 === 0) return `**${word}**`
  if (index % 23 === 0) return `\`${word}\``
  return index % 31 === 0 ? `[${word}](https://example.com/${index})` : word
}

function messageOf(role: ChatMessage['role'], text: string): ChatMessage {
  return { id: newMessageId(), role, parts: [{ type: 'text', text, ...(role === 'assistant' && { state: 'done' }) }] }
}
