import { expect, test } from 'vitest'
import { loggedError, loggedId } from './log-serializers.ts'

test('keeps type, code, stack and causes of an error, and no attached data', () => {
  const cause = Object.assign(new TypeError('the cause'), { requestBodyValues: { prompt: 'secret' } })
  const error = Object.assign(new Error('what happened', { cause }), {
    code: '23505',
    detail: 'Key (id)=(secret) already exists.',
    parameters: ['secret'],
  })
  const logged = loggedError(error)
  expect(logged).toMatchObject({
    type: 'Error',
    code: '23505',
    message: 'what happened',
    cause: { type: 'TypeError', message: 'the cause' },
  })
  expect(logged.stack).toContain('log-serializers.test.ts')
  expect(JSON.stringify(logged)).not.toContain('secret')
})

test('omits a message that quotes a value', () => {
  const error = Object.assign(new Error('invalid input syntax for type bigint: "secret"'), { code: '22P02' })
  expect(JSON.stringify(loggedError(error))).not.toContain('secret')
})

test.each(['secret', { message: 'secret' }, null])('logs only the type of a thrown value that is not an error', (thrown) => {
  expect(loggedError(thrown)).toEqual({ type: typeof thrown })
})

test('stops at circular causes', () => {
  const error = new Error('round')
  error.cause = error
  expect(JSON.stringify(loggedError(error)).length).toBeLessThan(20_000)
})

test('shortens an id so that it gives no access', () => {
  expect(loggedId('abc')).toBe('ba7816bf')
})
