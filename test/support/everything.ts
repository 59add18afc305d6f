import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** The MCP project's reference server, run by this Node. */
export const EVERYTHING = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')

export interface EverythingServer {
  url: string
  port: number
  stop(): Promise<void>
}

/** Starts it over HTTP, by default on a free port, and waits until it listens. `sse` is the transport of before 2025. */
export async function startEverything(wanted?: number, transport: 'streamableHttp' | 'sse' = 'streamableHttp'): Promise<EverythingServer> {
  const port = wanted ?? (await freePort())
  const child = spawn(process.execPath, [EVERYTHING, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await listening(child)
  // Its output must be read, or it blocks.
  child.stderr?.resume()
  return {
    url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    port,
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await ended
    },
  }
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (text: Buffer) => {
      output += text.toString()
      if (/(?:listening|running) on port/i.test(output)) resolve()
    })
    child.once('exit', () => reject(new Error(`The MCP server ended:\n${output}`)))
  })
}
