import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { createApp } from './app/create-app.ts'
import type { CommandResult } from './commands/operator-command.ts'
import { consoleOriginOf } from './config/console-settings.ts'
import { readSettings, SettingsError } from './config/config.ts'

/** Same depth in `src/server` and `dist/server`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIRECTORIES = { web: join(ROOT, 'dist/web'), console: join(ROOT, 'dist/console'), localLibrary: join(ROOT, '.runtime/local-model') }

/** Version in package.json. */
const RELEASE = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

// V8 optimizes a function after 3,000 calls by default, and most run once a prompt: of 50 prompts at once, 95 % have their first words 5 ms
// sooner. A flag at start would end a Node that doesn't know it.
setFlagsFromString('--invocation-count-for-turbofan=400')

// What visitors wrote is for the server's own user only: files and folders that it creates are closed to others.
process.umask(0o077)

const [, , command, ...commandArguments] = process.argv

/** Commands that run instead of the server, by first argument. */
const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  'confirm-clock': confirmClock,
  'stop-answering': () => stopAnswering(commandArguments),
  staff: () => staff(commandArguments),
  'export-config': () => exportConfig(commandArguments),
  'import-config': () => importConfig(commandArguments),
  doctor: () => doctor(commandArguments),
  status,
  backup: () => backup(commandArguments),
  restore: () => restore(commandArguments),
  move: () => move(commandArguments),
  upgrade: () => upgrade(commandArguments),
  knowledge: () => runCommand(commandArguments),
}

if (command === undefined) await orExit(serve(), sentenceOfBuilding)
else if (Object.hasOwn(COMMANDS, command)) await orExit(COMMANDS[command]!(), sentenceOfBuilding)
else print({ output: `${unknownCommand(command)}\n`, exitCode: 2 })

function unknownCommand(name: string): string {
  if (name.startsWith('-'))
    return `Unknown option ${JSON.stringify(name)}: settings are environment variables, such as PORT=3000 npm start.`
  return `Unknown command: use one of ${Object.keys(COMMANDS).join(', ')}, or none to start the server.`
}

/** Starts the server. */
async function serve(): Promise<void> {
  const app = await orExit(createApp(readSettings(), { directories: DIRECTORIES, release: RELEASE }), sentenceOfBuilding)
  closeOnSignals(app.close)
  handleOtherSignals(app.reload)
  const address = await orExit(app.listen(), sentenceOfListening)
  process.stdout.write(`Parley is ready at ${address}\n`)
  for (const request of app.operatorRequests()) process.stdout.write(`${request}\n`)
  // Some 25 MB that loading has used, which V8 would keep. Node's types lack `last-resort`.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' } as never)
}

/** Runs `knowledge …`, also next to a running server. The first signal ends it gracefully. */
async function runCommand(args: readonly string[]): Promise<void> {
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

/** Runs `confirm-clock`, also next to a running server. */
async function confirmClock(): Promise<void> {
  const { confirmClock: confirm } = await import('./commands/confirm-clock.ts')
  process.stdout.write(await confirm((await commandSettings()).database, Date.now()))
}

/** Runs `stop-answering …`, also next to a running server. */
async function stopAnswering(args: readonly string[]): Promise<void> {
  const [{ stopAnswering: run }, { openAudit }] = await Promise.all([import('./commands/stop-answering.ts'), import('./app/open-audit.ts')])
  const settings = await commandSettings()
  print(await run(args, settings.database, Date.now(), await openAudit(settings)))
}

/** Runs `staff …`, also next to a running server. */
async function staff(args: readonly string[]): Promise<void> {
  const [{ runStaffCommand }, { openAudit }] = await Promise.all([import('./commands/staff-command.ts'), import('./app/open-audit.ts')])
  const settings = await commandSettings()
  const write = (text: string) => void process.stdout.write(text)
  const { database, console: chosen } = settings
  const consoleOrigin = chosen && consoleOriginOf(chosen)
  print(await runStaffCommand(args, { database, audit: await openAudit(settings), consoleOrigin, now: Date.now, write }))
}

/** Runs `export-config …`, also next to a running server. */
async function exportConfig(args: readonly string[]): Promise<void> {
  const { exportConfig: run } = await import('./commands/config-files/export-config.ts')
  print(await run(args, (await commandSettings()).database, Date.now()))
}

/** Runs `import-config …`, also next to a running server. */
async function importConfig(args: readonly string[]): Promise<void> {
  const { runImport } = await import('./commands/config-files/run-import.ts')
  print(await runImport(args, await commandSettings()))
}

/** Runs `doctor …`, also next to a running server. */
async function doctor(args: readonly string[]): Promise<void> {
  const { runDoctor } = await import('./commands/doctor/run-doctor.ts')
  print(await runDoctor(args, readSettings))
}

/** Runs `status`, also next to a running server. */
async function status(): Promise<void> {
  const { readStatus } = await import('./commands/status.ts')
  print(await readStatus(await commandSettings(), RELEASE))
}

/** Runs `backup …`, also next to a running server. */
async function backup(args: readonly string[]): Promise<void> {
  const { runBackup } = await import('./commands/backup/run-backup.ts')
  print(await runBackup(args, await backupContext()))
}

/** Runs `restore …`, while no server runs. */
async function restore(args: readonly string[]): Promise<void> {
  const { runRestore } = await import('./commands/backup/run-restore.ts')
  print(await runRestore(args, await backupContext()))
}

/** Runs `move …`, while no server runs. */
async function move(args: readonly string[]): Promise<void> {
  const { runMove } = await import('./commands/backup/run-move.ts')
  print(await runMove(args, await backupContext()))
}

/** Runs `upgrade …`, also next to a running server. */
async function upgrade(args: readonly string[]): Promise<void> {
  const { runUpgrade } = await import('./commands/backup/run-upgrade.ts')
  print(await runUpgrade(args, await backupContext()))
}

async function backupContext() {
  const { askSecret } = await import('./commands/backup/ask-secret.ts')
  const report = (line: string) => void process.stderr.write(`${line}\n`)
  return { settings: await commandSettings(), release: RELEASE, now: Date.now, ask: askSecret, report }
}

/** The settings, for a command of the user that owns the data folder. */
async function commandSettings() {
  const settings = readSettings()
  const { assertOwner } = await import('./commands/operator-command.ts')
  await assertOwner(settings.dataDirectory)
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
const LAST_RESORT_MS = 25_000

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

/** SIGHUP reloads files. SIGUSR1 would open Node's inspector, and SIGUSR2 would end the process. */
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
    return `The data folder cannot be written (${code}, ${path}): set DATA_DIR to a folder that this user may write.`
  }
  if (code === 'ERR_SQLITE_ERROR') return `The database in the data folder cannot be opened (${message}): check DATA_DIR.`
  return unexpected(error)
}

function unexpected(error: Fault): string {
  return `Parley could not go on: ${error.stack ?? String(error)}`
}
