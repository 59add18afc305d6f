// Holds streams open after reading their beginning, in its own process. Uses bare sockets, so that ten thousand fit.
import { connect, type Socket } from 'node:net'

export interface StreamJob {
  url: string
  path: string
  cookie: string
  streams: number
  /** Number of streams opened concurrently. */
  together: number
  /** Whether the streams stay open; otherwise each is closed as soon as its reply has begun. */
  keep: boolean
}

const held: Socket[] = []

process.on('message', (job: StreamJob) => {
  runJob(job).then(
    (opened) => process.send?.({ opened }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))

async function runJob({ streams, together, keep, ...target }: StreamJob): Promise<number> {
  let left = streams
  const keepOpening = async () => {
    while ((left -= 1) >= 0) {
      const socket = await begunStream(target)
      if (keep) held.push(socket)
      else socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: together }, keepOpening))
  return streams
}

/** A stream whose reply has begun. */
function begunStream({ url, path, cookie }: Pick<StreamJob, 'url' | 'path' | 'cookie'>): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\nAccept: text/event-stream\r\n\r\n`)
    })
    socket.once('error', reject)
    socket.once('data', (reply) => {
      if (!reply.toString('latin1').startsWith('HTTP/1.1 200')) return reject(new Error(reply.toString('latin1').slice(0, 500)))
      socket.on('data', () => undefined)
      resolve(socket)
    })
  })
}
