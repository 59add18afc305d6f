import { parseArgs } from 'node:util'
import type { Settings } from '../../config/config.ts'
import { readLeftOut } from '../../knowledge/files/left-out.ts'
import { addSource } from '../../knowledge/websites/add-source.ts'
import { runSourceCommand, SOURCE_COMMANDS, SOURCE_USAGE } from '../../knowledge/websites/source-commands.ts'
import { SourceActionError } from '../../knowledge/websites/source-lease.ts'

export interface CommandContext {
  settings: Settings
  write: (text: string) => void
  signal: AbortSignal
}

export async function runKnowledgeCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const [command, ...options] = args
  if (command === 'add') return addWebsites(options, context)
  const sourceCommand = SOURCE_COMMANDS.find((name) => name === command)
  if (sourceCommand === 'status' && options.length === 0)
    for (const problem of await readLeftOut(context.settings.dataDirectory)) context.write(`${problem}\n`)
  if (sourceCommand) return runSourceCommand(sourceCommand, options, { ...context, now: Date.now })
  context.write(SOURCE_USAGE)
  return command === undefined || command === '--help' ? 0 : 2
}

async function addWebsites(args: readonly string[], context: CommandContext): Promise<number> {
  const { write, signal, settings } = context
  const options = { id: { type: 'string' }, private: { type: 'boolean' } } as const
  try {
    const { values, positionals: addresses } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (addresses.length === 0) throw new SourceActionError('Name the website: parley knowledge add <address>...')
    const network = values.private ? 'private' : 'public'
    const { knowledgeDirectory } = settings
    const id = await addSource({ addresses, id: values.id, network }, { knowledgeDirectory, write, signal })
    // Whether a server reads it already, or isn't there yet, it is added.
    await runSourceCommand('sync', [id], { ...context, now: Date.now })
    return 0
  } catch (error) {
    const isMistake = error instanceof SourceActionError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    if (!isMistake) throw error
    write(`${(error as Error).message}\n`)
    return 1
  }
}
