import type { StaffProblemCode } from '../../contract/staff/problems.ts'
import type { AuditAction } from '../../contract/staff/audit-actions.ts'
import type { AuditedParts } from '../staff/audit.ts'
import type { Database } from '../store/engine/database.ts'
import { type ManagedTexts, type NewPublication, type Publication, textHash } from '../store/knowledge/managed-texts.ts'
import type { RecordChange } from '../store/staff/audit-log.ts'

/** Why a change was rejected. */
export interface Rejection {
  rejected: StaffProblemCode | 'not_found'
  /** A sentence that says exactly why. */
  detail?: string
}

export type Outcome<Result = { done: true }> = Result | Rejection

/** A publication. `needsEvaluation`: agents with cases must have answered all of them right. */
export type Publishing = Omit<NewPublication, 'admit'> & { needsEvaluation: boolean }

/** Differences between the kinds of texts. */
export interface ManagedKind {
  texts: ManagedTexts
  /** First part of its actions in the audit log. */
  action: 'agent' | 'approved'
  problems: Readonly<Record<'taken' | 'too-many' | 'inForce', StaffProblemCode>>
  /** Why a text can't be put into force; `null` if it can. */
  rejectionOf: (id: string, text: string) => Promise<Rejection | null>
  /** Asked in the transaction of a publication, while no other is possible: the evaluation to store with it, or why it is rejected. */
  admit?: (transaction: Database, publication: Publishing) => Promise<Publication['evaluation'] | Rejection>
  /** Puts changes into force in this process now instead of within a second. */
  apply: () => Promise<void>
}

const DONE = { done: true } as const
const CHANGED_MEANWHILE: Rejection = { rejected: 'changed_meanwhile' }
const NOT_FOUND: Rejection = { rejected: 'not_found' }

/** The life of texts that staff manage: draft, publish, roll back, withdraw, delete. Each change is recorded in the audit log. */
export class ManagedLife {
  readonly #kind: ManagedKind
  readonly #options: AuditedParts

  constructor(kind: ManagedKind, options: AuditedParts) {
    this.#kind = kind
    this.#options = options
  }

  async create(text: { id: string; text: string }, by: string): Promise<Outcome> {
    const { database, now } = this.#options
    const { texts, problems } = this.#kind
    const outcome = await texts.insert(database, { ...text, by, at: now() }, this.#record(by, 'create', text.id))
    return outcome === 'inserted' ? DONE : { rejected: problems[outcome] }
  }

  async save(draft: { id: string; text: string; basedOn: number }, by: string): Promise<Outcome> {
    const { database, now } = this.#options
    const isSaved = await this.#kind.texts.saveDraft(database, { ...draft, by, at: now() }, this.#record(by, 'save-draft', draft.id))
    return isSaved ? DONE : this.#stale(draft.id)
  }

  /** Puts the draft into force. `anyway`: without a passed evaluation. */
  async publish(
    { id, revision, anyway }: { id: string; revision: number; anyway: boolean },
    by: string,
  ): Promise<Outcome<{ number: number }>> {
    const draft = (await this.#kind.texts.read(this.#options.database, id))?.draft
    if (!draft) return NOT_FOUND
    if (draft.revision !== revision) return CHANGED_MEANWHILE
    const action = anyway ? 'publish-anyway' : 'publish'
    return this.#putIntoForce({ id, text: draft.text, revision, restores: null, by, needsEvaluation: !anyway }, action)
  }

  /** Publishes an earlier version again. It is the way out of a bad one, whatever the cases say now. */
  async rollBack({ id, number }: { id: string; number: number }, by: string): Promise<Outcome<{ number: number }>> {
    const earlier = await this.#kind.texts.publication(this.#options.database, id, number)
    if (!earlier) return NOT_FOUND
    return this.#putIntoForce({ id, text: earlier.text, revision: null, restores: number, by, needsEvaluation: false }, 'roll-back')
  }

  async withdraw(id: string, by: string): Promise<Outcome> {
    if (!(await this.#kind.texts.withdraw(this.#options.database, id, this.#record(by, 'withdraw', id)))) return NOT_FOUND
    await this.#kind.apply()
    return DONE
  }

  async delete(id: string, by: string): Promise<Outcome> {
    const { texts, problems } = this.#kind
    const { database } = this.#options
    if (await texts.delete(database, id, this.#record(by, 'delete', id))) return DONE
    return (await texts.read(database, id)) ? { rejected: problems.inForce } : NOT_FOUND
  }

  async #putIntoForce(unstamped: Omit<Publishing, 'at'>, action: string): Promise<Outcome<{ number: number }>> {
    const publication = { ...unstamped, at: this.#options.now() }
    const { id, text, by } = publication
    const { texts, rejectionOf, apply } = this.#kind
    const rejection = await rejectionOf(id, text)
    if (rejection) return rejection
    let refused = null as Rejection | null
    const admit = async (transaction: Database) => {
      const verdict = (await this.#kind.admit?.(transaction, publication)) ?? null
      if (verdict === null || !('rejected' in verdict)) return verdict
      refused = verdict
      return false
    }
    const record = this.#record(by, action, `${id} ${textHash(text)}`)
    const number = await texts.publish(this.#options.database, { ...publication, admit }, record)
    if (number === undefined) return refused ?? this.#stale(id)
    await apply()
    return { number }
  }

  async #stale(id: string): Promise<Rejection> {
    return (await this.#kind.texts.read(this.#options.database, id)) ? CHANGED_MEANWHILE : NOT_FOUND
  }

  #record(actor: string, verb: string, target: string): RecordChange {
    const { audit, now } = this.#options
    const action = `${this.#kind.action}.${verb}` as AuditAction
    return (transaction) => audit.append(transaction, { at: now(), actor, action, target })
  }
}
