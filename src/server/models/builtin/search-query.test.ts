import { expect, test } from 'vitest'
import { searchQueriesOf } from './search-query.ts'

test.each(['When do you open?', 'What time are you closed on Sundays?', 'When will it open again?'])(
  '“%s” asks for opening hours, and not how to open something',
  (prompt) => {
    expect(searchQueriesOf(prompt)).toEqual(['opening hours'])
  },
)

test('a question for the opening hours of a place names it, in its own words first', () => {
  expect(searchQueriesOf('When is the pool open?')).toEqual(['When is the pool open?', 'pool opening hours'])
  expect(searchQueriesOf('what time does the town library close')).toEqual([
    'what time does the town library close',
    'town library opening hours',
  ])
})
