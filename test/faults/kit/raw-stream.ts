import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Visitor } from './visitor.ts'

/** On a busy machine the database may reject readers for a moment. */
const TRIES = 50
const TRY_PAUSE_MS = 250

/** Follows a turn on a raw socket, from which nothing has been read yet. */
export async function openStream(url: string, visitor: Visitor, turn: string): Promise<Socket> {
  for (let tries = 1; ; tries += 1) {
    const socket = await ask(url, visitor, turn)
    await once(socket, 'readable')
    const head = socket.read() as Buffer | null
    if (head?.toString('latin1').startsWith('HTTP/1.1 200 ')) {
      socket.unshift(head)
      return socket
    }
    socket.destroy()
    if (tries === TRIES) throw new Error(`A stream could not be opened: ${head?.toString()}`)
    await pause(TRY_PAUSE_MS)
  }
}

async function ask(url: string, { cookie }: Visitor, turn: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.write(`GET /api/v1/turns/${turn}/stream HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)
  return socket
}
