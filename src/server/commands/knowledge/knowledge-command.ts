import type { Settings } from '../../config/config.ts'
import { readLeftOut } from '../../knowledge/files/left-out.ts'
import { runSourceCommand, SOURCE_COMMANDS, SOURCE_USAGE } from '../../knowledge/websites/source-commands.ts'

export interface CommandContext {
  settings: Settings
  write: (text: string) => void
  signal: AbortSignal
}

/** Runs `npm run knowledge -- …`; resolves with the exit code. */
export async function runKnowledgeCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const [command, ...options] = args
  const sourceCommand = SOURCE_COMMANDS.find((name) => name === command)
  if (sourceCommand === 'status' && options.length === 0)
    for (const problem of await readLeftOut(context.settings.dataDirectory)) context.write(`${problem}\n`)
  if (sourceCommand) return runSourceCommand(sourceCommand, options, { ...context, now: Date.now })
  context.write(SOURCE_USAGE)
  return command === undefined || command === '--help' ? 0 : 2
}
