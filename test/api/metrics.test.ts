import { afterEach, expect, test } from 'vitest'
import { cookieOf, readinessDetails, sendPrompt } from '../support/api.ts'
import { runSql } from '../support/run-sql.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const TOKEN = 'mR7-tq2-Lw9-pX4-zB8'
let server: TestServer
afterEach(() => server.stop())

const read = (authorization?: string) => fetch(`${server.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })

test('show operations, and no data of any visitor', async () => {
  const model = await startScriptedModel()
  const env = {
    OPENAI_BASE_URL: model.baseUrl,
    MODEL: 'scripted',
    PRICES: 'scripted=3/15',
    BUDGET_PER_DAY: '5',
    METRICS_TOKEN: TOKEN,
  }
  server = await startServer({ database: 'sqlite', env })
  const answered = await sendPrompt(server.url, 'me', 'a secret prompt')
  const { session_id: session } = (await answered.json()) as { session_id: string }
  model.script({ status: 400 })
  await sendPrompt(server.url, 'me', 'another', { headers: { cookie: cookieOf(answered) } })
  await sendPrompt(server.url, 'me', '')
  const requests = model.requests.length
  const referred = await sendPrompt(server.url, 'me', 'My son is not breathing', { headers: { cookie: cookieOf(answered) } })
  expect(await referred.json()).toMatchObject({ state: 'referred', response: expect.stringContaining('112') })
  expect(model.requests).toHaveLength(requests)
  // Both are failures of the model, as with a key that is no longer valid.
  for (const prompt of ['once more', 'and again']) {
    model.script({ status: 401 })
    await sendPrompt(server.url, 'me', prompt, { headers: { cookie: cookieOf(answered) } })
  }
  expect(await readinessDetails(server, TOKEN)).toContainEqual(
    expect.stringMatching(/^The model .*scripted.* failed 3 of the last 4 times/),
  )
  await runSql(server, "insert into installation_facts (name, value) values ('last_backup', '1700000000500')")
  const metrics = await (await read(`Bearer ${TOKEN}`)).text()
  await model.close()
  for (const line of [
    'parley_turns_total{status="done"} 2',
    'parley_answer_states_total{state="failed"} 3',
    'parley_answer_states_total{state="referred"} 1',
    'parley_turns_total{status="failed"} 3',
    'parley_failed_turns_total{code="model_unavailable"} 3',
    'parley_rejections_total{code="prompt_empty"} 1',
    'parley_request_seconds_count{method="POST",route="/api/v1/agent/chat/:id",status="4xx"} 1',
    'parley_database_up 1',
    'parley_last_backup_timestamp_seconds 1700000000.5',
    'parley_budget_limit{period="day"} 5',
    'parley_build_info{release="0.1.0"} 1',
    'parley_first_text_seconds_count 2',
    'parley_unsupported_sentences_total 0',
    'parley_running_turns 0',
    'parley_open_streams 0',
  ])
    expect(metrics).toContain(`${line}\n`)
  const provider = new URL(model.baseUrl).host
  expect(metrics).toContain(`parley_answers_total{provider="${provider}",model="scripted",agent="assistant",status="failed"} 3\n`)
  expect(metrics).toContain('parley_answers_total{provider="none",model="none",agent="assistant",status="done"} 1\n')
  expect(metrics).toMatch(/parley_tokens_total\{provider="\S+",model="scripted",direction="output"\} [1-9]/)
  expect(metrics).toMatch(/parley_cost_total\{provider="\S+",model="scripted"\} 0\.0\d+/)
  expect(metrics).toMatch(/parley_budget_left\{period="day"\} 4\.9\d+/)
  expect(metrics).toMatch(/parley_search_seconds_count\{outcome="done"\} \d/)
  expect(metrics).toMatch(/^parley_model_failing\{model="\S*scripted\S*"\} 1$/m)
  expect(metrics).toMatch(/^parley_free_bytes [1-9]/m)
  expect(metrics).toMatch(/^parley_database_bytes [1-9]/m)
  expect(metrics).toMatch(/^parley_last_purge_timestamp_seconds [1-9]/m)
  expect(metrics).toContain('parley_problems{code="model"} 1\n')
  expect(metrics).not.toMatch(/^parley_last_rehearsal_timestamp_seconds /m)
  expect(metrics).toMatch(/nodejs_eventloop_lag_p99_seconds /)
  for (const secret of ['secret', session, cookieOf(answered).split('=')[1] as string, '127.0.0.1'])
    expect(metrics.replaceAll(provider, 'provider')).not.toContain(secret)
})

test('require the token, and do not exist without one configured', async () => {
  server = await startServer({ database: 'sqlite', env: { METRICS_TOKEN: TOKEN } })
  expect((await read()).status).toBe(401)
  expect((await read(`Bearer ${TOKEN}x`)).status).toBe(401)
  await server.stop()
  server = await startServer({ database: 'sqlite' })
  expect((await read(`Bearer ${TOKEN}`)).status).toBe(404)
})
