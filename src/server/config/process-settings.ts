import { availableParallelism } from 'node:os'
import { z } from 'zod'

const MAX_PROCESSES = 32

/** Argument with which a process that shares the port is started. */
export const WORKER_ARGUMENT = 'worker'
/** Further argument of the one that has the staff console. */
export const CONSOLE_ARGUMENT = 'console'

export const PROCESS_ENVIRONMENT = {
  PROCESSES: z
    .string()
    .regex(/^(?:auto|[1-9]\d?)$/, 'must be auto or a whole number from 1')
    .refine((value) => value === 'auto' || Number(value) <= MAX_PROCESSES, `must be at most ${MAX_PROCESSES}`)
    .default('1')
    .describe('Server processes on this machine that share the port; `auto` runs one per core. More than one requires `DATABASE_URL`.'),
}

interface ProcessEnvironment {
  PROCESSES: string
  DATABASE_URL?: string | undefined
  MODEL?: string | undefined
  FALLBACK_MODEL?: string | undefined
  EMBEDDING_MODEL?: string | undefined
}

/** How many processes share the port. */
export function processCount({ PROCESSES }: ProcessEnvironment): number {
  return PROCESSES === 'auto' ? Math.min(MAX_PROCESSES, availableParallelism()) : Number(PROCESSES)
}

/** Mistakes in the combination of these settings. */
export function processMistakes(environment: ProcessEnvironment): string[] {
  if (environment.PROCESSES === '1') return []
  const mistakes: string[] = []
  if (!environment.DATABASE_URL) mistakes.push('PROCESSES needs DATABASE_URL, because the embedded database is for one process')
  for (const name of ['MODEL', 'FALLBACK_MODEL', 'EMBEDDING_MODEL'] as const)
    if (environment[name] === 'local') mistakes.push(`PROCESSES must be 1 with ${name}=local, because each process would run a model`)
  return mistakes
}
