import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, type Stage as PageStage } from '../e2e/stage.ts'
import { launchBrowser } from '../support/chromium.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { expectBody, expectReading, spokenIn } from './kit/visitor.ts'

/** Data of a future version. */
const PART = { type: 'data-from-the-future', data: { shape: 'unheard of' } }
const CHUNK = `data: ${JSON.stringify({ type: 'from-the-future', depth: 3 })}\n\n`

describe('a server', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage({ database: 'sqlite' })
  })
  afterAll(() => stage.stop())

  test('F28: continues a chat in which a newer server has stored unknown parts', async () => {
    const visitor = await stage.visitor()
    const reading = expectReading(await visitor.send('What will be?'))
    await reading.ended
    addPart(stage.server.dataDirectory, reading.session)
    const detail = expectBody(await visitor.session(reading.session))
    expect(spokenIn(detail)).toEqual(['human: What will be?', `agent: ${reading.text}`])
    const replayed = expectReading(await visitor.follow(reading.turn))
    await replayed.ended
    expect([replayed.status, replayed.text]).toEqual(['done', reading.text])
    const next = expectReading(await visitor.send('And then?', { session: reading.session }))
    await next.ended
    expect([next.session, next.status]).toEqual([reading.session, 'done'])
  })

  test('F28: accepts requests of an older page, and unknown headers of a newer one', async () => {
    for (const headers of [{}, { 'x-page-version': '99', 'idempotency-key': 'a-key-of-a-newer-page' }]) {
      const response = await fetch(`${stage.server.url}/api/v1/agent/chat/me`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ prompt: 'Hello.' }),
      })
      expect(response.status).toBe(200)
    }
  })
})

describe('a page', () => {
  let stage: PageStage
  beforeAll(async () => {
    stage = await openStage(await launchBrowser())
  })
  afterAll(() => stage.close())

  test('F28: shows the known parts of a newer server’s answers, and ignores the rest', async () => {
    stage.model.script([{ text: 'An answer of the present.' }])
    const visitor = await stage.visitor()
    await visitor.page.route(
      ({ pathname }) => pathname.startsWith('/api/v1/'),
      // The page may have navigated away.
      (route) => answerFromTheFuture(route).catch(() => undefined),
    )
    await visitor.enter()
    await visitor.ask('What is there?')
    await visitor.answers.getByText('An answer of the present.').waitFor()
    await visitor.page.reload()
    await visitor.answers.getByText('An answer of the present.').waitFor()
    expect(visitor.faults).toEqual([])
    await visitor.leave()
  })
})

async function answerFromTheFuture(route: Route): Promise<void> {
  // The event stream is endless.
  if (route.request().url().endsWith('/me/events')) return route.continue()
  const response = await route.fetch()
  await route.fulfill({ response, body: ofTheFuture(await response.text()) })
}

/** A body with unknown events, fields and parts. */
function ofTheFuture(body: string): string {
  if (body.startsWith('{')) return JSON.stringify(withMore(JSON.parse(body)))
  return body.replaceAll('\n\n', `\n\n${CHUNK}`)
}

function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    name === 'parts' && Array.isArray(member) ? [...(withMore(member) as unknown[]), PART] : withMore(member),
  ])
  return { ...(Object.fromEntries(entries) as object), fromTheFuture: [1, { two: 3 }] }
}

/** Adds the part to every stored answer of the session. */
function addPart(dataDirectory: string, session: string): void {
  const database = new DatabaseSync(join(dataDirectory, 'parley.db'), { timeout: 5_000 })
  const answers = database.prepare("SELECT id, parts FROM messages WHERE session_id = ? AND role = 'assistant'").all(session)
  for (const { id, parts } of answers as { id: string; parts: string }[]) {
    const more = JSON.stringify([...(JSON.parse(parts) as unknown[]), PART])
    database.prepare('UPDATE messages SET parts = ? WHERE id = ?').run(more, id)
  }
  database.close()
}
