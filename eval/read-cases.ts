import { type Case, checkCases } from '../src/server/insights/evaluation/cases.ts'

/** Invalid set. The message lists every mistake with its file and line. */
export class SetError extends Error {}

/** Reads a set as `checkCases` does. @throws {SetError} */
export function readCases(text: string, file = 'cases.yaml'): Case[] {
  const { cases, mistakes } = checkCases(text)
  if (mistakes.length > 0) throw new SetError(mistakes.map(({ line, message }) => `${file}:${line}: ${message}`).join('\n'))
  return cases
}
