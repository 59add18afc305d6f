import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Visitor } from './visitor.ts'

/** Follows a turn on a bare socket, which whoever asked for it reads from as they like. */
export async function openStream(url: string, { cookie }: Visitor, turn: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.write(`GET /api/v1/turns/${turn}/stream HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)
  return socket
}
