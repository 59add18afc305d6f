import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Network } from '../../limits/network.ts'
import { TooManyBodies } from '../../platform/problems.ts'

const MEGABYTE = 1024 * 1024

export interface BodyLimits {
  maxBytes: number
  maxNetworkBytes: number
}

const LIMITS: BodyLimits = { maxBytes: 128 * MEGABYTE, maxNetworkBytes: 32 * MEGABYTE }
/** Smaller bodies aren't counted: the number of connections bounds them. */
const SMALL_BYTES = 4 * 1024
/** Overhead of a chunk. A client can send chunks of one byte. */
const CHUNK_BYTES = 256
/** Shares the limit of all bodies only. */
const UNLIMITED = 'unlimited'

interface Body {
  stop: () => void
  bytes: number
  hasArrived: boolean
}

export interface CountedBody {
  /** Counts a chunk. May stop this body or another. */
  add(bytes: number): void
  /** The body is complete and can't be stopped any more. */
  arrived(): void
  /** The body is no longer in memory. Calls after the first do nothing. */
  release(): void
}

/**
 * Bounds the memory of bodies, by what has arrived of them: a slow body takes nothing from others. A network over its limit loses the
 * body that is arriving; when all bodies are over theirs, the network that has most loses its newest.
 */
export class ArrivingBodies {
  readonly #limits: BodyLimits
  /** Bodies of each network, oldest first. */
  readonly #networks = new Map<string, { bytes: number; readonly bodies: Set<Body> }>()
  #bytes = 0

  constructor(limits: BodyLimits = LIMITS) {
    this.#limits = limits
  }

  /** @param network `null` for a client without a network limit. */
  open(network: string | null, stop: () => void): CountedBody {
    const key = network ?? UNLIMITED
    const body: Body = { stop, bytes: 0, hasArrived: false }
    const own = this.#networks.get(key) ?? { bytes: 0, bodies: new Set() }
    this.#networks.set(key, own)
    own.bodies.add(body)
    const release = () => {
      if (!own.bodies.delete(body)) return
      this.#bytes -= body.bytes
      own.bytes -= body.bytes
      if (own.bodies.size === 0) this.#networks.delete(key)
    }
    return {
      add: (bytes) => {
        if (!own.bodies.has(body)) return
        const counted = bytes + CHUNK_BYTES
        body.bytes += counted
        own.bytes += counted
        this.#bytes += counted
        if (network !== null && own.bytes > this.#limits.maxNetworkBytes) return stop()
        if (this.#bytes > this.#limits.maxBytes) (this.#newestOfLargest() ?? body).stop()
      },
      arrived: () => {
        body.hasArrived = true
      },
      release,
    }
  }

  #newestOfLargest(): Body | undefined {
    const [largest] = [...this.#networks.values()].toSorted((one, other) => other.bytes - one.bytes)
    return [...(largest?.bodies ?? [])].findLast(({ hasArrived }) => !hasArrived)
  }
}

/** Counts the bodies of all requests, and rejects those over a limit with `too_many_requests`. */
export function boundBodies(
  app: FastifyInstance,
  networkOf: (request: FastifyRequest) => Network | null,
  bodies = new ArrivingBodies(),
): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { headers, routeOptions } = request
    const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY
    if (length <= SMALL_BYTES || request.raw.destroyed) return done(null, payload)
    const network = networkOf(request)
    const body = bodies.open(network && (network.wide ?? network.own), () => {
      body.release()
      payload.emit('error', new TooManyBodies())
    })
    // Nobody else listens once the request has been rejected for another reason.
    payload.on('error', () => undefined)
    payload.on('data', (chunk: Buffer) => body.add(chunk.length))
    payload.once('end', body.arrived)
    // A handler that takes bytes holds them until it has replied.
    const holder = routeOptions.config.takesBytes ? reply.raw : request.raw
    holder.once('close', body.release)
    return done(null, payload)
  })
}
