import { expect, test } from 'vitest'
import { describeReportedError } from './reported-error.ts'

test.each([
  [
    '{"error":{"message":"Your prompt \\"secret\\" was flagged","type":"invalid_request_error","code":"content_filter","param":"messages[0]"}}',
    'type invalid_request_error, code content_filter, param messages[0]',
  ],
  ['{"type":"error","error":{"type":"overloaded_error","message":"secret"}}', 'type overloaded_error'],
  ['{"message":"secret","code":400}', 'code 400'],
  ['{"error":{"type":"what you wrote: secret","code":null}}', 'no further reason that may be logged'],
  ['{"error":"secret"}', 'no further reason that may be logged'],
  ['<html>secret</html>', 'no further reason that may be logged'],
  ['', 'no further reason that may be logged'],
])('of %s says %s', (text, said) => {
  expect(describeReportedError(text)).toBe(said)
})
