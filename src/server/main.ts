import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { type App, createApp } from './app/create-app.ts'
import type { CommandResult } from './commands/operator-command.ts'
import { consoleOriginOf } from './config/console-settings.ts'
import { haveOtherSecrets } from './config/secrets.ts'
import { prepareEnvironment, readSettings, type Settings, SettingsError } from './config/config.ts'
import { constant } from './constant.ts'

/** Same depth in `src/server` and `dist/server`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIRECTORIES = { web: join(ROOT, 'dist/web'), console: join(ROOT, 'dist/console'), localLibrary: join(ROOT, '.runtime/local-model') }

const RELEASE = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

// V8 optimizes a function after 3,000 calls by default, and most run once a prompt: of 50 prompts at once, 95 % have their first words 5 ms
// sooner. A flag at start would end a Node that doesn't know it.
setFlagsFromString('--invocation-count-for-turbofan=400')

// What visitors wrote is for the server's own user only: files and folders that it creates are closed to others.
process.umask(0o077)

const [, , command = 'start', ...commandArguments] = process.argv

/** Resolves with what to print and the exit code, if it hasn't done that itself. */
type Run = (args: readonly string[]) => Promise<CommandResult | void>

/**
 * Commands by first argument, each with its line of the help. Those of `deploy/bundle/parley` alone have nothing to run. All but `restore` and
 * `move` run next to a running server, too.
 */
const COMMANDS: Readonly<Record<string, [description: string, run?: Run]>> = {
  start: ['starts the server', serve],
  status: [
    'whether it takes prompts, its problems, websites, budgets and space',
    async () => (await import('./commands/status.ts')).readStatus(await commandSettings(), RELEASE),
  ],
  doctor: [
    'checks the installation from outside in, and says what to change',
    async (args) => (await import('./commands/doctor/run-doctor.ts')).runDoctor(args, readSettings),
  ],
  backup: [
    'backs up the database and the installation key',
    async (args) => (await import('./commands/backup/run-backup.ts')).runBackup(args, await backupContext()),
  ],
  restore: [
    'restores a backup, or rehearses that',
    async (args) => (await import('./commands/backup/run-restore.ts')).runRestore(args, await backupContext()),
  ],
  move: [
    'moves everything to another database',
    async (args) => (await import('./commands/backup/run-move.ts')).runMove(args, await backupContext()),
  ],
  upgrade: [
    'rehearses the migration to this release',
    async (args) => (await import('./commands/backup/run-upgrade.ts')).runUpgrade(args, await backupContext()),
  ],
  staff: ['invites staff, makes tokens, prints the audit log', staff],
  knowledge: ['adds, reads and checks websites', knowledge],
  agent: [
    'prints the system prompt of an agent',
    async (args) => (await import('./commands/agent-command.ts')).runAgentCommand(args, await commandSettings()),
  ],
  eval: ['asks the model prepared questions, and checks its answers'],
  'stop-answering': ['stops answers of an agent, a topic or a file, or all', stopAnswering],
  'confirm-clock': ['confirms that the clock is right', confirmClock],
  'export-config': ['writes what staff have published to files', exportConfig],
  compliance: ['writes drafts of the records that privacy and AI law ask for', compliance],
  'check-receipt': ['verifies a receipt of a deletion'],
  'install-service': ['installs the archive as a service of systemd, as root'],
  help: ['prints this', help],
  '--version': ['prints the release', async () => ({ output: `${RELEASE}\n`, exitCode: 0 })],
}

const found = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]?.[1] : undefined
if (found) await orExit(withEnvironmentFile(found), sentenceOfBuilding)
else print({ output: `${unknownCommand(command)}\n`, exitCode: 2 })

function unknownCommand(name: string): string {
  if (Object.hasOwn(COMMANDS, name)) return `The archive and the image have ${name}: parley ${name}.`
  if (name.startsWith('-'))
    return `Unknown option ${JSON.stringify(name)}: settings are environment variables, such as PORT=3000 parley start.`
  return `Unknown command: use one of ${Object.keys(COMMANDS).join(', ')}.`
}

