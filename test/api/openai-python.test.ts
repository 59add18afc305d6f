import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { runSnippet } from '../support/documented-programs.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const PACKAGE = 'openai==3.57.0'

const PROGRAM = `
import json, sys
from openai import OpenAI, AuthenticationError, BadRequestError, RateLimitError
url, key, few = sys.argv[1:]
client = OpenAI(base_url=url, api_key=key, max_retries=0)
hello = dict(model="assistant", messages=[{"role": "user", "content": "Hello"}])
whole = client.chat.completions.create(**hello)
chunks = list(client.chat.completions.create(**hello, stream=True, stream_options={"include_usage": True}))
def code(kind, by, **change):
    try:
        by.chat.completions.create(**{**hello, **change})
    except kind as error:
        return error.code
limited = OpenAI(base_url=url, api_key=few, max_retries=0)
limited.chat.completions.create(**hello)
print(json.dumps({
    "models": [model.id for model in client.models.list()],
    "whole": whole.choices[0].message.content,
    "marked": whole.parley["ai_generated"],
    "tokens": whole.usage.total_tokens > 0,
    "streamed": "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
    "finish": chunks[-2].choices[0].finish_reason,
    "usage": chunks[-1].usage.total_tokens > 0,
    "errors": [
        code(AuthenticationError, OpenAI(base_url=url, api_key="parley_wrong", max_retries=0)),
        code(BadRequestError, client, n=2),
        code(RateLimitError, limited),
    ],
}))
`

/** Installs the package into a folder of its own. Returns the interpreter, or why there is none. */
function installed(folder: string): { python: string } | { missing: string } {
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' })
    const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE], { stdio: 'pipe' })
    return { python }
  } catch (error) {
    return { missing: `Skipped without Python 3 and ${PACKAGE}: ${(error as Error).message.split('\n', 1)[0]}` }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'parley-python-'))
const found = installed(folder)
if ('missing' in found) process.stderr.write(`${found.missing}\n`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(DATABASES)('the official Python package on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel({ fallback: [{ text: 'Good day.' }] })
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
  })

  const tokenWith = async (...options: string[]) => {
    const { output } = await runOperatorCommand(server.env, [
      'staff',
      'token',
      'p',
      '--scope',
      'answer',
      '--agent',
      'assistant',
      ...options,
    ])
    return output.split('\n', 1)[0] ?? ''
  }

  test.skipIf('missing' in found)('reads models, answers, streams, usage and errors', async () => {
    const { python } = found as { python: string }
    const tokens = [await tokenWith(), await tokenWith('--prompts-per-minute', '1')]
    const { stdout } = await promisify(execFile)(python, ['-c', PROGRAM, `${server.url}/v1`, ...tokens])
    expect(JSON.parse(stdout)).toEqual({
      models: ['assistant'],
      whole: 'Good day.',
      marked: true,
      tokens: true,
      streamed: 'Good day.',
      finish: 'stop',
      usage: true,
      errors: ['unauthorized', 'invalid_request', 'too_many_prompts'],
    })
    expect(await runSnippet('python', 'openai', { address: server.url, token: tokens[0] ?? '', python })).toBe('Good day.')
  })
})
