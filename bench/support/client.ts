// The client of the benches, in its own process: bare `node:http`, so that it costs little compared with what it measures.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Answer, Job } from './client-jobs.ts'
import { shuffled } from './statistics.ts'
import type { Target } from './target.ts'

/** Counted as one token. The text of a counted stream has one in every token, and nothing else in the stream has any. */
const TOKEN_MARK = '~'.charCodeAt(0)

const FLOOD_TICK_MS = 5

const agent = new Agent({ keepAlive: true, maxFreeSockets: 200 })
let openStreams: ClientRequest[] = []
let tokens = 0
/** Number of requests sent to each target. */
const made = new Map<string, number>()
let flood: { timer: NodeJS.Timeout; answered: number } | undefined

const jobs: { [Kind in Job['kind']]: (job: Extract<Job, { kind: Kind }>) => Promise<Answer> | Answer } = {
  async 'one-after-another'({ targets, rounds }) {
    const samples = targets.map((): number[] => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const target of shuffled(targets)) samples[targets.indexOf(target)]?.push(await firstMark(target))
    }
    return samples
  },
  async 'at-once'({ targets, together, rounds }) {
    const samples = targets.map((): number[] => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const target of shuffled(targets)) {
        const times = await Promise.all(Array.from({ length: together }, () => firstMark(target)))
        samples[targets.indexOf(target)]?.push(...times)
      }
    }
    return samples
  },
  async 'in-turn'({ target, together, total }) {
    const startedAt = performance.now()
    let left = total
    const keepSending = async () => {
      while ((left -= 1) >= 0) await firstMark(target)
    }
    await Promise.all(Array.from({ length: together }, keepSending))
    return performance.now() - startedAt
  },
  async 'open-streams'({ target, streams }) {
    tokens = 0
    await Promise.all(Array.from({ length: streams }, () => openStream(target)))
    return streams
  },
  'start-flood'({ target, perSecond }) {
    const startedAt = performance.now()
    let sent = 0
    const running = {
      answered: 0,
      timer: setInterval(() => {
        const due = ((performance.now() - startedAt) / 1000) * perSecond
        for (; sent < due; sent += 1) {
          send(
            target,
            () => undefined,
            (reply) => {
              reply.resume()
              reply.once('end', () => (running.answered += 1))
            },
          )
        }
      }, FLOOD_TICK_MS),
    }
    flood = running
    return perSecond
  },
  'stop-flood': () => {
    clearInterval(flood?.timer)
    return flood?.answered ?? 0
  },
  'count-tokens': () => tokens,
  'close-streams': () => {
    const closed = openStreams.length
    for (const stream of openStreams) stream.destroy()
    openStreams = []
    return closed
  },
}

process.on('message', (job: Job) => {
  const run = jobs[job.kind] as (job: Job) => Promise<Answer> | Answer
  Promise.resolve(run(job)).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))

/** Sends the request and reads its answer to the end. Resolves with the milliseconds to its first piece. */
function firstMark(target: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now()
    let elapsedMs: number | undefined
    let tail = ''
    send(target, reject, (reply) => {
      reply.on('data', (chunk: Buffer) => {
        if (elapsedMs !== undefined) return
        tail += chunk.toString('latin1')
        if (tail.includes(target.mark)) elapsedMs = performance.now() - sentAt
      })
      reply.on('end', () =>
        elapsedMs === undefined ? reject(new Error(`${target.name} answered ${reply.statusCode}: ${tail}`)) : resolve(elapsedMs),
      )
    })
  })
}

/** Opens a stream and counts its tokens. Resolves with the first token. */
function openStream(target: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = send(target, reject, (reply) => {
      if (reply.statusCode !== 200)
        reply.once('data', (body) => reject(new Error(`${target.name} answered ${reply.statusCode}: ${String(body)}`)))
      reply.on('data', (chunk: Buffer) => {
        const before = tokens
        for (let index = chunk.indexOf(TOKEN_MARK); index >= 0; index = chunk.indexOf(TOKEN_MARK, index + 1)) tokens += 1
        if (tokens > before) resolve()
      })
    })
    openStreams.push(stream)
  })
}

function send(target: Target, onFault: (error: Error) => void, onReply: (reply: IncomingMessage) => void): ClientRequest {
  const { url, headers } = addressed(target)
  const sent = request(url, { agent, method: 'POST', headers }, (reply) => {
    reply.on('error', onFault)
    onReply(reply)
  })
  sent.on('error', onFault)
  sent.end(target.body)
  return sent
}

function addressed({ url, headers, visitors }: Target): Pick<Target, 'url' | 'headers'> {
  if (visitors === undefined) return { url, headers }
  const number = made.get(url) ?? 0
  made.set(url, number + 1)
  const visitor = number % visitors
  // A different /48 for each visitor and target.
  return {
    url: `${url}-${visitor}`,
    headers: { ...headers, 'x-forwarded-for': `2001:${url.length.toString(16)}:${visitor.toString(16)}::1` },
  }
}
