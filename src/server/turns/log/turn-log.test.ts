import { describe, expect, test } from 'vitest'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import type { TurnEvent } from '../../store/turns/turn-events.ts'
import { FIRST_REPLAYED_SEQ, followLog, replayAnswer } from './follow.ts'
import { frameOf, MAX_BATCH_CHARACTERS, piecesOf, TurnLog } from './turn-log.ts'

const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: '1', delta: text })
const FINISH: ChatChunk = { type: 'finish' }
const never = new AbortController().signal

/** A log whose events are published as they come, beside everything that was written of it. */
function writtenLog() {
  const stored: TurnEvent[] = []
  const log = new TurnLog('t', () => undefined)
  let answer: ChatMessage | undefined
  return {
    log,
    say(...texts: string[]) {
      for (const text of texts) {
        log.append(delta(text))
        const row = log.nextRow(Number.POSITIVE_INFINITY)
        const chunks = JSON.parse(row?.chunks ?? '[]') as ChatChunk[]
        stored.push(...chunks.map((chunk, index) => ({ seq: (row?.firstSeq ?? 0) + index, json: JSON.stringify(chunk) })))
        log.publish(row?.lastSeq ?? 0)
      }
    },
    end(text: string) {
      stored.length = 0
      answer = { id: 'm', role: 'assistant', metadata: { status: 'done' }, parts: [{ type: 'text', text }] }
      log.end([FINISH])
    },
    reader: {
      events: async (after: number) => stored.filter((event) => event.seq > after),
      answer: async () => answer,
    },
  }
}

async function read({ log, reader }: ReturnType<typeof writtenLog>, after = 0, signal = never): Promise<TurnEvent[]> {
  return (await Array.fromAsync(followLog({ log, stored: reader }, after, signal))).flat()
}

const seqsOf = (events: TurnEvent[]) => events.map((event) => event.seq)
const textOf = (events: TurnEvent[]) => events.map(({ json }) => (JSON.parse(json) as { delta?: string }).delta ?? '').join('')

describe('a log', () => {
  test('shows nothing that is not stored', () => {
    const log = new TurnLog('t', () => undefined)
    log.append(delta('a'))
    expect(log.read(0)).toEqual({ kind: 'nothing-yet' })
    log.publish(1)
    expect(log.read(0)).toMatchObject({ kind: 'events', events: [{ seq: 1 }] })
  })

  test('requests an immediate write for the first text, a later one for what shows nothing, and a soon one for the rest', () => {
    const urgencies: string[] = []
    const log = new TurnLog('t', (_, urgency) => urgencies.push(urgency))
    const quiet = [{ type: 'start' }, { type: 'start-step' }, { type: 'text-start', id: '1' }, { type: 'reasoning-start', id: '1' }]
    const chunks = [...quiet, delta('a'), delta('b'), { type: 'text-end', id: '1' }, { type: 'finish-step' }]
    for (const chunk of chunks as ChatChunk[]) log.append(chunk)
    expect(urgencies).toEqual(['later', 'later', 'later', 'later', 'now', 'soon', 'later', 'later'])
  })

  test('returns one row of bounded size at a time until all is written', () => {
    const log = new TurnLog('t', () => undefined)
    for (const text of ['a', 'b', 'c']) log.append(delta(text.repeat(40)))
    const row = log.nextRow(200)
    expect(row).toMatchObject({ firstSeq: 1, lastSeq: 2 })
    log.publish(2)
    expect(log.nextRow(1)).toMatchObject({ firstSeq: 3, lastSeq: 3 })
    log.publish(3)
    expect(log.nextRow(200)).toBeUndefined()
    expect(log.pendingCharacters).toBe(0)
  })

  test('never shows what could not be stored, and keeps numbers gapless', () => {
    const log = new TurnLog('t', () => undefined)
    log.append(delta('stored'))
    log.publish(1)
    log.append(delta('lost'))
    log.endUnstored([FINISH])
    const reading = log.read(0)
    expect(reading.kind === 'events' && reading.events.map(frameOf).join('')).toBe(
      'id: 1\ndata: {"type":"text-delta","id":"1","delta":"stored"}\n\nid: 2\ndata: {"type":"finish"}\n\n',
    )
  })

  test('accepts nothing after its end', () => {
    const log = new TurnLog('t', () => undefined)
    log.end([])
    expect(() => log.append(delta('late'))).toThrow('takes no more events')
  })

  test('writes a text that looks like an event as data of one event', () => {
    const frame = frameOf({ seq: 1, json: JSON.stringify(delta('x\n\nevent: done\ndata: {}\r\n\r\n')) })
    expect(frame.split('\n').filter((line) => line !== '')).toHaveLength(2)
  })

  test('splits a long text into events that a slow reader can take, and no character', () => {
    const text = `x${'😀'.repeat(20_000)}`
    const pieces = piecesOf(delta(text)).map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : ''))
    expect(pieces.join('')).toBe(text)
    expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= MAX_BATCH_CHARACTERS / 2)).toBe(true)
  })
})

