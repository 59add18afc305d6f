// Starts the server once, in a folder that is then removed, and ends it: Node keeps the compiled code for the starts that count.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './processes.mjs'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from './server-command.mjs'

const LIMIT_MS = 20_000

const cache = join(ROOT, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'rehearsal-'))
const env = { ...SERVER_ENVIRONMENT, PATH: process.env['PATH'], DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'fatal' }
const server = spawn(process.execPath, SERVER_ARGUMENTS, { env, stdio: ['ignore', 'pipe', 'ignore'] })
const ended = once(server, 'exit')
const limit = setTimeout(() => server.kill('SIGKILL'), LIMIT_MS)
// It says one thing: that it is ready.
let isReady = false
server.stdout.once('data', () => {
  isReady = true
  server.kill()
})
await ended
clearTimeout(limit)
rmSync(folder, { recursive: true, force: true })
process.exitCode = isReady ? 0 : 1
