import { createApp } from './app.ts'
import { readSettings, SettingsError } from './config.ts'

try {
  const app = await createApp(readSettings())
  process.stdout.write(`Parley is ready at ${await app.listen()}\n`)
  closeOnSignals(app.close)
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exit(1)
}

/** The first signal closes in good order, a second one ends at once. */
function closeOnSignals(close: () => Promise<void>): void {
  let closing = false
  const onSignal = () => {
    if (closing) process.exit(1)
    closing = true
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${sentenceOf(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** What went wrong at the start, as one sentence that says what to change. */
function sentenceOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  const { code, path, port, message } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what listens there, or set PORT to another one.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'HOST names no address of this machine: set it to 127.0.0.1 or 0.0.0.0.'
  if (code === 'EACCES' && port !== undefined) return `Port ${port} may not be used by this user: set PORT to one above 1023.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST') {
    return `The data folder cannot be written (${path}): set DATA_DIR to a folder that this user may write.`
  }
  if (code === 'ERR_SQLITE_ERROR') return `The database in the data folder cannot be opened (${message}): check DATA_DIR.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database in DATABASE_URL cannot be reached (${code}): check that it runs and that the name and the password are right.`
  }
  return `Parley could not start: ${error instanceof Error ? error.stack : String(error)}`
}
