import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ChatChunk, ChatMessage } from '../../src/contract/chat/message.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { MessageBuilder } from '../../src/contract/chat/message-builder.ts'
import { AgentFailure, type AnswerRequest } from '../../src/server/answering/agents/agent.ts'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import { turnTopic } from '../../src/server/pubsub/topics.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { IdempotencyClaim } from '../../src/server/store/turns/idempotency.ts'
import type { AttachableFile } from '../../src/server/store/sessions/files.ts'
import { UNLIMITED } from '../support/unlimited.ts'
import type { FollowedTurn, LocalEnd } from '../../src/server/turns/started-turn.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { accessOf, say, scriptedTurns, startedTurn, type Script } from '../support/scripted-turns.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'

const never = new AbortController().signal
const REQUEST = { claim: null, ...UNLIMITED }
const MINE = accessOf('v')
const THEIRS = accessOf('another')

describe.each(BOTH_DATABASES)('turns on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  type Changes = Parameters<typeof scriptedTurns>[1]
  const processWith = (changes: Changes = {}) => {
    const own = scriptedTurns(opened.database, changes)
    onTestFinished(() => own.turns.drain(0))
    return own
  }

  /** An answer that begins with a text, and goes on when it is released. */
  function bufferedAnswer(text = 'Half ') {
    const released = Promise.withResolvers<void>()
    const run: Script['run'] = async function* ({ signal }) {
      yield { type: 'text-start', id: '1' }
      yield { type: 'text-delta', id: '1', delta: text }
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await Promise.race([released.promise, aborted])
      if (signal.aborted) return
      yield { type: 'text-delta', id: '1', delta: 'whole' }
      yield { type: 'text-end', id: '1' }
    }
    return { run, release: () => released.resolve() }
  }

  /** Reads until the turn ends. */
  async function readToTheEnd({ follow }: Pick<FollowedTurn, 'follow'>): Promise<ChatMessage> {
    const builder = new MessageBuilder()
    for await (const events of follow(0, never)) for (const { json } of events) builder.apply(JSON.parse(json) as ChatChunk)
    return builder.message
  }

  /** Waits until a reader is shown a text. */
  async function shows({ follow }: Pick<FollowedTurn, 'follow'>, text: string): Promise<void> {
    const leaving = new AbortController()
    for await (const events of follow(0, leaving.signal)) if (events.some(({ json }) => json.includes(text))) leaving.abort()
  }

  const textsOf = (messages: readonly ChatMessage[]) => messages.map(textOf)
  let keys = 0
  const newKey = (): IdempotencyClaim => ({ scopes: ['v'], keyHash: `key-${(keys += 1)}`, requestHash: 'request' })

  describe('a repeated request', () => {
    test('gets the turn of the first while it is written, and its stored answer afterwards', async () => {
      const { run, release } = bufferedAnswer()
      let answers = 0
      const own = processWith({
        run: (request) => {
          answers += 1
          return run(request)
        },
      })
      const claim = newKey()
      const turn = await own.started('Hi', { claim })
      const during = await own.start('Hi', { claim })
      expect(during).toMatchObject({ kind: 'repeated', turn: { id: turn.id } })
      release()
      await turn.ended
      const after = await own.start('Hi', { claim })
      if (after.kind !== 'repeated') throw new Error(after.kind)
      expect(after.turn.id).toBe(turn.id)
      expect(textOf((await after.turn.ended).answer)).toBe('Half whole')
      expect(await readToTheEnd(after.turn)).toMatchObject({ metadata: { turnId: turn.id, status: 'done' } })
      expect(answers).toBe(1)
    })

    test('at the same time as the first gets the same turn', async () => {
      const own = processWith()
      const claim = newKey()
      const outcomes = await Promise.all([own.start('Hi', { claim }), own.start('Hi', { claim })])
      expect(outcomes.map(({ kind: outcome }) => outcome).toSorted()).toEqual(['repeated', 'started'])
      const ids = outcomes.map((outcome) => (outcome.kind === 'rejected' ? outcome.code : outcome.turn.id))
      expect(ids[0]).toBe(ids[1])
    })

    test('on another process gets the running turn of the first', async () => {
      const { run, release } = bufferedAnswer()
      const claim = newKey()
      const turn = await processWith({ run }).started('Hi', { claim })
      const repeated = await processWith({ instance: 'other' }).start('Hi', { claim })
      if (repeated.kind !== 'repeated') throw new Error(repeated.kind)
      await shows(repeated.turn, 'Half')
      release()
      expect(textOf(await readToTheEnd(repeated.turn))).toBe('Half whole')
      expect(await repeated.turn.ended).toMatchObject({ status: 'done', answer: { metadata: { turnId: turn.id } } })
    })

    test('gets an empty answer if a retry has deleted the answer, and nothing of a chat that is not the caller’s', async () => {
      const own = processWith({ run: failing(1), ...tolerant })
      const claim = newKey()
      const turn = await own.started('Hi', { claim })
      await turn.ended
      expect(await own.start('Hi', { claim, owner: 'another' })).toMatchObject({ kind: 'rejected', code: 'not_found' })
      await startedTurn(await own.turns.retry(MINE, turn.id, REQUEST)).ended
      const repeated = await own.start('Hi', { claim })
      if (repeated.kind !== 'repeated') throw new Error(repeated.kind)
      expect(await repeated.turn.ended).toMatchObject({ status: 'failed', code: 'model_timeout', answer: { parts: [] } })
      expect((await readToTheEnd(repeated.turn)).metadata).toMatchObject({ status: 'failed', code: 'model_timeout' })
    })
  })

  /** Answers that fail so often, after a first word, and then succeed. */
  function failing(times: number): NonNullable<Script['run']> {
    let left = times
    return async function* () {
      yield* say('Word')
      if (left-- > 0) throw new AgentFailure('model_timeout', 'late')
    }
  }

  const tolerant = { onFault: () => undefined }

  test('a retry replaces a failed answer, and no turn but a failed one of the caller can be retried', async () => {
    const own = processWith({ run: failing(1), ...tolerant })
    const first = await own.started('Hi')
    expect(await first.ended).toMatchObject({ status: 'failed', code: 'model_timeout' })
    expect(await own.turns.retry(THEIRS, first.id, REQUEST)).toMatchObject({ kind: 'rejected', code: 'not_found' })
    const second = startedTurn(await own.turns.retry(MINE, first.id, REQUEST))
    expect(await second.ended).toMatchObject({ status: 'done' })
    expect(await own.turns.follow(MINE, first.id)).toMatchObject({ kind: 'rejected', code: 'not_found' })
    expect(await own.turns.retry(MINE, second.id, REQUEST)).toMatchObject({ kind: 'rejected', code: 'not_retryable' })
    const stored = await opened.database.selectFrom('messages').select('turn_id').where('session_id', '=', first.sessionId).execute()
    expect(stored.map(({ turn_id }) => turn_id)).toEqual([null, second.id])
  })

  test('an incomplete answer is continued by a turn that reads it, and an answer is regenerated without it', async () => {
    const read: AnswerRequest[] = []
    const { run } = bufferedAnswer()
    const ends: LocalEnd[] = []
    const own = processWith({
      onTurnEnd: (ended) => ends.push(ended),
      run: (request) => {
        read.push(request)
        return read.length === 1 ? run(request) : say('and the rest')
      },
    })
    const first = await own.started('Hi')
    await shows(first, 'Half')
    expect(await own.turns.stop(MINE, first.id)).toMatchObject({ status: 'stopped' })
    const second = startedTurn(await own.turns.continueTurn(MINE, first.id, REQUEST))
    await second.ended
    const third = startedTurn(await own.turns.regenerate(MINE, { session: first.sessionId }, REQUEST))
    await third.ended
    expect(read.map(({ continues }) => continues)).toEqual([false, true, false])
    expect(read.map(({ messages }) => textsOf(messages))).toEqual([['Hi'], ['Hi', 'Half '], ['Hi']])
    await expect.poll(() => ends.map(({ messages }) => messages.length)).toEqual([1, 2, 1])
  })

  test('a chat goes on with what was said before', async () => {
    const read: string[][] = []
    const own = processWith({
      run: ({ messages }) => {
        read.push(textsOf(messages))
        return say('12.')
      },
    })
    const first = await own.started('What does a parking permit cost?')
    await first.ended
    const again = await own.started('cost of parking permits please', { session: first.sessionId })
    await again.ended
    expect(read[1]).toEqual(['What does a parking permit cost?', '12.', 'cost of parking permits please'])
    expect(again.sessionId).toBe(first.sessionId)
  })

  test('a temporary chat is answered from the history that the page sends, and is not listed', async () => {
    const read: AnswerRequest[] = []
    const own = processWith({
      run: (request) => {
        read.push(request)
        return say('Hello')
      },
    })
    const history: ChatMessage[] = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Earlier' }] }]
    const [temporary, stored] = [await own.started('Now', { temporary: { history } }), await own.started('Lasting')]
    await Promise.all([temporary.ended, stored.ended])
    expect(textsOf(read[0]?.messages ?? [])).toEqual(['Earlier', 'Now'])
    expect(read.map(({ requestApproval }) => requestApproval !== undefined)).toEqual([false, true])
    const session = (id: string) =>
      unrestricted(opened.database).selectFrom('sessions').select(['temporary', 'title']).where('id', '=', id).executeTakeFirst()
    expect(await session(temporary.sessionId)).toEqual({ temporary: 1, title: '' })
    expect(await session(stored.sessionId)).toEqual({ temporary: 0, title: 'Lasting' })
  })

  test('a file is attached to the chat of its prompt, unless it is in that chat already', async () => {
    const own = processWith()
    const file: AttachableFile = { id: 'f_1', name: 'notes.txt', mediaType: 'text/plain', bytes: 3, text: null, isInSession: false }
    expect(await own.start('Read it', { attachments: [file] })).toMatchObject({ kind: 'rejected', code: 'file_unknown' })
    const turn = await own.started('Read it', { attachments: [{ ...file, isInSession: true }] })
    expect(await turn.ended).toMatchObject({ status: 'done' })
  })

  describe('a stop', () => {
    test('ends the answer, of which what was written is kept, and changes no turn that has ended', async () => {
      const { run } = bufferedAnswer()
      const own = processWith({ run })
      const turn = await own.started()
      await shows(turn, 'Half')
      expect(await own.turns.stop(THEIRS, turn.id)).toBeUndefined()
      expect([own.turns.runs(turn.id), own.turns.count]).toEqual([true, 1])
      expect(await own.turns.stop(MINE, turn.id)).toMatchObject({ id: turn.id, status: 'stopped' })
      expect(textOf((await turn.ended).answer)).toBe('Half ')
      expect([own.turns.runs(turn.id), own.turns.count]).toEqual([false, 0])
      own.turns.interrupt()
      expect(await own.turns.stop(MINE, turn.id)).toMatchObject({ status: 'stopped' })
    })

    test('on another process ends the answer too', async () => {
      const { run } = bufferedAnswer()
      const pubsub = new PubSub()
      const turn = await processWith({ run, pubsub }).started()
      await shows(turn, 'Half')
      const other = processWith({ instance: 'other', pubsub })
      expect(other.turns.runs(turn.id)).toBe(false)
      expect(await other.turns.stop(MINE, turn.id)).toMatchObject({ status: 'stopped' })
      expect(await turn.ended).toMatchObject({ status: 'stopped' })
    })
  })

  describe('a follower', () => {
    test('of an unknown turn, or of another visitor’s, gets nothing', async () => {
      const own = processWith()
      const turn = await own.started()
      await turn.ended
      for (const [access, id] of [
        [MINE, 't_unknown'],
        [THEIRS, turn.id],
      ] as const)
        expect(await own.turns.follow(access, id)).toMatchObject({ kind: 'rejected', code: 'not_found' })
    })

    test('is shown a running turn as it is written, on this and on another process, and an ended one as it was stored', async () => {
      const { run, release } = bufferedAnswer()
      const own = processWith({ run })
      const other = processWith({ instance: 'other' })
      const turn = await own.started()
      const following = async ({ turns }: typeof own) => {
        const outcome = await turns.follow(MINE, turn.id)
        if (outcome.kind === 'rejected') throw new Error(outcome.code)
        return { follow: outcome.following }
      }
      const live = [await following(own), await following(other)]
      for (const each of live) await shows(each, 'Half')
      release()
      const { answer } = await turn.ended
      for (const each of [...live, await following(own), await following(other)])
        expect(textOf(await readToTheEnd(each))).toBe(textOf(answer))
    })

    test('that polls gets the events after the last one, and none when nothing is written', async () => {
      const { run, release } = bufferedAnswer()
      const own = processWith({ run })
      const turn = await own.started()
      await shows(turn, 'Half')
      const read = await own.turns.poll(MINE, { turn: turn.id, after: 0, signal: never })
      expect(read).toMatchObject({ kind: 'read', status: 'running' })
      const events = read.kind === 'read' ? read.events : []
      expect(events.map(({ chunk }) => chunk.type)).toEqual(['start', 'text-start', 'text-delta'])
      const nothing = await own.turns.poll(MINE, { turn: turn.id, after: events.at(-1)?.seq ?? 0, signal: AbortSignal.timeout(1) })
      expect(nothing).toEqual({ kind: 'read', events: [], status: 'running' })
      expect(await own.turns.poll(THEIRS, { turn: turn.id, after: 0, signal: never })).toMatchObject({
        kind: 'rejected',
        code: 'not_found',
      })
      release()
      await turn.ended
      expect(await own.turns.poll(MINE, { turn: turn.id, after: 0, signal: never })).toMatchObject({ kind: 'read', status: 'done' })
    })

    test('on another process is told of new text by the pubsub', async () => {
      const sent: string[] = []
      const line = { isReliable: true, send: (topics: Iterable<string>) => void sent.push(...topics), close: async () => undefined }
      const { run, release } = bufferedAnswer()
      const turn = await processWith({ run, pubsub: new PubSub(() => line) }).started()
      await shows(turn, 'Half')
      await expect.poll(() => sent).toContain(turnTopic(turn.id))
      release()
      await turn.ended
    })
  })

  test('the end of a turn is reported with its chat', async () => {
    const ends: LocalEnd[] = []
    const own = processWith({ onTurnEnd: (ended) => ends.push(ended) })
    await (await own.started('Hi', { embed: 'page' })).ended
    await expect.poll(() => ends).toHaveLength(1)
    expect(ends[0]).toMatchObject({ embed: 'page', owner: 'v', end: { status: 'done' }, turn: { usage: { inputTokens: 0 } } })
    expect(textsOf(ends[0]?.messages ?? [])).toEqual(['Hi'])
    const { metadata } = ends[0]?.end.answer ?? {}
    expect(metadata).toMatchObject({ model: 'The primary', aiGenerated: true, status: 'done', state: 'answered_without_source' })
    expect(metadata).not.toHaveProperty('isFallback')
  })

  test('a process that shuts down accepts nothing more, and leaves running answers the time it has', async () => {
    const { run, release } = bufferedAnswer()
    const own = processWith({ run })
    const turn = await own.started()
    await shows(turn, 'Half')
    const drained = own.turns.drain(60_000)
    expect(await own.start()).toMatchObject({ kind: 'rejected', code: 'shutting_down' })
    release()
    expect(await turn.ended).toMatchObject({ status: 'done' })
    await drained
    const cut = processWith({ run: bufferedAnswer().run })
    const interrupted = await cut.started()
    await cut.turns.drain(0)
    expect(await interrupted.ended).toMatchObject({ status: 'interrupted', code: 'shutting_down' })
  })
})