/** Runs a command with the settings of the file that the archive's `parley` names. */
async function withEnvironmentFile(run: Run): Promise<void> {
  prepareEnvironment()
  const result = await run(commandArguments)
  if (result) print(result)
}

async function help(): Promise<CommandResult> {
  const lines = Object.entries(COMMANDS).map(([name, [description]]) => `  ${name.padEnd(16)} ${description}`)
  return { output: `parley <command>\n\n${lines.join('\n')}\n\ndocs/settings.md lists the settings.\n`, exitCode: 0 }
}

const RESTART_POLL_MS = 500

/** Starts the server, and opens it again on the same ports when an owner connects another model or the file of a secret has changed. */
async function serve(): Promise<void> {
  const ending = new AbortController()
  let inForce = readSettings()
  const start = async (settings: Settings): Promise<App> => {
    inForce = settings
    const parts = { directories: DIRECTORIES, release: RELEASE, onModelChanged: () => void restart() }
    const app = await orExit(createApp(settings, parts), sentenceOfBuilding)
    const address = await orExit(app.listen(), sentenceOfListening)
    process.stdout.write(`Parley is ready at ${address}\n`)
    for (const request of app.operatorRequests()) process.stdout.write(`${request}\n`)
    // Some 25 MB that loading has used, which V8 would keep. Node's types lack `last-resort`.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' } as never)
    return app
  }
  let running = start(inForce)
  let isRestarting = false
  const restart = async () => {
    if (isRestarting) return
    isRestarting = true
    const before = await running
    // While the database is away, the start says so.
    while (!ending.signal.aborted && !(await before.claimRestart().catch(() => true))) await pause(RESTART_POLL_MS)
    running = running.then(async (app) => {
      if (ending.signal.aborted) return app
      const { port, consolePort } = app.ports()
      await app.close()
      const settings = readSettings()
      isRestarting = false
      const console = settings.console && { ...settings.console, port: consolePort ?? settings.console.port }
      const next = await start({ ...settings, port, console })
      await next.endRestart().catch(() => undefined)
      return next
    })
  }
  closeOnSignals(async () => {
    ending.abort()
    await (await running).close()
  })
  handleOtherSignals(async () => {
    const app = await running
    try {
      if (haveOtherSecrets(readSettings(), inForce)) return restart()
    } catch (error) {
      process.stderr.write(`${sentenceOfBuilding(error as Fault)} The settings in force stay.\n`)
    }
    await app.reload()
  })
  await running
}

/** The first signal ends it gracefully. */
async function knowledge(args: readonly string[]): Promise<void> {
  const { runKnowledgeCommand } = await import('./commands/knowledge/knowledge-command.ts')
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const write = (text: string) => process.stdout.write(text)
  process.exitCode = await runKnowledgeCommand(args, {
    settings: await commandSettings(),
    write,
    signal: stopping.signal,
  })
}

async function confirmClock(): Promise<CommandResult> {
  const { confirmClock: confirm } = await import('./commands/confirm-clock.ts')
  return { output: await confirm((await commandSettings()).database, Date.now()), exitCode: 0 }
}

async function stopAnswering(args: readonly string[]): Promise<CommandResult> {
  const [{ stopAnswering: run }, { openAudit }] = await Promise.all([import('./commands/stop-answering.ts'), import('./app/open-audit.ts')])
  const settings = await commandSettings()
  return run(args, settings.database, Date.now(), await openAudit(settings))
}

async function staff(args: readonly string[]): Promise<CommandResult> {
  const [{ runStaffCommand }, { openAudit }] = await Promise.all([import('./commands/staff-command.ts'), import('./app/open-audit.ts')])
  const settings = await commandSettings()
  const write = (text: string) => void process.stdout.write(text)
  const { database, console: chosen } = settings
  const consoleOrigin = chosen && consoleOriginOf(chosen)
  return runStaffCommand(args, { database, audit: await openAudit(settings), consoleOrigin, now: Date.now, write })
}

