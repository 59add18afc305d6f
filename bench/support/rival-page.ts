import { readFile, writeFile } from 'node:fs/promises'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { ChatMessage } from '../../src/contract/message.ts'
import { installed } from './installed.ts'

const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

export type RivalName = 'streamdown' | 'assistant-ui'

/** Installs the rivals from npm into their own folder, once, and builds the page of one. Returns the folder of its files. */
export async function buildRivalPage(name: RivalName): Promise<string> {
  const workshop = await installed('rivals')
  const html = `<!doctype html><html lang="en"><title>${name}</title><div id="root"></div><script type="module" src="/${name}.jsx"></script></html>`
  await writeFile(join(workshop, 'index.html'), html)
  const outDir = join(workshop, 'dist', name)
  await build({
    root: workshop,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, emptyOutDir: true, target: 'es2024' },
  })
  return outDir
}

export interface RivalPage {
  url: string
  close(): Promise<void>
}

/** Serves a rival's page, its initial messages, and Parley's answers to its prompts. */
export async function serveRivalPage(folder: string, earlier: ChatMessage[], parleyUrl: string): Promise<RivalPage> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url === '/' ? '/index.html' : (incoming.url ?? '')
    if (path === '/messages.json') return outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(earlier))
    if (path !== '/prompt') return sendFile(join(folder, path), outgoing)
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
    const sent = request(`${parleyUrl}/api/v1/agent/chat/me`, { method: 'POST', headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, { 'content-type': reply.headers['content-type'] ?? 'text/plain' })
      reply.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    return incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function sendFile(path: string, outgoing: ServerResponse): void {
  readFile(path).then(
    (content) => outgoing.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(content),
    () => outgoing.writeHead(404).end(),
  )
}
