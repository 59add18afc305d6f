import { isDeepStrictEqual } from 'node:util'
import { ApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import type { KnownNames } from '../../answering/agents/definition/read-definition.ts'
import { Embed } from '../../config/embeds-file.ts'
import { type AuditAction, type AuditLog, OPERATOR } from '../../staff/audit.ts'
import { newDocumentId } from '../../staff/ids.ts'
import type { Database } from '../../store/engine/database.ts'
import { increaseVersion } from '../../store/engine/installation-facts.ts'
import { type DatabaseSettings, openReader } from '../../store/engine/open-database.ts'
import { publishAgent } from '../../store/knowledge/managed-agents.ts'
import { addVersion, changeFacts, insertUpload, listUploads, type UploadRoom } from '../../store/knowledge/managed-documents.ts'
import { APPROVED_ANSWERS, MANAGED_AGENTS, MANAGED_EMBEDS, type ManagedTexts, textHash } from '../../store/knowledge/managed-texts.ts'
import type { CommandResult } from '../operator-command.ts'
import { type Config, readConfigFolder } from './config-folder.ts'

const USAGE = `Takes a folder that parley export-config has written, or files of the same form, into the console, also while the server runs.

  parley import-config <folder>              saves agents and approved answers as drafts, and uploads documents
  parley import-config <folder> --publish    and publishes them, with the embeds, which are live at once

Everything is checked first, and all of it is imported or nothing. What the folder doesn't have stays as it is.
`

export interface ImportOptions {
  database: DatabaseSettings
  audit: AuditLog | null
  known: KnownNames
  uploads: { bytes: number; count: number; totalBytes: number }
  now: number
}

class NotImported extends Error {}

/** Ends the import unless a change was made: on PostgreSQL, somebody else may have saved since the row was read. */
function mustBeMade(isMade: boolean, what: string): void {
  if (!isMade) throw new NotImported(`Somebody has changed ${what} meanwhile: try again.`)
}

export async function importConfig(args: readonly string[], options: ImportOptions): Promise<CommandResult> {
  const [folder, flag, ...others] = args
  if (folder === undefined || folder.startsWith('-') || others.length > 0 || (flag !== undefined && flag !== '--publish'))
    return { output: USAGE, exitCode: 2 }
  const { audit, known, uploads, now } = options
  if (!audit)
    return { output: 'There is no installation key in DATA_DIR, which the audit log needs. Start the server once.\n', exitCode: 1 }
  const { config, mistakes } = await readConfigFolder(folder, { known, maxDocumentBytes: uploads.bytes, now })
  if (mistakes.length > 0) return { output: `${mistakes.join('\n')}\nNothing was imported.\n`, exitCode: 1 }
  await using database = await openReader(options.database, () => undefined)
  try {
    const changes = await database.transaction().execute(async (transaction) => {
      const importing = new Importing(transaction, audit, now)
      for (const agent of config.agents) await importing.agent(agent, flag !== undefined)
      for (const answer of config.approved) await importing.approved(answer, flag !== undefined)
      if (flag !== undefined) for (const embed of config.embeds) await importing.embed(embed)
      await importing.documents(config.documents, { count: uploads.count, bytes: uploads.totalBytes })
      return importing.changes
    })
    const { agents, approved, documents, embeds } = config
    const output = `Imported: ${agents.length} agents, ${approved.length} approved answers, ${documents.length} documents, ${embeds.length} embeds; ${changes} changes.\n`
    return { output, exitCode: 0 }
  } catch (error) {
    if (!(error instanceof NotImported)) throw error
    return { output: `${error.message} Nothing was imported.\n`, exitCode: 1 }
  }
}

/** Changes within one transaction; any that can't be made ends it. */
class Importing {
  readonly #database: Database
  readonly #audit: AuditLog
  readonly #now: number
  changes = 0

  constructor(transaction: Database, audit: AuditLog, now: number) {
    this.#database = transaction
    this.#audit = audit
    this.#now = now
  }

  async agent({ id, text, cases }: Config['agents'][number], isPublished: boolean): Promise<void> {
    const database = this.#database
    await this.#draft(MANAGED_AGENTS, 'agent', id, text)
    const before = await MANAGED_AGENTS.read(database, id)
    if (before && before.cases.text !== cases && cases !== '') {
      const { revision: basedOn } = before.cases
      const saved = { id, text: cases, basedOn, by: OPERATOR, at: this.#now }
      const isSaved = await MANAGED_AGENTS.saveCases(database, saved, this.#record('agent.save-cases', `${id} ${textHash(cases)}`))
      mustBeMade(isSaved, `the cases of ${id}`)
    }
    if (!isPublished || before?.inForce?.text === text) return
    const { revision = null } = before?.draft ?? {}
    // Cases that the folder lacks stay. The operator publishes without an evaluation, as an owner may.
    const hasCases = cases !== '' || (before?.cases.text ?? '') !== ''
    const action = hasCases ? 'agent.publish-anyway' : 'agent.publish'
    const publication = { id, text, revision, restores: null, needsEvaluation: false, by: OPERATOR, at: this.#now }
    const { kind } = await publishAgent(database, publication, this.#record(action, `${id} ${textHash(text)}`))
    mustBeMade(kind === 'published', `the agent ${id}`)
  }

  async approved({ id, draft }: Config['approved'][number], isPublished: boolean): Promise<void> {
    const before = await APPROVED_ANSWERS.read(this.#database, id)
    const same = before && isDeepStrictEqual(ApprovedDraft.parse(JSON.parse(before.draft.text)), draft)
    const text = same ? before.draft.text : JSON.stringify(draft)
    await this.#draft(APPROVED_ANSWERS, 'approved', id, text)
    if (!isPublished || before?.inForce?.text === text) return
    const publication = { id, text, revision: null, restores: null, by: OPERATOR, at: this.#now }
    const record = this.#record('approved.publish', `${id} ${textHash(text)}`)
    const number = await APPROVED_ANSWERS.publish(this.#database, publication, record)
    mustBeMade(number !== undefined, `the approved answer ${id}`)
  }

  async embed({ id, embed }: Config['embeds'][number]): Promise<void> {
    const before = await MANAGED_EMBEDS.read(this.#database, id)
    if (before && isDeepStrictEqual(Embed.parse(JSON.parse(before.draft.text)), Embed.parse(embed))) return
    const saved = { id, text: JSON.stringify(embed), by: OPERATOR, at: this.#now }
    const record = async (transaction: Database) => {
      await increaseVersion(transaction, MANAGED_EMBEDS.version)
      await this.#record('embed.save', id)(transaction)
    }
    const basedOn = before?.draft.revision
    if (basedOn !== undefined)
      return mustBeMade(await MANAGED_EMBEDS.saveDraft(this.#database, { ...saved, basedOn }, record), `the embed ${id}`)
    const outcome = await MANAGED_EMBEDS.insert(this.#database, saved, record)
    if (outcome === 'too-many') throw new NotImported('There are too many embeds.')
    mustBeMade(outcome === 'inserted', `the embed ${id}`)
  }

  async documents(documents: Config['documents'], room: UploadRoom): Promise<void> {
    const database = this.#database
    const existing = documents.length === 0 ? [] : await listUploads(database)
    for (const { name, facts, version } of documents) {
      const upload = existing.find((one) => one.name === name)
      if (!upload) {
        const id = newDocumentId()
        const outcome = await insertUpload(database, { id, name, ...facts }, version, { room, ...this.#author('document.upload', id) })
        if (outcome === 'full') throw new NotImported(`There is no room for the document ${name}.`)
        mustBeMade(outcome === 'stored', `the document ${name}`)
        continue
      }
      const { id, owner, title, language, validUntil } = upload
      let base = upload.revision
      if (!isDeepStrictEqual({ owner, title, language, validUntil }, facts)) {
        const change = { id, base, ...this.#author('document.edit', id) }
        mustBeMade((await changeFacts(database, change, facts)) === 'changed', `the document ${name}`)
        base += 1
      }
      if (upload.hash === version.hash) continue
      const outcome = await addVersion(database, { id, base, ...this.#author('document.replace', id) }, version, { room })
      if (outcome === 'full') throw new NotImported(`There is no room for the document ${name}.`)
      mustBeMade(outcome === 'changed', `the document ${name}`)
    }
  }

  async #draft(texts: ManagedTexts, kind: 'agent' | 'approved', id: string, text: string): Promise<void> {
    const saved = { id, text, by: OPERATOR, at: this.#now }
    const before = await texts.read(this.#database, id)
    if (before?.draft.text === text) return
    if (before) {
      const basedOn = before.draft.revision
      mustBeMade(await texts.saveDraft(this.#database, { ...saved, basedOn }, this.#record(`${kind}.save-draft`, id)), id)
      return
    }
    const outcome = await texts.insert(this.#database, saved, this.#record(`${kind}.create`, id))
    if (outcome === 'too-many') throw new NotImported(`There are too many ${kind === 'agent' ? 'managed agents' : 'approved answers'}.`)
    mustBeMade(outcome === 'inserted', id)
  }

  #author(action: AuditAction, target: string) {
    return { by: OPERATOR, at: this.#now, record: this.#record(action, target) }
  }

  #record(action: AuditAction, target: string) {
    return async (transaction: Database) => {
      this.changes += 1
      await this.#audit.append(transaction, { at: this.#now, actor: OPERATOR, action, target })
    }
  }
}
