import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { topicsOf } from '../../../contract/chat/parts/topics.ts'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import type { Agent } from '../../answering/agents/agent.ts'
import { Agents } from '../../answering/agents/agents.ts'
import { quotationFrom } from './quotation.ts'
import { NOT_FOUND, REPLIES, WORDINGS } from './wordings.ts'
import { translated } from '../../translations/translations.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const KNOWLEDGE = join(ROOT, 'knowledge')

async function agentFor(knowledgeDirectory: string): Promise<Agent> {
  const agents = await Agents.open({
    directory: join(ROOT, 'agents'),
    model: { kind: 'builtin' },
    knowledgeDirectory,
    installation: { name: 'Parley', retentionDays: 12, contact: 'help@example.org', storage: 'sqlite' },
    onWarning: (message) => expect.fail(message),
  })
  return agents.first
}

/** The assistant over a folder of these files. */
async function agentOver(files: Record<string, string>): Promise<Agent> {
  const directory = await mkdtemp(join(tmpdir(), 'knowledge-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text)
  return agentFor(directory)
}

const prompt = (text: string): ChatMessage => ({ id: 'p', role: 'user', parts: [{ type: 'text', text }] })

/** The answer to the last of these prompts of one chat. */
async function ask(agent: Agent, ...texts: string[]): Promise<ChatMessage> {
  const messages: ChatMessage[] = []
  for (const text of texts) {
    const builder = new MessageBuilder('a')
    messages.push(prompt(text))
    for await (const chunk of agent.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
    messages.push(builder.finished())
  }
  return messages.at(-1) as ChatMessage
}

const sourcesOf = (message: ChatMessage) => message.parts.filter((part) => part.type === 'source-document')
const toolsOf = (message: ChatMessage) => message.parts.filter((part) => part.type.startsWith('tool-')).map((part) => part.type.slice(5))

const shipped = await agentFor(KNOWLEDGE)

const PARKING = `# Parking

## Resident permit

A resident permit costs 90 euros a year. The second permit costs 120 euros a year. The permit is sent within ten working days.

## Visitors

Visitors park free for two hours. They need a disc.
`
const POOL = `# Pool

## Opening hours

The pool is open from 9 am to 8 pm. It is closed on Mondays.

## Prices

Adults pay 5 euros. Children pay 2.50 euros.
`

const wordings = (language: (typeof PAGE_LANGUAGES)[number]) =>
  Object.values(WORDINGS[language].prompts).flatMap((prompts) => prompts.split('|'))

describe('small talk', () => {
  test.each(PAGE_LANGUAGES)('in %s is answered in its language, without a search', async (language) => {
    const { prompts: known } = WORDINGS[language]
    for (const kind of Object.keys(known) as (keyof typeof known)[]) {
      const isOnlyHere = (wording: string) => PAGE_LANGUAGES.every((other) => other === language || !wordings(other).includes(wording))
      const answer = await ask(shipped, `${known[kind].split('|').find(isOnlyHere)}?`)
      expect(textOf(answer)).toBe(translated(REPLIES[kind], language))
      expect(toolsOf(answer)).toEqual([])
    }
  })

  test('says that it is no person and no language model', async () => {
    expect(textOf(await ask(shipped, 'Are you a human?'))).toContain('not a person and not a language model')
    expect(textOf(await ask(shipped, 'Hello, who are you?'))).toContain('not a person and not a language model')
  })

  test('offers prompts that the documents answer when asked what it can do', async () => {
    expect(topicsOf(await ask(shipped, 'What can you help me with?'))).toEqual(shipped.starters)
  })
})

describe('calculations', () => {
  test.each([
    ['What is 15% of 240?', '15% of 240 = **36**'],
    ["what's 3 times (4 + 5)?", '**27**'],
    ['calculate 2^10', '**1,024**'],
    ['5 + 5 * 2 =', '5 + 5 × 2 = **15**'],
    ['Wie viel sind 15 % von 240?', '15% von 240 = **36**'],
    ['Was ist 1.234,50 + 2?', '**1.236,5**'],
    ['¿Cuánto es el 15 % de 240?', '**36**'],
    ['Combien font 15 % de 240 ?', '**36**'],
    ['240 × 15%', '**36**'],
    ['1/0', 'divided by zero'],
  ])('%s', async (text, expected) => {
    const answer = await ask(shipped, text)
    expect(toolsOf(answer)).toEqual(['calculator'])
    expect(textOf(answer)).toContain(expected)
  })

  test.each(['Are you open 24/7?', '2026-11-28', '3/4/2025', '030 - 1234567', 'What is Parley 2?'])('%s is none', async (text) => {
    expect(toolsOf(await ask(shipped, text))).not.toContain('calculator')
  })
})

describe('answers from the documents', () => {
  test('quote the sentences that answer, with their source', async () => {
    const answer = await ask(shipped, 'how long do you keep my chats?')
    expect(textOf(answer)).toBe(
      'Here is what I found:\n\n**How long are my chats kept?**\n\nA chat is deleted automatically 12 days after its last message.',
    )
    expect(sourcesOf(answer)).toEqual([
      expect.objectContaining({
        title: 'Privacy',
        filename: 'privacy.md',
        mediaType: 'text/markdown',
        providerMetadata: {
          parley: expect.objectContaining({
            breadcrumb: 'Privacy › How long are my chats kept?',
            quote: 'A chat is deleted automatically 12 days after its last message.',
          }),
        },
      }),
    ])
  })

  test('quote at most three sentences of a page without headings', async () => {
    const other = Array.from({ length: 60 }, (_, index) => `Sentence ${index} is about something else.`)
    const agent = await agentOver({ 'page.txt': [...other.slice(0, 30), 'A dog licence costs 40 euros.', ...other.slice(30)].join(' ') })
    const text = textOf(await ask(agent, 'How much does a dog licence cost?'))
    expect(text).toContain('A dog licence costs 40 euros.')
    expect(text.match(/Sentence \d+/g)?.length ?? 0).toBeLessThanOrEqual(2)
  })

  test('name the columns of a table, and keep the list after its introduction', async () => {
    const agent = await agentOver({
      'fees.md':
        '# Fees\n\n| dog | year |\n|---|---|\n| spaniel | 40 euros |\n| poodle | 60 euros |\n\n## Moving house\n\nYou need:\n\n- your passport\n- the contract\n',
    })
    expect(textOf(await ask(agent, 'fees for a poodle'))).toContain('- dog: poodle; year: 60 euros')
    expect(textOf(await ask(agent, 'moving house'))).toContain('You need:\n\n- your passport\n- the contract')
  })

  test.each([
    'who won the world cup in 1998?',
    'what is the capital of France',
    'when does the museum open?',
    '<script>alert(1)</script>',
    '???',
  ])('say once that nothing was found, with prompts that work: %s', async (text) => {
    const answer = await ask(shipped, text)
    expect(textOf(answer)).toBe(NOT_FOUND)
    expect(sourcesOf(answer)).toEqual([])
    expect(topicsOf(answer)).not.toHaveLength(0)
    for (const topic of topicsOf(answer)) expect(sourcesOf(await ask(shipped, topic)), topic).toHaveLength(1)
  })

  test('come in the language of the documents, introduced in that of the prompt', async () => {
    const text = textOf(await ask(shipped, 'Wie lange werden meine Chats gespeichert?'))
    expect(text).toMatch(/^Das habe ich gefunden:\n\n\*\*How long are my chats kept\?\*\*/)
  })
})

describe('follow-ups', () => {
  test('are searched for together with the prompt before', async () => {
    const agent = await agentOver({ 'parking.md': PARKING, 'pool.md': POOL })
    expect(textOf(await ask(agent, 'How much is a resident permit?', 'thanks', 'and the second permit?'))).toContain('120 euros')
    expect(textOf(await ask(agent, 'What are the prices of the pool?', 'and for children?'))).toContain('2.50 euros')
  })

  test('about something else are not answered from the passage before', async () => {
    const agent = await agentOver({ 'parking.md': PARKING, 'pool.md': POOL })
    expect(textOf(await ask(agent, 'How much is a resident permit?', 'and the museum?'))).toBe(NOT_FOUND)
    expect(textOf(await ask(agent, 'How much is a resident permit?', 'Visitors'))).toContain('two hours')
  })
})

/** A hundred headings in ten documents, of common words, with long texts; one heading is in all documents. */
function generatedFolder(): Record<string, string> {
  const subjects = ['parking', 'library', 'pool', 'waste', 'dog tax', 'nursery', 'wedding', 'housing', 'market', 'passport']
  const asked = [
    'What does it cost',
    'How do I apply',
    'When is it open',
    'Who can use',
    'Where do I find',
    'What do I need for',
    'How long takes',
  ]
  return Object.fromEntries(
    subjects.map((subject, index) => {
      const headings = [...asked.map((start) => `${start} ${subject}?`), `${subject} ${index}`, `The ${subject} and others`, 'Contact']
      const sections = headings.map(
        (heading, at) => `## ${heading}\n\n${`The office of ${subject} tells you about part ${at}. `.repeat(8)}`,
      )
      return [`${subject.replace(' ', '-')}.md`, `# About ${subject}\n\n${sections.join('\n\n')}\n`]
    }),
  )
}

describe('suggested prompts', () => {
  test('every heading of the shipped documents is answered from its passage', async () => {
    const texts = await Promise.all((await readdir(KNOWLEDGE)).map((file) => readFile(join(KNOWLEDGE, file), 'utf8')))
    const headings = texts.flatMap((text) => [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => heading))
    expect(headings.length).toBeGreaterThan(30)
    for (const heading of [...headings, ...shipped.starters]) {
      const answer = await ask(shipped, 'How do I stop an answer?', heading)
      expect(sourcesOf(answer).length > 0 || toolsOf(answer).length === 0, heading).toBe(true)
    }
  })

  test.each(PAGE_LANGUAGES)('the starters of the shipped assistant in %s are answered', async (language) => {
    for (const starter of shipped.textsIn(language).starters) {
      const answer = await ask(shipped, 'How do I stop an answer?', starter)
      expect(textOf(answer), starter).not.toBe(translated(NOT_FOUND, language))
    }
  })

  test('a hundred headings of a generated folder, and the prompts offered with them, are answered from their passages', async () => {
    const files = generatedFolder()
    const agent = await agentOver(files)
    for (const [file, text] of Object.entries(files))
      for (const [, heading = ''] of text.matchAll(/^## (.*)$/gm)) {
        const answer = await ask(agent, 'What does it cost parking?', heading)
        expect(textOf(answer)).toContain(`**${heading}**`)
        expect(heading === 'Contact' || sourcesOf(answer)[0]?.filename === file, heading).toBe(true)
        for (const topic of topicsOf(answer)) expect(topic).toContain((await askedHeading(agent, topic)) ?? 'no answer')
      }
  })

  test('a hundred of a folder with headings that are hard to find again are answered from their passages', async () => {
    const agent = await agentOver(folderOfHardHeadings())
    const offered = new Set(agent.starters)
    const prompts = Object.values(folderOfHardHeadings()).flatMap((text) =>
      [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading),
    )
    for (const text of new Set(prompts)) for (const topic of topicsOf(await ask(agent, text))) offered.add(topic)
    expect(await pressAll(agent, [...offered])).toBeGreaterThanOrEqual(100)
  })

  test('name the document where several have the heading, and are answered from it', async () => {
    const agent = await agentOver(generatedFolder())
    expect(sourcesOf(await ask(agent, 'About pool › Contact'))[0]).toMatchObject({ filename: 'pool.md' })
    expect(topicsOf(await ask(agent, 'Contact')).every((topic) => topic.includes(' › Contact'))).toBe(true)
  })
})

/** Headings that are hard to find again: of common words, in many documents, long, in other scripts, with marks, sums and greetings. */
function folderOfHardHeadings(): Record<string, string> {
  const subjects = ['parking', 'library', 'pool', 'waste', 'dog tax', 'nursery', 'wedding', 'market']
  const text = 'The office tells you all about it, and what you need for it. '.repeat(12)
  const files = subjects.map((subject, at) => {
    const headings = [
      'Contact',
      'What is it?',
      `${'Everything that you always wanted to know about it, '.repeat(3)}${subject}`,
      `${'Everything that you always wanted to know about it, '.repeat(6)}${subject}`,
      `ما هي رسوم ${at}؟`,
      `料金はいくらですか${at}`,
      `Сколько это стоит ${at}?`,
      `**Fees** & \`rules\` of <b>${subject}</b> [2026](https://example.org)`,
      `§ ${at}.1 (2): 15 %`,
      `What is 15% of 24${at}?`,
      'Hello',
      '24/7',
      '???',
      `How do I pay for ${subject}?`,
      `And can I pay ${subject} later?`,
    ]
    return [`${at}.md`, `# About ${subject}\n\n${headings.map((heading) => `## ${heading}\n\n${subject}: ${text}`).join('\n\n')}\n`]
  })
  const questions = Array.from({ length: 40 }, (_, at) => `## Where do I find it, and when, for case ${at}?\n\nIn room ${at}. ${text}`)
  return { ...Object.fromEntries(files), 'faq.md': `# Questions\n\n${questions.join('\n\n')}\n` }
}

/** Asks every prompt that is offered, and those offered with the answers; returns how many. */
async function pressAll(agent: Agent, first: readonly string[]): Promise<number> {
  const offered = new Set(first)
  for (const topic of offered) {
    const answer = await ask(agent, 'What does it cost?', topic)
    const [source] = sourcesOf(answer)
    const breadcrumb = (source?.providerMetadata?.['parley'] as { breadcrumb?: string } | undefined)?.breadcrumb ?? ''
    expect([breadcrumb, breadcrumb.split(' › ').slice(1).join(' › ')], topic).toContain(topic)
    for (const other of topicsOf(answer)) offered.add(other)
  }
  return offered.size
}

async function askedHeading(agent: Agent, topic: string): Promise<string | undefined> {
  return /\*\*(.+)\*\*/.exec(textOf(await ask(agent, topic)))?.[1]
}

test('continues an answer that was cut off, and says when nothing is left', async () => {
  const continueAnswer = async (text: string, said: string): Promise<string> => {
    const brokenOff: ChatMessage = {
      id: 'b',
      role: 'assistant',
      metadata: { status: 'interrupted' },
      parts: [{ type: 'text', text: said }],
    }
    const builder = new MessageBuilder('a')
    const messages = [prompt(text), brokenOff]
    for await (const chunk of shipped.run({ messages, continues: true, signal: new AbortController().signal })) builder.apply(chunk)
    return textOf(builder.finished())
  }
  for (const text of ['who are you?', 'what is 6 * 7?', 'how long are my chats kept?']) {
    const whole = textOf(await ask(shipped, text))
    expect(await continueAnswer(text, whole.slice(0, 5))).toBe(whole.slice(5))
    expect((await continueAnswer(text, whole)).trim()).toBe('That was all.')
    expect((await continueAnswer(text, 'Something else')).trim()).toBe(whole)
  }
})

test('ends without an error when stopped', async () => {
  const stopping = new AbortController()
  const chunks: ChatChunk[] = []
  for await (const chunk of shipped.run({ messages: [prompt('what can you help me with?')], signal: stopping.signal })) {
    chunks.push(chunk)
    if (chunk.type === 'text-delta') stopping.abort()
  }
  expect(chunks.filter((chunk) => chunk.type === 'text-delta')).toHaveLength(1)
  expect(chunks.map((chunk) => chunk.type)).not.toContain('finish-step')
})

test('a page of a PDF answers with the sentence that has the words, not with those around it', () => {
  const text =
    'As well as real ones, fields may name “virtual packages”. A virtual package is one that appears in the Provides field. The rest follows below.\n\n9'
  const words = ['virtual', 'package'].map((word) => ({ word, weight: 1, passages: 1, place: 'text' as const }))
  const quoted = (place?: string) => quotationFrom({ text, breadcrumb: 'Manual', ...(place && { place }) }, words).text
  expect(quoted('page 3')).toBe('A virtual package is one that appears in the Provides field.')
  expect(quoted()).toContain('The rest follows below.')
})
