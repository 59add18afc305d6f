import { expect, test } from 'vitest'
import { readModelError, reportedFailure } from './model-error.ts'

const bodyOf = (...contents: string[]) =>
  JSON.stringify({ model: 'gpt-4o', messages: contents.map((content) => ({ role: 'user', content })) })
const wordsOf = (message: string, body = bodyOf('My card is 4711 0815, said Hubert.'), headers = {}) =>
  readModelError(400, JSON.stringify({ error: { message } }), { body, headers }).words

test.each<[string, unknown, string]>([
  ['OpenAI', { error: { message: 'No such model', type: 'a', code: 'b', param: 'c' } }, 'type a, code b, param c: "No such model"'],
  ['Ollama', { error: "model 'llama9' not found" }, '"model \'llama9\' not found"'],
  ['vLLM', { object: 'error', message: 'Bad', type: 'BadRequestError', code: 400 }, 'type BadRequestError, code 400: "Bad"'],
  ['FastAPI', { detail: 'Not found' }, '"Not found"'],
  [
    'FastAPI, of a field',
    { detail: [{ loc: ['body', 'seed'], msg: 'Extra' }] },
    'param seed: "[{\\"loc\\":[\\"body\\",\\"seed\\"],\\"msg\\":\\"Extra\\"}]"',
  ],
  ['Google', [{ error: { code: 400, message: 'Invalid', status: 'INVALID_ARGUMENT' } }], 'code 400: "Invalid"'],
  ['Bedrock', { Message: 'Too many requests', __type: 'x' }, '"Too many requests"'],
  [
    'OpenRouter',
    { error: { message: 'Provider returned error', metadata: { raw: 'CUDA out of memory' } } },
    '"Provider returned error CUDA out of memory"',
  ],
  ['a proxy', 'upstream connect error', '"upstream connect error"'],
  ['a web server', '<html>secret</html>', 'no further reason'],
  ['nobody', '', 'no further reason'],
])("an error of %s is logged in the provider's words", (_, error, words) => {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  expect(readModelError(400, text, { body: undefined }).words).toBe(words)
})

test('a message becomes one bounded line', () => {
  const words = wordsOf(`First\r\nsecond\u2028third\u0000 ${'word '.repeat(200)}`)
  expect(words).toMatch(/^"First second third word/)
  expect(words.length).toBeLessThan(310)
})

test.each([
  ['Incorrect API key provided: sk-proj-abc123def456.', '"Incorrect API key provided: […]"'],
  ['Bad header: Bearer abc.def', '"Bad header: […]"'],
  ['No access for org-AbCdEf123456', '"No access for […]"'],
  ['See https://example.org/x?token=abc&y=1', '"See https://example.org/x?token=[…]&y=[…]"'],
  ['Unknown key f3a9c2d1e8b7a6c5d4e3f2a1', '"Unknown key […]"'],
  ['The model claude-haiku-4-5-20251001 does not exist', '"The model claude-haiku-4-5-20251001 does not exist"'],
])('keys are masked: %s', (message, words) => {
  expect(wordsOf(message)).toBe(words)
})

test("the request's key is masked, whatever it looks like", () => {
  expect(wordsOf('Who is open sesame?', bodyOf('hi'), { authorization: 'Bearer sesame' })).toBe('"Who is open […]?"')
})

test.each([
  ['"My card is 4711 0815" was flagged', '"\\"[…]\\" was flagged"'],
  ["Invalid value: 'Hubert'", '"Invalid value: \'[…]\'"'],
  ['Blocked: hubert', '"Blocked: […]"'],
  ['maximum context length is 8192 tokens', '"maximum context length is 8192 tokens"'],
])('quotations of the conversation are removed: %s', (message, words) => {
  expect(wordsOf(message)).toBe(words)
})

test('quotations are removed in languages without spaces too', () => {
  expect(wordsOf('content_filter: 我的信用卡号码', bodyOf('请告诉我,我的信用卡号码是多少'))).toBe('"content_filter: […]"')
})

test("the operator's instructions are not removed", () => {
  const body = JSON.stringify({ messages: [{ role: 'system', content: 'Always mention Wolpertinger' }] })
  expect(wordsOf('Unexpected Wolpertinger', body)).toBe('"Unexpected Wolpertinger"')
})

test('quotations of a very long conversation are removed', () => {
  expect(wordsOf('Blocked: hubert', bodyOf('hubert 多字 '.repeat(1_000_000)))).toBe('"Blocked: […]"')
})

test.each<[object | string, string, boolean]>([
  [{ error: { message: 'No' } }, 'model_failed', false],
  [{ error: 'Rate limit reached' }, 'model_busy', true],
  [{ error: { message: 'Overloaded' } }, 'model_busy', true],
  [{ error: { message: 'x', code: 502 } }, 'model_unavailable', true],
  [{ error: { message: 'x', code: '401' } }, 'model_unavailable', false],
  [{ error: { message: 'x', type: 'server_error' } }, 'model_unavailable', true],
  [{ error: { message: 'x', type: 'tokens', code: 'rate_limit_exceeded' } }, 'model_busy', true],
  [{ error: { message: 'x', code: 'insufficient_quota' } }, 'model_unavailable', false],
  [{ error: { message: 'x', code: 'content_filter' } }, 'prompt_blocked', false],
  [{ error: { code: 'context_length_exceeded' } }, 'context_too_long', false],
])('an error in a stream counts as its HTTP form: %j', (error, code, isTransient) => {
  expect(reportedFailure(error, { body: undefined })).toMatchObject({ code, isTransient })
})
