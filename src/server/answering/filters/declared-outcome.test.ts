import { expect, test } from 'vitest'
import { DeclaredOutcome, type Outcome } from './declared-outcome.ts'

function read(deltas: readonly string[]) {
  let outcome: Outcome | null = null
  const declared = new DeclaredOutcome((last) => (outcome = last))
  const text = deltas.map((delta) => declared.write(delta)).join('') + declared.end()
  return { text, outcome }
}

test.each([
  ['at the end', 'It is open.\n<outcome>answered</outcome>', 'It is open.', 'answered'],
  ['in the middle', 'One.\n<outcome>answered</outcome>\nTwo.', 'One.\nTwo.', 'answered'],
  ['before a line break', 'Which one?\n\n<outcome> clarified </outcome>\n', 'Which one?', 'clarified'],
  ['twice', '<outcome>answered</outcome>No.\n<outcome>not_covered</outcome>', 'No.', 'not_covered'],
  ['after a tag that stays', '<outcome>perfect</outcome>\n<outcome>answered</outcome>', '<outcome>perfect</outcome>', 'answered'],
])('removes an outcome %s, in pieces of any size', (_, whole, text, outcome) => {
  for (let size = 1; size <= whole.length; size += 1)
    expect(read(whole.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [])).toEqual({ text, outcome })
})

test.each(['a < b and <b>', 'Line\n\n', 'An <outcome> of the vote', '<outcome>never</outcome>', '<out', ' \n '])(
  'leaves other text as it is: %j',
  (text) => {
    expect(read([...text])).toEqual({ text, outcome: null })
    expect(read([text])).toEqual({ text, outcome: null })
  },
)

test('holds back no more than the beginning of a tag', () => {
  const declared = new DeclaredOutcome(() => undefined)
  expect([declared.write('One '), declared.write('two <'), declared.write('b> three')]).toEqual(['One ', 'two', ' <b> three'])
})
