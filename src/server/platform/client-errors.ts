import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../contract/errors.ts'
import { rawProblem } from './problems.ts'

/** Answers bytes that are not an HTTP request. Responses to complete requests before them on the same connection are sent first. */
export class ClientErrors {
  readonly #openResponses = new WeakMap<Socket, Set<ServerResponse>>()
  /** Sockets whose parser has failed: each further byte fails again. */
  readonly #broken = new WeakSet<Socket>()

  /** Must be called for each response when the head of its request has arrived. */
  track(response: ServerResponse): void {
    const { socket } = response.req
    const open = this.#openResponses.get(socket) ?? new Set()
    this.#openResponses.set(socket, open.add(response))
    response.once('close', () => open.delete(response))
  }

  reject(error: Error & { code?: string }, socket: Socket): void {
    if (this.#broken.has(socket)) return
    this.#broken.add(socket)
    const end = () => {
      if (socket.writable) socket.end(rawProblem(codeOf(error)), () => socket.destroy())
      else socket.destroy()
    }
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // A request that is still arriving is what failed; Node sends responses in order, so the last of the others closes last.
    const last = [...(this.#openResponses.get(socket) ?? [])].findLast(({ req }) => req.complete)
    if (last) last.once('close', end)
    else end()
  }
}

function codeOf({ code }: { code?: string }): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request'
}
