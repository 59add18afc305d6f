import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseDocument } from 'yaml'
import { type AgentDefinition, AgentHeader, definitionOf } from '../src/server/answering/agents/definition/agent-definition.ts'
import { readPolicy } from '../src/server/replies/read-policy.ts'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---/
/** Id of the default agent, if it exists. */
const FIRST_ID = 'assistant'

/** The agents of a folder, the default one first. Omits files with mistakes, which the server reports. */
export function readAgents(directory: string): AgentDefinition[] {
  const files = readdirSync(directory).filter((name) => /^[^.].*\.md$/i.test(name))
  const agents = files.toSorted().flatMap((file) => readAgent(join(directory, file)) ?? [])
  return agents.toSorted((one, other) => Number(other.id === FIRST_ID) - Number(one.id === FIRST_ID))
}

/** The agent of a file; null if it is invalid. */
export function readAgent(path: string): AgentDefinition | null {
  const text = readFileSync(path, 'utf8')
  const front = FRONT_MATTER.exec(text)
  const header = AgentHeader.safeParse(front?.[1] === undefined ? null : parseDocument(front[1]).toJS())
  return header.success
    ? definitionOf(basename(path), header.data, readPolicy(header.data.policy).policy, text.slice(front?.[0].length).trim())
    : null
}

/** Copies a folder of agents and adds one, which replaces an agent with the same id. */
export function withAgent(directory: string, path: string, id: string): { directory: string; remove: () => void } {
  const copy = mkdtempSync(join(tmpdir(), 'parley-eval-agents-'))
  cpSync(directory, copy, { recursive: true })
  for (const { file } of readAgents(copy).filter((agent) => agent.id === id)) rmSync(join(copy, file))
  cpSync(path, join(copy, basename(path)))
  return { directory: copy, remove: () => rmSync(copy, { recursive: true, force: true }) }
}