async function exportConfig(args: readonly string[]): Promise<CommandResult> {
  const { exportConfig: run } = await import('./commands/export-config.ts')
  return run(args, (await commandSettings()).database, Date.now())
}

async function compliance(args: readonly string[]): Promise<CommandResult> {
  const { writeCompliance } = await import('./commands/compliance.ts')
  return writeCompliance(args, await commandSettings(), { release: RELEASE, now: new Date() })
}

async function backupContext() {
  const { askSecret } = await import('./commands/backup/ask-secret.ts')
  const report = (line: string) => void process.stderr.write(`${line}\n`)
  return { settings: await commandSettings(), release: RELEASE, now: Date.now, ask: askSecret, report }
}

/** The settings, for a command of the user that owns the data folder. From here on, paths are those of the folder it was called in. */
async function commandSettings() {
  const settings = readSettings()
  const { assertOwner, enterCallersFolder } = await import('./commands/operator-command.ts')
  await assertOwner(settings.dataDirectory)
  enterCallersFolder()
  return settings
}

function print({ output, exitCode }: CommandResult): void {
  process.stdout.write(output)
  process.exitCode = exitCode
}

type Fault = NodeJS.ErrnoException & { port?: number }

async function orExit<T>(step: Promise<T>, sentenceOf: (error: Fault) => string): Promise<T> {
  try {
    return await step
  } catch (error) {
    process.stderr.write(`${sentenceOf(error as Fault)}\n`)
    process.exit(1)
  }
}

/** A supervisor that signals the process group reaches this process twice, once through the launcher. */
const SAME_SIGNAL_MS = 500

/** Time limit of a graceful shutdown. */
const LAST_RESORT_MS = constant('lastResortMs', 25_000)

/** The first signal shuts down gracefully, a second one exits at once. */
function closeOnSignals(close: () => Promise<void>): void {
  let closingSince: number | null = null
  const onSignal = () => {
    if (closingSince !== null && performance.now() - closingSince < SAME_SIGNAL_MS) return
    if (closingSince !== null) process.exit(1)
    closingSince = performance.now()
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref()
    orExit(close(), unexpected).then(() => process.exit(0), process.exit)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** SIGHUP reads files again. SIGUSR1 would open Node's inspector, and SIGUSR2 would end the process. */
function handleOtherSignals(reload: () => Promise<void>): void {
  process.on('SIGHUP', () => void reload())
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined)
}

function sentenceOfListening(error: Fault): string {
  if (error instanceof SettingsError) return error.message
  const { code, port } = error
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what listens there, or set PORT to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'HOST names no address of this machine: set it to 127.0.0.1 or 0.0.0.0.'
  return unexpected(error)
}

function sentenceOfBuilding(error: Fault): string {
  if (error instanceof SettingsError) return error.message
  const { code = '', path, message } = error
  if (['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'ETIMEDOUT'].includes(code) || /^(28|3D|08)/.test(code)) {
    return `The database in DATABASE_URL cannot be reached (${code}): check that it runs and that the name and the password are right.`
  }
  if (path && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC'].includes(code)) {
    return command === 'start'
      ? `The data folder cannot be written (${code}, ${path}): set DATA_DIR to a folder that this user may write.`
      : `${path} cannot be read or written (${code}): check this path, and what this user may do there.`
  }
  if (code === 'ENOSPC' || message === 'database or disk is full')
    return `The disk of ${command === 'backup' ? 'the backup' : 'the data folder'} is full (${message}): free space on it.`
  if (code === 'ERR_SQLITE_ERROR') return `The database in the data folder cannot be opened (${message}): check DATA_DIR.`
  return unexpected(error)
}

function unexpected(error: Fault): string {
  return `Parley could not go on: ${error.stack ?? String(error)}`
}
