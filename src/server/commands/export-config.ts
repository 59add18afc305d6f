import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { APPROVED_FOLDER } from '../../contract/chat/approved-folder.ts'
import { ApprovedDraft } from '../../contract/staff/content/approved-answers.ts'
import { EMBEDS } from '../config/embeds-file.ts'
import { isExpired } from '../knowledge/uploads/upload-mirror.ts'
import type { Database } from '../store/engine/database.ts'
import { type DatabaseSettings, openReader } from '../store/engine/open-database.ts'
import { listUploads, readVersion } from '../store/knowledge/managed-documents.ts'
import { APPROVED_ANSWERS, MANAGED_AGENTS, MANAGED_EMBEDS } from '../store/knowledge/managed-texts.ts'
import type { CommandResult } from './operator-command.ts'

/** Names within the folder, which the server reads as they are. */
const AGENTS = 'agents'
const CASES = 'cases'
const KNOWLEDGE = 'knowledge'

const USAGE = `Writes what staff manage in the console into a folder, also while the server runs.

  parley export-config <folder>    published agents with their cases, published approved answers, uploaded
                                   documents, embeds

AGENTS_DIR and KNOWLEDGE_DIR can name its folders agents and knowledge.
`

/** Runs `export-config …` with these arguments. The folder appears when it is complete. */
export async function exportConfig(args: readonly string[], settings: DatabaseSettings, now: number): Promise<CommandResult> {
  const [name, ...others] = args
  if (name === undefined || name.startsWith('-') || others.length > 0) return { output: USAGE, exitCode: 2 }
  const folder = resolve(name)
  if (!(await isFree(folder))) return { output: `${folder} is not empty: name a folder that doesn't exist yet.\n`, exitCode: 1 }
  const partial = `${folder}.partial-${process.pid}`
  await using database = await openReader(settings)
  try {
    await mkdir(join(partial, KNOWLEDGE, APPROVED_FOLDER), { recursive: true })
    for (const part of [AGENTS, CASES]) await mkdir(join(partial, part))
    const { agents, approved, documents, embeds, left } = await writeAll(database, partial, now)
    await rmdir(folder).catch(() => undefined)
    await rename(partial, folder)
    const rest = left === 0 ? '' : ` ${left} drafts that aren't published and documents that have expired are not in it.`
    const output = `Written to ${folder}: ${agents} agents, ${approved} approved answers, ${documents} documents, ${embeds} embeds.${rest}\n`
    return { output, exitCode: 0 }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Returns the counts of what it has written; `left` are without a publication, or expired. */
async function writeAll(database: Database, folder: string, now: number) {
  const today = new Date(now).toISOString().slice(0, 10)
  const [agents, answers, uploads, embeds] = await Promise.all([
    MANAGED_AGENTS.list(database),
    APPROVED_ANSWERS.list(database),
    listUploads(database),
    MANAGED_EMBEDS.list(database),
  ])
  const counts = { agents: 0, approved: 0, documents: 0, embeds: embeds.length }
  for (const { id, inForce, cases } of agents) {
    if (!inForce) continue
    counts.agents += 1
    await writeFile(join(folder, AGENTS, `${id}.md`), inForce.text)
    if (cases.text !== '') await writeFile(join(folder, CASES, `${id}.yaml`), cases.text)
  }
  for (const { id, inForce } of answers) {
    if (!inForce) continue
    counts.approved += 1
    await writeFile(join(folder, KNOWLEDGE, APPROVED_FOLDER, `${id}.md`), fileOf(ApprovedDraft.parse(JSON.parse(inForce.text))))
  }
  for (const upload of uploads) {
    const version = upload.isDraft || isExpired(upload, today) ? undefined : await readVersion(database, upload.id, upload.version)
    if (!version) continue
    counts.documents += 1
    await writeFile(join(folder, KNOWLEDGE, upload.name), version.bytes)
  }
  const texts = Object.fromEntries(embeds.map(({ id, draft }) => [id, JSON.parse(draft.text) as object]))
  if (embeds.length > 0) await writeFile(join(folder, AGENTS, EMBEDS), stringify(texts, { lineWidth: 0 }))
  const all = agents.length + answers.length + uploads.length
  return { ...counts, left: all - counts.agents - counts.approved - counts.documents }
}

function fileOf({ text, sourceTitle, sourceUrl, ...rest }: ApprovedDraft): string {
  const source = sourceUrl === '' ? sourceTitle : { title: sourceTitle, url: sourceUrl }
  return `---\n${stringify({ ...rest, source }, { lineWidth: 0 })}---\n\n${text.trim()}\n`
}
