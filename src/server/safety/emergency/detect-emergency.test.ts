import { expect, test } from 'vitest'
import { detectEmergency } from './detect-emergency.ts'

test.each([
  ['i want to kill myself', 'self_harm'],
  ['I want to k1ll mysellf!!!', 'self_harm'],
  ['Ｉ ｗａｎｔ ｔｏ ｄｉｅ tonight, I’m ready to die', 'self_harm'],
  ['I want to ki\u200bll my\u202eself', 'self_harm'],
  ['Mein Kind hat Rohrreiniger getrunken', 'poisoning'],
  ['mon mari ne respire plus', 'acute_illness'],
  ['有人拿刀在商场里砍人', 'violence'],
  ['he went all grey and floppy', 'acute_illness'],
  ['Hello. I need a form. My husband is hitting me right now. Please help.', 'violence'],
])('recognises "%s"', (text, kind) => {
  expect(detectEmergency(text)).toBe(kind)
})

test.each([
  'this bug is killing me',
  'How do I kill a process?',
  'How many people committed suicide in 2019?',
  'I’d die for a parking permit lol',
  'Look up and cite',
  'And now?',
  'Delete everything',
  'Where can I dispose of batteries and medication?',
  '',
  '   ',
  '👍👍👍',
  '\u0000\u0007\u202e',
])('is not alarmed by "%s"', (text) => {
  expect(detectEmergency(text)).toBeNull()
})

test('is found at the beginning and at the end of a long text', () => {
  const filler = 'The form has many pages. '.repeat(4_000)
  expect(detectEmergency(`My son is not breathing. ${filler}`)).toBe('acute_illness')
  expect(detectEmergency(`我想死。${filler}`)).toBe('self_harm')
  expect(detectEmergency(`${filler} My son is not breathing.`)).toBe('acute_illness')
})

test('is found where only two sentences together describe it, after others', () => {
  const others = 'We have a question about the form. It has two pages. We live near the park. '
  expect(detectEmergency('My dad fell in the bathroom.')).toBeNull()
  expect(detectEmergency(`${others}My dad fell in the bathroom. He is lying there.`)).toBe('acute_illness')
})

test('is found among the first thirty sentences and the last thirty', () => {
  const others = (count: number) => 'The form has a page. '.repeat(count)
  for (const at of [0, 29, 31, 60])
    expect([at, detectEmergency(`${others(at)}My son is not breathing. ${others(60 - at)}`)]).toEqual([at, 'acute_illness'])
})

test('takes no longer for a text that is ten times as long, whatever is in it', () => {
  detectEmergency('load')
  for (const piece of ['i want to ', 'kill ', 'a', 'он ', '我喝', '. ', 'my husband is ']) {
    const millisecondsFor = (characters: number) => {
      const text = piece.repeat(Math.ceil(characters / piece.length))
      const { user: before } = process.cpuUsage()
      detectEmergency(text)
      return (process.cpuUsage().user - before) / 1_000
    }
    const short = millisecondsFor(10_000)
    expect(millisecondsFor(100_000), piece).toBeLessThan(short * 6 + 100)
  }
})
