import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { SETS_CONSTANTS } from '../../../scripts/constants.mjs'
import type { TestServer } from '../../support/server.ts'

/** Environment of a server to inspect; never used in production. */
export const INSPECTED = { NODE_OPTIONS: `${SETS_CONSTANTS} --inspect=127.0.0.1:0` }

/** Resources of a process after garbage collection. */
export interface Holdings {
  /** Size of live objects including external memory, in bytes. */
  heapBytes: number
  /** Timers that keep the process alive. */
  timers: number
  /** Listeners of `process` and of its servers. */
  listeners: number
  /** Open files and sockets. */
  descriptors: number
}

export interface Inspector {
  holdings(): Promise<Holdings>
  /** Blocks the event loop for this time. */
  block(ms: number): Promise<void>
  evaluate(expression: string): Promise<unknown>
  close(): void
}

/** Inspects a server that was started with `INSPECTED` through Node's inspector. */
export async function inspect(server: Pick<TestServer, 'pid' | 'output'>): Promise<Inspector> {
  const address = Array.from(server.output().matchAll(/Debugger listening on (ws:\S+)/g)).at(-1)?.[1]
  if (!address) throw new Error('The server was not started to be inspected.')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0
  const call = async (
    method: string,
    params: object = {},
  ): Promise<{ result?: { value?: unknown }; exceptionDetails?: { text: string } }> => {
    const id = (last += 1)
    const answered = Promise.withResolvers<string>()
    const listen = ({ data }: MessageEvent) => {
      if ((JSON.parse(String(data)) as { id?: number }).id === id) answered.resolve(String(data))
    }
    socket.addEventListener('message', listen)
    socket.send(JSON.stringify({ id, method, params }))
    const answer = JSON.parse(await answered.promise) as { result: { result?: { value?: unknown }; exceptionDetails?: { text: string } } }
    socket.removeEventListener('message', listen)
    return answer.result
  }
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, returnByValue: true, includeCommandLineAPI: true })
    if (exceptionDetails) throw new Error(`The server could not be asked: ${exceptionDetails.text}`)
    return result?.value
  }
  return {
    evaluate,
    async holdings() {
      // Objects with finalizers need a second collection.
      await call('HeapProfiler.collectGarbage')
      await call('HeapProfiler.collectGarbage')
      const inside = JSON.parse(String(await evaluate(HOLDINGS))) as Omit<Holdings, 'descriptors'>
      return { ...inside, descriptors: readdirSync(`/proc/${server.pid}/fd`).length }
    },
    async block(ms) {
      await evaluate(`{ const end = performance.now() + ${ms}; while (performance.now() < end); }`)
    },
    close: () => socket.close(),
  }
}

const HOLDINGS = `(() => {
  const { heapUsed, external } = process.memoryUsage()
  const emitters = [process, ...process._getActiveHandles().filter((handle) => typeof handle.eventNames === 'function' && handle.listening)]
  return JSON.stringify({
    heapBytes: heapUsed + external,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate').length,
    listeners: emitters.flatMap((emitter) => emitter.eventNames().map((name) => emitter.listenerCount(name))).reduce((a, b) => a + b, 0),
  })
})()`
