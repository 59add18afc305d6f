import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { type AgentDefinition, AgentHeader, BUILTIN, definitionOf, idOfFile } from './agent-definition.ts'

/** A mistake in an agent's file, for the operator. Names keys and no more of the content than a name. */
export interface Mistake {
  file: string
  /** 1-based. */
  line: number
  message: string
}

/** Names that an agent's file may use. */
export interface KnownNames {
  tools: readonly string[]
  /** `null` if unknown. */
  mcpServers: readonly string[] | null
  apis: readonly string[] | null
  placeholders: readonly string[]
  /** Files in the folder of the agents. */
  files: readonly string[]
  /** Whether the provider has models to choose from. */
  hasProvider: boolean
  /** Whether a budget is set and this model has no price. */
  lacksPrice: (model: string) => boolean
}

export type Reading = { kind: 'read'; definition: AgentDefinition } | { kind: 'mistaken'; mistakes: Mistake[] }

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?\n)?---[ \t]*(?:\n|$)/
/** The `---` line above the front matter. */
const LINES_ABOVE = 1
/** Most mistakes reported per file. */
const MAX_MISTAKES = 10

/** Parses an agent's file: YAML front matter, then the instructions. Reports all mistakes of one kind at once. */
export function readDefinition(file: string, text: string, known: KnownNames): Reading {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const front = FRONT_MATTER.exec(source)
  if (!front) return mistaken(file, [{ line: 1, message: 'must begin with front matter between two lines of ---' }])
  const lines = new LineCounter()
  const document = parseDocument(front[1] ?? '', { lineCounter: lines, prettyErrors: true })
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) return mistaken(file, faults.map(yamlMistake))
  const value = plainValue(document)
  if (value === undefined) return mistaken(file, [{ line: LINES_ABOVE + 1, message: 'may not use aliases of YAML' }])
  const header = AgentHeader.safeParse(value)
  const placed = (path: PropertyKey[]) => LINES_ABOVE + lineOf(document, lines, path)
  if (!header.success)
    return mistaken(
      file,
      header.error.issues.flatMap((issue) => headerMistakes(issue, placed)),
    )
  const instructions = source.slice(front[0].length).trim()
  const definition = definitionOf(file, header.data, instructions)
  const mistakes = [
    ...nameMistakes(definition, known, placed),
    ...placeholderMistakes(source, known.placeholders),
    ...(instructions === '' ? [{ line: source.trimEnd().split('\n').length, message: 'has no instruction below the front matter' }] : []),
  ]
  return mistakes.length > 0 ? mistaken(file, mistakes) : { kind: 'read', definition }
}

type Found = Omit<Mistake, 'file'>

function mistaken(file: string, found: Found[]): Reading {
  return { kind: 'mistaken', mistakes: found.slice(0, MAX_MISTAKES).map((mistake) => ({ file, ...mistake })) }
}

function yamlMistake({ message, linePos }: { message: string; linePos?: readonly { line: number }[] | undefined }): Found {
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

function headerMistakes(issue: z.core.$ZodIssue, placed: (path: PropertyKey[]) => number): Found[] {
  if (issue.code === 'unrecognized_keys') {
    const mistake = issue.path.join('.') === 'languages' ? `is not one of ${PAGE_LANGUAGES.join(', ')}` : 'is no key of an agent'
    return issue.keys.map((key) => ({ line: placed([...issue.path, key]), message: `${[...issue.path, key].join('.')} ${mistake}` }))
  }
  const key = issue.path.join('.')
  return [{ line: placed(issue.path), message: key === '' ? 'has no keys in its front matter' : `${key} ${lowered(issue.message)}` }]
}

function lowered(message: string): string {
  return /^[A-Z][a-z]/.test(message) ? `is wrong: ${message.charAt(0).toLowerCase()}${message.slice(1)}` : message
}

function nameMistakes(definition: AgentDefinition, known: KnownNames, placed: (path: PropertyKey[]) => number): Found[] {
  const { file, id, model, picture, tools, mcp, http, approval } = definition
  const unknown = (key: string, names: readonly string[], among: readonly string[]) =>
    names.flatMap((name, index) =>
      among.includes(name)
        ? []
        : [
            {
              line: placed([key, index]),
              message: `${key}: "${name}" is not ${among.length > 0 ? `one of ${among.join(', ')}` : 'there, nor is any other'}`,
            },
          ],
    )
  const [servers, apis] = [mcp.map(ownerOf), http.map(ownerOf)]
  const mistakes = [
    ...unknown('tools', tools ?? [], known.tools),
    ...unknown('mcp', servers, known.mcpServers ?? servers),
    ...unknown('http', apis, known.apis ?? apis),
    // Only known names can be checked; servers and APIs that can't be read now may have the tool.
    ...unknown('approval', approval.map(ownerOf), [
      ...known.tools,
      ...(known.mcpServers ?? mcp.map(ownerOf)),
      ...(known.apis ?? http.map(ownerOf)),
    ]),
  ]
  if (!AgentHeader.shape.id.safeParse(id).success)
    mistakes.push({ line: LINES_ABOVE, message: `id is missing, and "${idOfFile(file)}" cannot be one` })
  if (picture !== null && !known.files.includes(picture))
    mistakes.push({ line: placed(['picture']), message: 'picture names no file in the same folder' })
  if (model !== null && model !== BUILTIN && !known.hasProvider)
    mistakes.push({ line: placed(['model']), message: `model can only be ${BUILTIN}: no provider of others is set` })
  else if (model !== null && known.lacksPrice(model))
    mistakes.push({ line: placed(['model']), message: `model: PRICES has no price of "${model}", and a budget needs it` })
  return mistakes
}

/** Server or API name of `owner` or `owner/tool`. */
function ownerOf(choice: string): string {
  return choice.split('/', 1)[0] ?? ''
}

function placeholderMistakes(source: string, known: readonly string[]): Found[] {
  return [...source.matchAll(/\{\{(\w+)\}\}/g)].flatMap((match) =>
    known.includes(match[1] ?? '')
      ? []
      : [{ line: source.slice(0, match.index).split('\n').length, message: `{{${match[1]}}} is not one of ${known.join(', ')}` }],
  )
}
