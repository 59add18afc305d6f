import { expect, test } from 'vitest'
import { reasonOf } from './oidc-client.ts'

test.each([
  [new Error('claims of somebody'), 'Error'],
  [Object.assign(new Error('token'), { code: 'OAUTH_INVALID_RESPONSE' }), 'Error OAUTH_INVALID_RESPONSE'],
  [Object.assign(new TypeError('token'), { code: 1, error: 'invalid_grant' }), 'TypeError invalid_grant'],
])('logs the codes of an error of the provider, and nothing else', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
