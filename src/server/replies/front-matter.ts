import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?\n)?---[ \t]*(?:\n|$)/
/** The `---` line above the front matter. */
export const LINES_ABOVE = 1

/** A mistake at a line, 1-based. */
export interface PlacedMistake {
  line: number
  /** Top-level key of the front matter that it is about, or `instruction`. */
  key?: string
  message: string
}

/** A Markdown file with YAML above its body. `source` has unified line ends; `placed` returns the line of a key or list item. */
export type FrontMatter =
  | { kind: 'read'; value: unknown; source: string; body: string; placed: (path: PropertyKey[]) => number }
  | { kind: 'mistaken'; mistakes: PlacedMistake[] }

/** A key that may be missing or empty; `null` then. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? null)

/** A key that may be missing or empty, with a default. */
export const orElse = <Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) =>
  schema.nullish().transform((value): z.output<Schema> => value ?? fallback)

/** Splits a file into its front matter and its body. */
export function readFrontMatter(text: string): FrontMatter {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const front = FRONT_MATTER.exec(source)
  if (!front) return mistaken([{ line: 1, message: 'must begin with front matter between two lines of ---' }])
  const lines = new LineCounter()
  const document = parseDocument(front[1] ?? '', { lineCounter: lines, prettyErrors: true })
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) return mistaken(faults.map(yamlMistake))
  const value = plainValue(document)
  if (value === undefined) return mistaken([{ line: LINES_ABOVE + 1, message: 'may not use aliases of YAML' }])
  const placed = (path: PropertyKey[]) => LINES_ABOVE + lineOf(document, lines, path)
  return { kind: 'read', value, source, body: source.slice(front[0].length).trim(), placed }
}

/** A message of the schema in a sentence that begins with the key. */
export function lowered(message: string): string {
  return /^[A-Z][a-z]/.test(message) ? `is wrong: ${message.charAt(0).toLowerCase()}${message.slice(1)}` : message
}

function mistaken(mistakes: PlacedMistake[]): FrontMatter {
  return { kind: 'mistaken', mistakes }
}

function yamlMistake({ message, linePos }: { message: string; linePos?: readonly { line: number }[] | undefined }): PlacedMistake {
  // The library's message continues with an excerpt of the file.
  const sentence = message.split('\n', 1)[0]?.replace(/ at line \d+.*$/, '') ?? 'is not YAML'
  return { line: LINES_ABOVE + (linePos?.[0]?.line ?? 1), message: `is not YAML: ${sentence}` }
}

/** Rejects aliases, which could expand a short file into a huge one. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown
  } catch {
    return undefined
  }
}

/** Position of the key or list item at a path; for a missing one, where it should be. */
function lineOf(document: Document, lines: LineCounter, path: PropertyKey[]): number {
  const node = path.length === 0 ? document.contents : document.getIn(path.map(String), true)
  const parent = document.getIn(path.slice(0, -1).map(String), true) ?? document.contents
  const key = isMap(parent) ? parent.items.find((pair) => String(pair.key) === String(path.at(-1)))?.key : undefined
  const place = [key, node, parent].find((found) => isNode(found) && found.range != null)
  const offset = isNode(place) ? (place.range?.[0] ?? 0) : 0
  return Math.max(1, lines.linePos(offset).line)
}
