/**
 * Prepares this process for a model: it ends with the server, not by signals to the group, so answers can finish. An error of `onMessage`,
 * such as one of loading, ends it too, and is its last line of standard error.
 */
export function serveModel(onMessage: (message: unknown) => Promise<void>): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
  process.on('message', (message) => {
    onMessage(message).catch((error: unknown) => {
      process.stderr.write(`${describeError(error).replaceAll('\n', ' ')}\n`, () => process.exit(1))
    })
  })
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
