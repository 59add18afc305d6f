import type { z } from 'zod'
import { PAGE_LANGUAGES } from '../../../../contract/page-languages.ts'
import { LINES_ABOVE, lowered, type PlacedMistake, readFrontMatter } from '../../../replies/front-matter.ts'
import { readPolicy } from '../../../replies/read-policy.ts'
import { type AgentDefinition, AgentHeader, BUILTIN, definitionOf, idOfFile } from './agent-definition.ts'

/** A mistake in an agent's file, for the operator. Names keys and no more of the content than a name. */
export interface Mistake extends PlacedMistake {
  file: string
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

/** `mistakes` of a definition that was read are about what is left out: mistakes in its policy, and what was removed. */
export type Reading = { kind: 'read'; definition: AgentDefinition; mistakes: Mistake[] } | { kind: 'mistaken'; mistakes: Mistake[] }

const REMOVED_TOOLS = {
  names: ['date_time', 'convert_units', 'web_search'],
  message: (name: string) => `the tool "${name}" was removed from Parley`,
}
/** Names that lists of earlier releases could have. */
const REMOVED = {
  choices: { names: ['instructions', 'thorough', 'web_search'], message: (name: string) => `"${name}" was removed` },
  tools: REMOVED_TOOLS,
  approval: REMOVED_TOOLS,
}

const MAX_MISTAKES = 10

/** Parses an agent's file: YAML front matter, then the instructions. Reports all mistakes of one kind at once. */
export function readDefinition(file: string, text: string, known: KnownNames): Reading {
  const front = readFrontMatter(text)
  if (front.kind === 'mistaken') return mistaken(file, front.mistakes)
  const { source, body: instructions, placed } = front
  const { value, removed } = withoutRemoved(front.value)
  const header = AgentHeader.safeParse(value)
  if (!header.success)
    return mistaken(
      file,
      header.error.issues.flatMap((issue) => headerMistakes(issue, placed)),
    )
  const { policy, mistakes: policyMistakes } = readPolicy(header.data.policy)
  const definition = definitionOf(file, header.data, policy, instructions)
  const mistakes = [
    ...nameMistakes(definition, known, placed),
    ...placeholderMistakes(source, known.placeholders),
    ...(instructions === ''
      ? [{ line: source.trimEnd().split('\n').length, key: 'instruction', message: 'has no instruction below the front matter' }]
      : []),
  ]
  if (mistakes.length > 0) return mistaken(file, mistakes)
  const left: PlacedMistake[] = policyMistakes.map(({ path, message }) => {
    const full = ['policy', ...path]
    const what = path[0] === 'handover' ? 'handover' : 'it'
    return { line: placed(full), key: 'policy', message: `${full.join('.')} ${lowered(message)}; ${what} is left out` }
  })
  const ofEarlier = removed.map(({ path, message }) => ({
    line: placed(path),
    key: String(path[0]),
    message: `${message}; it is left out`,
  }))
  return { kind: 'read', definition, mistakes: mistaken(file, [...ofEarlier, ...left]).mistakes }
}

/** Splits off what files of earlier releases could say. */
function withoutRemoved(value: unknown): { value: unknown; removed: { path: PropertyKey[]; message: string }[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, removed: [] }
  const { models, ...kept } = value as Record<string, unknown>
  const removed: ReturnType<typeof withoutRemoved>['removed'] = []
  if (models) removed.push({ path: ['models'], message: 'models was removed: name one model as `model`' })
  for (const [key, { names, message }] of Object.entries(REMOVED)) {
    const list = kept[key]
    if (!Array.isArray(list)) continue
    kept[key] = list.filter((name) => !names.includes(name as string))
    for (const [index, name] of (list as unknown[]).entries())
      if (names.includes(name as string)) removed.push({ path: [key, index], message: `${key}: ${message(String(name))}` })
  }
  return { value: kept, removed }
}

function mistaken(file: string, found: PlacedMistake[]): Extract<Reading, { kind: 'mistaken' }> {
  return { kind: 'mistaken', mistakes: found.slice(0, MAX_MISTAKES).map((mistake) => ({ file, ...mistake })) }
}

function headerMistakes(issue: z.core.$ZodIssue, placed: (path: PropertyKey[]) => number): PlacedMistake[] {
  if (issue.code === 'unrecognized_keys') {
    const mistake = issue.path.join('.') === 'languages' ? `is not one of ${PAGE_LANGUAGES.join(', ')}` : 'is no key of an agent'
    return issue.keys.map((key) => ({
      line: placed([...issue.path, key]),
      key: String(issue.path[0] ?? key),
      message: `${[...issue.path, key].join('.')} ${mistake}`,
    }))
  }
  const key = issue.path.join('.')
  const [top] = issue.path
  return [
    {
      line: placed(issue.path),
      ...(top !== undefined && { key: String(top) }),
      message: key === '' ? 'has no keys in its front matter' : `${key} ${lowered(issue.message)}`,
    },
  ]
}

function nameMistakes(definition: AgentDefinition, known: KnownNames, placed: (path: PropertyKey[]) => number): PlacedMistake[] {
  const { file, id, picture, tools, mcp, http, approval, readOnly } = definition
  const unknown = (key: string, names: readonly string[], among: readonly string[]) =>
    names.flatMap((name, index) =>
      among.includes(name)
        ? []
        : [
            {
              line: placed([key, index]),
              key,
              message: `${key}: "${name}" is not ${among.length > 0 ? `one of ${among.join(', ')}` : 'there, nor is any other'}`,
            },
          ],
    )
  const [servers, apis] = [mcp.map(ownerOf), http.map(ownerOf)]
  const mistakes: PlacedMistake[] = [
    ...unknown('tools', tools ?? [], known.tools),
    ...unknown('mcp', servers, known.mcpServers ?? servers),
    ...unknown('http', apis, known.apis ?? apis),
    ...unknown('readOnly', readOnly.map(ownerOf), known.mcpServers ?? readOnly.map(ownerOf)),
    // Only known names can be checked; servers and APIs that can't be read now may have the tool.
    ...unknown('approval', approval.map(ownerOf), [
      ...known.tools,
      ...(known.mcpServers ?? mcp.map(ownerOf)),
      ...(known.apis ?? http.map(ownerOf)),
    ]),
  ]
  if (!AgentHeader.shape.id.safeParse(id).success)
    mistakes.push({ line: LINES_ABOVE, key: 'id', message: `id is missing, and "${idOfFile(file)}" cannot be one` })
  if (picture !== null && !known.files.includes(picture))
    mistakes.push({ line: placed(['picture']), key: 'picture', message: 'picture names no file in the same folder' })
  return [...mistakes, ...modelMistakes(definition, known, placed)]
}

function modelMistakes(
  { model }: AgentDefinition,
  { hasProvider, lacksPrice }: KnownNames,
  placed: (path: PropertyKey[]) => number,
): PlacedMistake[] {
  if (model === null) return []
  const [line, key] = [placed(['model']), 'model']
  if (model !== BUILTIN && !hasProvider) return [{ line, key, message: `model can only be ${BUILTIN}: no provider of others is set` }]
  return lacksPrice(model) ? [{ line, key, message: `model: PRICES has no price of "${model}", and a budget needs it` }] : []
}

/** Server or API name of `owner` or `owner/tool`. */
function ownerOf(choice: string): string {
  return choice.split('/', 1)[0] ?? ''
}

function placeholderMistakes(source: string, known: readonly string[]): PlacedMistake[] {
  return [...source.matchAll(/\{\{(\w+)\}\}/g)].flatMap((match) =>
    known.includes(match[1] ?? '')
      ? []
      : [{ line: source.slice(0, match.index).split('\n').length, message: `{{${match[1]}}} is not one of ${known.join(', ')}` }],
  )
}
