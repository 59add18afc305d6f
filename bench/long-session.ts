import { type RecordedRequest, type ScriptedModel, startScriptedModel } from '../test/support/scripted-model.ts'
import { type LongConversation, section, storeLongConversation } from './support/long-conversation.ts'
import { relativeTo, type Figure, milliseconds } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'
import { median, shuffled, sum } from './support/statistics.ts'

const CHATS = 4
const WARM_UP_ROUNDS = 4
const ROUNDS = 16
/** Prompts stored beforehand, so that the measured ones are around the 20th and the 500th. */
const STORED = { short: 20 - WARM_UP_ROUNDS - ROUNDS / 2, long: 500 - WARM_UP_ROUNDS - ROUNDS / 2 }
const ALLOWED = 1.3

type Length = keyof typeof STORED
interface Chat extends LongConversation {
  length: Length
}

/** Cost of prompt 500 of a chat compared with prompt 20: bytes that the model reads, and time to first token. */
export const longSession: Figure = {
  name: 'long-session',
  measure: () =>
    withProcesses(async (processes) => {
      const model = await startScriptedModel({ fallback: [{ text: section(1, 80) }] })
      try {
        const dataDirectory = processes.folder()
        const chats: Chat[] = []
        for (const length of ['short', 'long'] as const) {
          for (let chat = 0; chat < CHATS; chat += 1)
            chats.push({ length, ...(await storeLongConversation(dataDirectory, STORED[length], markOf(length))) })
        }
        const settings = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' }
        const { url } = await processes.parley({ settings, dataDirectory })
        for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await promptEach(url, chats)
        model.requests.length = 0
        const times = { short: [] as number[], long: [] as number[] }
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const { length, ms } of await promptEach(url, chats)) times[length].push(ms)
        }
        const read = { short: bytesOf(model, 'short'), long: bytesOf(model, 'long') }
        return [
          relativeTo('what the model reads for prompt 500', read.long, { name: 'prompt 20', value: read.short }, bytes, ALLOWED),
          relativeTo(
            'first words of prompt 500',
            median(times.long),
            { name: 'prompt 20', value: median(times.short) },
            milliseconds,
            ALLOWED,
          ),
        ]
      } finally {
        await model.close()
      }
    }),
}

const markOf = (length: Length): string => `the ${length} chat`

async function promptEach(url: string, chats: Chat[]): Promise<{ length: Length; ms: number }[]> {
  const times: { length: Length; ms: number }[] = []
  for (const chat of shuffled(chats)) times.push({ length: chat.length, ms: await firstWords(url, chat) })
  return times
}

/** Milliseconds until the first piece of the answer. Reads the answer to its end. */
async function firstWords(url: string, { session, visitorKey, length }: Chat): Promise<number> {
  const sentAt = performance.now()
  const response = await fetch(`${url}/api/v1/agent/chat/me?session_id=${session}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', cookie: `visitor=${visitorKey}` },
    body: JSON.stringify({ prompt: `Tell me more of ${markOf(length)}, please.` }),
  })
  if (!response.ok || !response.body) throw new Error(`A prompt was answered with ${response.status}: ${await response.text()}`)
  let elapsedMs: number | undefined
  let text = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('"text-delta"')) elapsedMs ??= performance.now() - sentAt
  }
  if (elapsedMs === undefined) throw new Error(`An answer had no words: ${text}`)
  return elapsedMs
}

/** Keyed by prompt. */
function bytesOf({ requests }: ScriptedModel, length: Length): number {
  const sent = requests.filter(({ prompt }: RecordedRequest) => prompt.includes(markOf(length)))
  return sum(sent.map(({ body }) => Buffer.byteLength(JSON.stringify(body)))) / (CHATS * ROUNDS)
}

const bytes = (value: number): string => `${value.toFixed(0)} bytes`
