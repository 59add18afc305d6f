import { basename } from 'node:path'
import { z } from 'zod'
import { readTextFile } from '../../knowledge/files/read-regular-file.ts'
import { parseJson } from '../../../text/parse-json.ts'

const MAX_FILE_BYTES = 64 * 1024
const MAX_ENTRIES = 20
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/
/** `${NAME}`, a variable of the environment, as in files of other programs. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Reads an environment variable. */
export type Variable = (name: string) => string | undefined

/** The entries of a file of the operator's, by name. */
export interface NamedEntries<Entry> {
  /** Names of all entries in the file, invalid ones included; `null` if the file is unreadable. */
  names: string[] | null
  entries: Map<string, Entry>
  /** Problems of the file, for the operator; they name keys, never values. */
  problems: string[]
}

interface EntryForm<Value, Entry> {
  /** Key of the file that has the entries. */
  key: string
  schemaOf: (entry: unknown) => z.ZodType<Value>
  /** Makes an entry of its value; `null` after a problem for which it is left out. */
  read: (value: Value, report: (problem: string) => void) => Entry | null | Promise<Entry | null>
}

/**
 * Reads a file of the form `{[key]: {name: entry}}`, with variables of the environment in the texts of the entries. One with a mistake is left
 * out and reported; a missing file has none.
 */
export async function readNamedEntries<Value, Entry>(
  path: string,
  variable: Variable,
  { key, schemaOf, read }: EntryForm<Value, Entry>,
): Promise<NamedEntries<Entry>> {
  const fileName = basename(path)
  const text = await readTextFile(path, MAX_FILE_BYTES).catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error && text.code === 'ENOENT') return { names: [], entries: new Map(), problems: [] }
  if (text instanceof Error) return { names: null, entries: new Map(), problems: [`${fileName} cannot be read`] }
  const file = z.strictObject({ [key]: z.record(z.string(), z.unknown()) }).safeParse(parseJson(text))
  if (!file.success) return { names: null, entries: new Map(), problems: [`${fileName} must be JSON of the form {"${key}": {…}}`] }
  const listed = Object.entries(file.data[key] ?? {})
  const result: NamedEntries<Entry> = { names: listed.map(([name]) => name), entries: new Map(), problems: [] }
  for (const [name, entry] of listed) {
    const report = (problem: string) => result.problems.push(`${fileName}, ${JSON.stringify(name.slice(0, 40))}: ${problem}`)
    const { filled, missing } = fillIn(entry, variable)
    const value = schemaOf(entry).safeParse(filled)
    if (!NAME.test(name)) report('the name must be up to 32 letters, digits, - and _')
    else if (result.entries.size >= MAX_ENTRIES) report(`more than ${MAX_ENTRIES}; ignoring it`)
    else if (missing.length > 0) report(`${missing.join(', ')} is not set`)
    else if (!value.success)
      report(value.error.issues.map((issue) => `${issue.path.join('.') || 'the entry'} is wrong (${issue.code})`).join('; '))
    else {
      const made = await read(value.data, report)
      if (made !== null) result.entries.set(name, made)
    }
  }
  return result
}

/** Replaces `${NAME}` in all texts of a value from the environment, and returns the missing names. */
function fillIn(value: unknown, variable: Variable): { filled: unknown; missing: string[] } {
  const missing = new Set<string>()
  const filled = mapTexts(value, (text) =>
    text.replaceAll(VARIABLE, (_, name: string) => {
      const found = variable(name)
      if (found === undefined) missing.add(name)
      return found ?? ''
    }),
  )
  return { filled, missing: [...missing] }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
