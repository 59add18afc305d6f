import { parse } from 'yaml'
import { z } from 'zod'

/** What an answer to a prompt must have and must not. Words are compared without regard to capitals. */
export const Case = z.strictObject({
  prompt: z.string().min(1),
  agent: z.string().optional().describe('Whom to ask; the first agent unless told.'),
  source: z.string().optional().describe('A knowledge file that is among the sources, or `none`.'),
  tool: z.string().optional().describe('A tool that is used.'),
  contains: z.array(z.string()).optional().describe('Words that are all in the text.'),
  forbidden: z.array(z.string()).optional().describe('Words of which none is in the text.'),
})
export type Case = z.infer<typeof Case>

/** Reads cases from YAML. Throws for what is none, naming where. */
export function readCases(yaml: string): Case[] {
  const cases = z.array(Case).min(1).safeParse(parse(yaml))
  if (cases.success) return cases.data
  throw new Error(
    cases.error.issues.map(({ path, message }) => `case ${Number(path[0] ?? 0) + 1}: ${path.slice(1).join('.')} ${message}`).join('; '),
  )
}
