import { execFile } from 'node:child_process'
import { SERVER_ARGUMENTS } from '../../scripts/server-command.mjs'

/** Runs a command of the built server. Resolves with its exit code and both streams. */
export function runOperatorCommand(env: Record<string, string>, args: string[]): Promise<{ code: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  execFile(process.execPath, [...SERVER_ARGUMENTS, ...args], { env }, (error, stdout, stderr) =>
    resolve({ code: error === null ? 0 : Number(error.code), output: stderr + stdout }),
  )
  return promise
}
