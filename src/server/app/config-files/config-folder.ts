import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { APPROVED_FOLDER } from '../../../contract/approved-folder.ts'
import { ManagedAgentId, MAX_AGENT_CHARACTERS } from '../../../contract/staff/agents.ts'
import { type ApprovedDraft, ApprovedAnswerId } from '../../../contract/staff/approved-answers.ts'
import { type KnownNames, readDefinition } from '../../agent/definition/read-definition.ts'
import { readAgentCases } from '../../console/agent-cases.ts'
import { readRegularFile, readTextFile } from '../../knowledge/sources/read-regular-file.ts'
import { draftOfAnswer } from '../../policy/approved/check-approved-draft.ts'
import { readApprovedAnswer } from '../../policy/approved/read-approved-answer.ts'
import { readUpload } from '../../sources/uploads/read-upload.ts'
import type { NewVersion, UploadFacts } from '../../store/uploads.ts'

/** Names within a folder of the configuration. Agents and knowledge are read by the server as they are. */
export const AGENTS = 'agents'
export const CASES = 'cases'
export const KNOWLEDGE = 'knowledge'
export const DOCUMENTS = 'documents.json'

const MAX_TEXT_BYTES = 256 * 1024
const MAX_FILES = 1_000

/** What is said about a document, which its file doesn't contain. */
export const DocumentEntry = z.strictObject({
  name: z.string().regex(/^(?!\.)[^/\\\0]{1,200}$/, 'must be the name of a file in knowledge'),
  owner: z.string().min(1).max(1_000),
  title: z.string().max(1_000).nullable(),
  language: z.string().max(100).nullable(),
  validUntil: z.iso.date().nullable(),
})
export type DocumentEntry = z.infer<typeof DocumentEntry>

export interface Config {
  agents: { id: string; text: string; cases: string }[]
  approved: { id: string; draft: ApprovedDraft }[]
  documents: { name: string; facts: UploadFacts; version: NewVersion }[]
}

export interface FolderOptions {
  known: KnownNames
  /** Bytes of a document. */
  maxDocumentBytes: number
  now: number
}

/** Reads and checks a folder. `mistakes` are sentences that name the file and line; nothing may be imported if there are any. */
export async function readConfigFolder(folder: string, options: FolderOptions): Promise<{ config: Config; mistakes: string[] }> {
  const mistakes: string[] = []
  const report = (file: string, line: number, message: string) => mistakes.push(`${file}, line ${line}: ${message}`)
  const agents = await readAgents(folder, options, report)
  const approved = await readApproved(folder, report)
  const documents = await readDocuments(folder, options, report)
  return { config: { agents, approved, documents }, mistakes }
}

type Report = (file: string, line: number, message: string) => void

/** The names of files in a folder; none without it. */
async function namesIn(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .filter((name) => name.toLowerCase().endsWith(ending) && !name.startsWith('.'))
    .toSorted()
    .slice(0, MAX_FILES)
}

async function textOf(folder: string, file: string, report: Report): Promise<string | null> {
  return readTextFile(join(folder, file), MAX_TEXT_BYTES).catch(() => {
    report(file, 1, 'cannot be read')
    return null
  })
}

async function readAgents(folder: string, { known }: FolderOptions, report: Report): Promise<Config['agents']> {
  const files = await namesIn(join(folder, AGENTS), '.md')
  const agents: Config['agents'] = []
  for (const name of files) {
    const file = `${AGENTS}/${name}`
    const text = await textOf(folder, file, report)
    if (text === null) continue
    const reading = readDefinition(name, text, { ...known, files: await readdir(join(folder, AGENTS)) })
    for (const { line, message } of reading.mistakes) report(file, line, message)
    if (text.length > MAX_AGENT_CHARACTERS) report(file, 1, `has more than ${MAX_AGENT_CHARACTERS} characters`)
    if (reading.kind === 'mistaken') continue
    const { id } = reading.definition
    if (!ManagedAgentId.safeParse(id).success) report(file, 1, `"${id}" can't be the id of a managed agent`)
    if (agents.some((other) => other.id === id)) report(file, 1, `id "${id}" is that of another file`)
    agents.push({ id, text, cases: '' })
  }
  return readCases(folder, agents, report)
}

async function readCases(folder: string, agents: Config['agents'], report: Report): Promise<Config['agents']> {
  const byAgent = new Map<string, string>()
  for (const name of await namesIn(join(folder, CASES), '.yaml')) {
    const file = `${CASES}/${name}`
    const id = name.slice(0, -'.yaml'.length)
    const text = await textOf(folder, file, report)
    if (!agents.some((agent) => agent.id === id)) report(file, 1, `there is no agent "${id}" in ${AGENTS}`)
    for (const { line, message } of readAgentCases(id, text ?? '').mistakes) report(file, line, message)
    byAgent.set(id, text ?? '')
  }
  return agents.map((agent) => ({ ...agent, cases: byAgent.get(agent.id) ?? '' }))
}

async function readApproved(folder: string, report: Report): Promise<Config['approved']> {
  const approved: Config['approved'] = []
  for (const name of await namesIn(join(folder, KNOWLEDGE, APPROVED_FOLDER), '.md')) {
    const file = `${KNOWLEDGE}/${APPROVED_FOLDER}/${name}`
    const id = name.slice(0, -'.md'.length)
    if (!ApprovedAnswerId.safeParse(id).success) report(file, 1, `"${id}" can't be the id of a managed answer`)
    const text = await textOf(folder, file, report)
    if (text === null) continue
    const reading = readApprovedAnswer(`${APPROVED_FOLDER}/${name}`, text)
    if (reading.kind === 'read') approved.push({ id, draft: draftOfAnswer(reading.answer) })
    else for (const { line, message } of reading.mistakes) report(file, line, message)
  }
  return approved
}

async function readDocuments(folder: string, { maxDocumentBytes, now }: FolderOptions, report: Report): Promise<Config['documents']> {
  if (!(await namesIn(folder, DOCUMENTS)).includes(DOCUMENTS)) return []
  const entries = documentEntries((await textOf(folder, DOCUMENTS, report)) ?? '')
  if (!entries) {
    report(DOCUMENTS, 1, 'must be a list of documents, each with name, owner, title, language and validUntil')
    return []
  }
  const documents: Config['documents'] = []
  for (const { name, owner, title, language, validUntil } of entries) {
    const file = `${KNOWLEDGE}/${name}`
    const content = await readRegularFile(join(folder, file), maxDocumentBytes).catch(() => null)
    const read = content && (await readUpload({ name, content }, now))
    if (read?.kind === 'read') documents.push({ name, facts: { owner, title, language, valid_until: validUntil }, version: read.version })
    else report(file, 1, read?.reason ?? 'cannot be read, or is too large')
  }
  return documents
}

function documentEntries(text: string): DocumentEntry[] | null {
  try {
    return z.array(DocumentEntry).max(MAX_FILES).parse(JSON.parse(text))
  } catch {
    return null
  }
}
