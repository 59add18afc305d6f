import { expect, test } from 'vitest'
import { detectEmergency } from './detect-emergency.ts'

test.each([
  ['i want to kill myself', 'self_harm', 'en'],
  ['Ｉ ｗａｎｔ ｔｏ ｄｉｅ tonight', 'self_harm', 'en'],
  ['I am suicidal', 'self_harm', 'en'],
  ['how many pills do i need to die', 'self_harm', 'en'],
  ['How do I tie a noose?', 'self_harm', 'en'],
  ['Wie viele Tabletten sind tödlich?', 'self_harm', 'de'],
  ['i think i overdosed on pills', 'poisoning', 'en'],
  ['please help im having a heart attack', 'acute_illness', 'en'],
  ['heart attack', 'acute_illness', 'en'],
  ['emergency ambulance', 'acute_illness', 'en'],
  ['my mum heart attack', 'acute_illness', 'en'],
  ['overdose help me', 'poisoning', 'en'],
  ['suicide help', 'self_harm', 'en'],
  ['Hilfe, Herzinfarkt!', 'acute_illness', 'de'],
  ['самоубийство', 'self_harm', 'ru'],
  ['心臓発作 助けて', 'acute_illness', 'ja'],
  ['뇌졸중 도와주세요', 'acute_illness', 'ko'],
  ['My husband isn’t breathing!', 'acute_illness', 'en'],
  ['my house is on fire', 'fire', 'en'],
  ['Hello. I need a form. My husband is hitting me right now. Please help.', 'violence', 'en'],
  ['أريد أن أموت', 'self_harm', 'ar'],
  ['ich will sterben', 'self_harm', 'de'],
  ['Mein Kind hat Rohrreiniger getrunken', 'poisoning', 'de'],
  ['mi casa está en llamas', 'fire', 'es'],
  ['mon mari ne respire plus', 'acute_illness', 'fr'],
  ['मैं मरना चाहता हूँ', 'self_harm', 'hi'],
  ['voglio morire', 'self_harm', 'it'],
  ['死にたい', 'self_harm', 'ja'],
  ['집에 불이 났어요', 'fire', 'ko'],
  ['quero morrer', 'self_harm', 'pt'],
  ['я хочу умереть', 'self_harm', 'ru'],
  ['我不想活了', 'self_harm', 'zh'],
])('recognises "%s"', (text, kind, language) => {
  expect(detectEmergency(text)?.kind).toBe(kind)
  expect(detectEmergency(text)?.languages).toContain(language)
})

test.each([
  'this bug is killing me',
  'This exam is killing me',
  'I’m dying to know the results',
  'my phone died',
  'the app crashed',
  'heart attack symptoms?',
  'stroke of luck',
  'Suizidprävention',
  'hospital',
  '火災保険',
  'What does the fire brigade do?',
  'How do I report a fire?',
  'I am drowning in paperwork',
  'Ich sterbe vor Hunger',
  'me muero de risa',
  'お腹が空いて死にそう',
  '배고파 죽겠는데 식당 몇 시까지 해요',
  'How do I kill a process?',
  'I think the atm ate my card',
  'my battery is dying',
  'Can I fire an employee?',
  'heart attack symptoms',
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
  expect(detectEmergency(`My son is not breathing. ${filler}`)?.kind).toBe('acute_illness')
  expect(detectEmergency(`我想死。${filler}`)?.kind).toBe('self_harm')
  expect(detectEmergency(`${filler} My son is not breathing.`)?.kind).toBe('acute_illness')
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
