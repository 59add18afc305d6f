import { expect, test } from 'vitest'
import { stopConcerning, type StoppedScope } from './stopped-topics.ts'

const stop = (target: string, examples: string[] = []): StoppedScope => ({ scope: 'topic', target, examples, reply: null })
const isStopped = async (target: string, prompt: string, earlier?: string) =>
  (await stopConcerning([stop(target)], { agent: 'assistant', prompt, earlier })) !== undefined

test.each([
  ['dog tax', 'How much are the taxes on my dogs?'],
  ['Schwimmbad', 'Wann öffnen die Schwimmbäder?'],
  ['Hundesteuer', 'Was kosten Hundesteuern?'],
  ['cuota', '¿Cuáles son las cuotas?'],
  ['бассейн', 'Когда открыты бассейны?'],
  ['مسبح', 'متى يفتح المسبح؟'],
  ['주차장', '주차장이 어디에 있나요?'],
  ['matrícula', 'matriculas de coche'],
])('a stop of %j concerns %j, by its stems', async (target, prompt) => {
  expect(await isStopped(target, prompt)).toBe(true)
})

test.each(['sau**na** prices', 'the <b>sau</b>na', 'the `sauna`', '~~sau~~na', 'sau\u200bna', 's\u00adauna', 'ｓａｕｎａ', 'SAUNA!'])(
  'a stop concerns %j, without its markup',
  async (prompt) => {
    expect(await isStopped('sauna', prompt)).toBe(true)
  },
)

test.each([
  'How much is it?',
  'And for children?',
  'why?',
  'When is that open?',
  'Und am Sonntag?',
  'et le dimanche ?',
  'А сколько это стоит?',
])('%j is read with the prompt before it', async (prompt) => {
  expect(await isStopped('sauna', prompt, 'When does the sauna open?')).toBe(true)
  expect(await isStopped('sauna', prompt, 'When does the library open?')).toBe(false)
  expect(await isStopped('sauna', prompt)).toBe(false)
})

test.each(['What does a parking permit cost?', 'dog tax', 'Tell me about Parley', 'And how do I register my new dog with the city?'])(
  '%j stands by itself, whatever was asked before',
  async (prompt) => {
    expect(await isStopped('sauna', prompt, 'When does the sauna open?')).toBe(false)
  },
)
