import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import { ManagedAgentId, MAX_AGENT_CHARACTERS } from '../../../contract/staff/content/agents.ts'
import type { EmbedText } from '../../../contract/staff/content/embeds.ts'
import { type ApprovedDraft, ApprovedAnswerId } from '../../../contract/staff/content/approved-answers.ts'
import { type KnownNames, readDefinition } from '../../answering/agents/definition/read-definition.ts'
import { EMBEDS, embedTextOf, readEmbeds } from '../../config/embeds-file.ts'
import { readAgentCases } from '../../staff-api/agent-cases.ts'
import { readRegularFile, readTextFile } from '../../knowledge/files/read-regular-file.ts'
import { draftOfAnswer } from '../../replies/approved/check-approved-draft.ts'
import { readApprovedAnswer } from '../../replies/approved/read-approved-answer.ts'
import { readUpload } from '../../knowledge/uploads/read-upload.ts'
import type { NewVersion, UploadFacts } from '../../store/knowledge/managed-documents.ts'

/** Names within a folder of the configuration. Agents and knowledge are read by the server as they are. */
export const AGENTS = 'agents'
export const CASES = 'cases'
export const KNOWLEDGE = 'knowledge'
export const DOCUMENTS = 'documents.json'

const MAX_TEXT_BYTES = 256 * 1024
const MAX_FILES = 1_000

/** Facts about a document that its file doesn't contain. */
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
  embeds: { id: string; embed: EmbedText }[]
}

export interface FolderOptions {
  known: KnownNames
  maxDocumentBytes: number
  now: number
}

/** Reads and checks a folder. `mistakes` are sentences that name the file and line; nothing may be imported if there are any. */
export async function readConfigFolder(folder: string, options: FolderOptions): Promise<{ config: Config; mistakes: string[] }> {
  const mistakes: string[] = []
  const report: Report = (file, line, message) => mistakes.push(line === null ? `${file} ${message}` : `${file}, line ${line}: ${message}`)
  const agents = await readAgents(folder, options, report)
  const approved = await readApproved(folder, report)
  const documents = await readDocuments(folder, options, report)
  const embeds = readEmbedTexts(folder, mistakes)
  return { config: { agents, approved, documents, embeds }, mistakes }
}

/** Collects a mistake. `line`: `null` for one that concerns the whole file or folder. */
type Report = (file: string, line: number | null, message: string) => void

/** The names of files in a part of the folder; none without it. More files than can be imported are a mistake. */
async function namesIn(folder: string, part: string, ending: string, report: Report): Promise<string[]> {
  const all = await readdir(join(folder, part)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const names = all.filter((name) => name.toLowerCase().endsWith(ending) && !name.startsWith('.')).toSorted()
  if (names.length <= MAX_FILES) return names
  report(part, null, `has ${names.length} files ending in ${ending}; at most ${MAX_FILES} of a folder can be imported`)
  return []
}

async function textOf(folder: string, file: string, report: Report): Promise<string | null> {
  return readTextFile(join(folder, file), MAX_TEXT_BYTES).catch(() => {
    report(file, 1, 'cannot be read')
    return null
  })
}

async function readAgents(folder: string, { known }: FolderOptions, report: Report): Promise<Config['agents']> {
  const files = await namesIn(folder, AGENTS, '.md', report)
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
  for (const name of await namesIn(folder, CASES, '.yaml', report)) {
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
  const part = `${KNOWLEDGE}/${APPROVED_FOLDER}`
  for (const name of await namesIn(folder, part, '.md', report)) {
    const file = `${part}/${name}`
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

function readEmbedTexts(folder: string, mistakes: string[]): Config['embeds'] {
  const { embeds, mistakes: found } = readEmbeds(join(folder, AGENTS))
  mistakes.push(...found.map((mistake) => `${AGENTS}/${mistake}`))
  return [...embeds].map(([id, embed]) => {
    if (embed.languages) mistakes.push(`${AGENTS}/${EMBEDS}: ${id}.languages can't be imported: an embed of the console has one language`)
    return { id, embed: embedTextOf(embed) }
  })
}

async function readDocuments(folder: string, { maxDocumentBytes, now }: FolderOptions, report: Report): Promise<Config['documents']> {
  if (!(await readdir(folder)).includes(DOCUMENTS)) return []
  const entries = documentEntries((await textOf(folder, DOCUMENTS, report)) ?? '')
  if (!entries) {
    report(DOCUMENTS, 1, 'must be a list of documents, each with name, owner, title, language and validUntil')
    return []
  }
  if (entries.length > MAX_FILES) {
    report(DOCUMENTS, null, `lists ${entries.length} documents; at most ${MAX_FILES} can be imported`)
    return []
  }
  const documents: Config['documents'] = []
  for (const { name, ...facts } of entries) {
    const file = `${KNOWLEDGE}/${name}`
    const content = await readRegularFile(join(folder, file), maxDocumentBytes).catch(() => null)
    const read = content && (await readUpload({ name, content, usesOcr: false }, now))
    if (read?.kind === 'read') documents.push({ name, facts, version: read.version })
    else report(file, 1, read?.reason ?? 'cannot be read, or is too large')
  }
  return documents
}

function documentEntries(text: string): DocumentEntry[] | null {
  try {
    return z.array(DocumentEntry).parse(JSON.parse(text))
  } catch {
    return null
  }
}