describe('a follower', () => {
  test('gets every event once, whenever it connects', async () => {
    const turn = writtenLog()
    const early = read(turn)
    turn.say('a', 'b')
    const late = read(turn, 1)
    turn.say('c')
    turn.end('abc')
    expect(seqsOf(await early)).toEqual([1, 2, 3, 4])
    expect(seqsOf(await late)).toEqual([2, 3, 4])
    expect(seqsOf(await read(turn, 4))).toEqual([])
  })

  test('that disconnects does not end the turn, and leaves nothing behind', async () => {
    const turn = writtenLog()
    const leaving = new AbortController()
    const gone = read(turn, 0, leaving.signal)
    const staying = read(turn)
    leaving.abort()
    turn.say('a')
    turn.end('a')
    expect(await gone).toEqual([])
    expect(seqsOf(await staying)).toEqual([1, 2])
  })

  test('that is far behind reads from the database what memory has dropped, then continues live', async () => {
    const turn = writtenLog()
    const words = Array.from({ length: 200 }, (_, index) => `${index} `.padEnd(1_000, '.'))
    turn.say(...words)
    expect(turn.log.read(0)).toEqual({ kind: 'stored-events' })
    const reading = followLog({ log: turn.log, stored: turn.reader }, 0, never)
    const seen: TurnEvent[] = []
    while (seen.length < words.length) {
      const batch = (await reading.next()).value as TurnEvent[]
      expect(batch.reduce((sum, event) => sum + event.json.length, 0)).toBeLessThanOrEqual(MAX_BATCH_CHARACTERS)
      seen.push(...batch)
    }
    turn.say('end')
    turn.end('')
    seen.push(...(await Array.fromAsync(reading)).flat())
    expect(seqsOf(seen)).toEqual(Array.from({ length: words.length + 2 }, (_, index) => index + 1))
    expect(textOf(seen)).toBe(`${words.join('')}end`)
  })

  test('that is far behind at the end reads the stored answer from its beginning', async () => {
    const turn = writtenLog()
    turn.say(...Array.from({ length: 200 }, () => 'x'.repeat(1_000)))
    turn.end('the whole answer')
    expect(turn.log.read(0)).toEqual({ kind: 'stored-answer' })
    const events = await read(turn)
    expect(events[0]).toMatchObject({ seq: FIRST_REPLAYED_SEQ, json: expect.stringContaining('"start"') })
    expect(textOf(events)).toBe('the whole answer')
  })

  test('reads the stored answer of a turn that was ended elsewhere', async () => {
    const turn = writtenLog()
    turn.say('what was shown')
    const following = read(turn)
    await new Promise(setImmediate)
    turn.end('what was shown, and stored')
    turn.log.supersede()
    expect(textOf(await following)).toContain('what was shown, and stored')
  })

  test('of a replay continues after its last event, in batches of bounded size', async () => {
    const answer: ChatMessage = {
      id: 'm',
      role: 'assistant',
      metadata: { status: 'done' },
      parts: [{ type: 'text', text: 'x'.repeat(100_000) }],
    }
    const stored = { answer: async () => answer }
    const whole = await Array.fromAsync(replayAnswer(stored, 7, never))
    for (const batch of whole) expect(batch.reduce((sum, event) => sum + event.json.length, 0)).toBeLessThanOrEqual(MAX_BATCH_CHARACTERS)
    const rest = (await Array.fromAsync(replayAnswer(stored, FIRST_REPLAYED_SEQ + 4, never))).flat()
    expect(rest).toEqual(whole.flat().slice(5))
  })
})
