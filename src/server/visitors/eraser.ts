import { randomUUID } from 'node:crypto'
import { settledOrAborted } from '../../async/abort.ts'
import { NOT_DELETABLE } from '../../contract/receipt-labels.ts'
import type { ErasureReply, Receipt } from '../../contract/rights.ts'
import type { Access } from '../store/visitors/access.ts'
import { addCounts, type Counts, countRows, parentsOf, totalOf } from '../store/engine/table-ownership.ts'
import type { Database } from '../store/engine/database.ts'
import { removeDeletedText } from '../store/engine/deleted-text.ts'
import {
  eraseOwned,
  eraseSessions,
  expireSession,
  listOwnedFileIds,
  listOwnedSessionIds,
  listRunningTurns,
} from '../store/sessions/erasure.ts'
import { deleteDependentRows, firstBatch, weighSessions } from '../store/sessions/session-batches.ts'
import { findSession } from '../store/sessions/sessions.ts'
import { type Deletion, shareDeletion } from '../store/sessions/shared-deletions.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import type { ErasureLedger } from './erasure-ledger.ts'
import type { ReceiptSigner } from './receipts.ts'
import { MAX_ROWS } from './run-batches.ts'

/** Sessions deleted per transaction, if they have few rows. */
const BATCH_SESSIONS = 20
/** The visitor waits for the deletion, so the pauses are shorter than those of the purge. */
const PAUSE_FACTOR = 3
/** Waits this long for a turn to stop. Then its session is deleted anyway: its process may hang or be disconnected. */
const STOP_LIMIT_MS = 5_000

export interface EraserOptions {
  database: Database
  storage: 'sqlite' | 'postgres'
  installation: string
  modelProvider: string | null
  checkedBy: string | null
  receipts: ReceiptSigner
  ledger: Pick<ErasureLedger, 'record' | 'markApplied'>
  /** Stops a turn; resolves when it has ended. */
  stopTurn: (access: Access, turnId: string) => Promise<unknown>
  now: () => number
}

interface Erased {
  counts: Counts
  stopped: number
}

/** Deletes a visitor's data, verifies the deletion, and signs a receipt. */
export class Eraser {
  readonly #options: EraserOptions
  readonly #running = new Map<string, Promise<ErasureReply>>()

  constructor(options: EraserOptions) {
    this.#options = options
  }

  /** Deletes one session; `undefined` if the caller has no such session. */
  async session(access: Access, key: string): Promise<ErasureReply | undefined> {
    const session = await findSession(this.#options.database, access, key)
    return session ? this.#once('session', key, () => this.#erase(access, [key], MAX_ROWS)) : undefined
  }

  /** Deletes all sessions and keeps the visitor. */
  async sessions(access: Access): Promise<ErasureReply> {
    return this.#once('sessions', access.owner, () => this.#eraseAll(access))
  }

  /** Deletes all data of the caller, including the visitor. */
  async everything(access: Access): Promise<ErasureReply> {
    return this.#once('everything', access.owner, () => this.#eraseEverything(access))
  }

  /** Callers at the same time, at any process, share one deletion and its receipt. */
  #once(scope: Receipt['scope'], subject: string | null, erase: () => Promise<Erased>): Promise<ErasureReply> {
    const deleteAndFinish = async (earlier?: Deletion) => {
      const erased = await erase()
      return earlier && totalOf(erased.counts) === 0 ? earlier : this.#finish(erased)
    }
    const reply = async (deletion: Promise<Deletion>) => this.#receipt(scope, subject, await deletion)
    if (subject === null) return reply(deleteAndFinish())
    const what = `${scope} ${subject}`
    const { database, now } = this.#options
    const running =
      this.#running.get(what) ??
      reply(shareDeletion(database, { what, now, delete: deleteAndFinish })).finally(() => this.#running.delete(what))
    this.#running.set(what, running)
    return running
  }

  async #eraseEverything(access: Access): Promise<Erased> {
    const { owner } = access
    const sessions = await this.#eraseAll(access)
    if (owner !== null) {
      await this.#options.ledger.record('file', await listOwnedFileIds(this.#options.database, owner))
      await this.#options.ledger.record('visitor', [owner])
    }
    const owned = owner === null ? {} : await eraseOwned(this.#options.database, owner)
    // A prompt admitted before the deletion may have stored something since.
    const late = await this.#eraseAll(access)
    const counts = addCounts(addCounts(owned, sessions.counts), late.counts)
    return { counts, stopped: sessions.stopped + late.stopped }
  }

  async #eraseAll(access: Access): Promise<Erased> {
    // Names every kind of data in the receipt.
    let all: Erased = { counts: await eraseSessions(this.#options.database, []), stopped: 0 }
    const eraseNext = async (limit: number) => {
      const ids = access.owner === null ? [] : await listOwnedSessionIds(this.#options.database, access.owner, BATCH_SESSIONS)
      if (ids.length === 0) return 0
      const erased = await this.#erase(access, ids, limit)
      all = { counts: addCounts(all.counts, erased.counts), stopped: all.stopped + erased.stopped }
      return erased.rows
    }
    await deleteInBatches(this.#options.database, eraseNext, { pauseFactor: PAUSE_FACTOR })
    return all
  }

  /** Deletes the first of these sessions: as many as have up to `limit` rows together, or one with more. */
  async #erase(access: Access, sessionIds: string[], limit: number): Promise<Erased & { rows: number }> {
    const { database, ledger } = this.#options
    const batch = firstBatch(await weighSessions(database, sessionIds), limit)
    const ids = batch.map(({ id }) => id)
    await ledger.record('chat', ids)
    const stopped = ids.length === 0 ? 0 : await this.#stopTurns(access, ids)
    const [first] = batch
    const counts = first && first.rows > limit ? await this.#eraseInBatches(first.id) : await eraseSessions(database, ids)
    return { counts, stopped, rows: batch.reduce((sum, { rows }) => sum + rows, 1) }
  }

  /** Deletes a session with many rows. If this is interrupted, the next sweep deletes the rest. */
  async #eraseInBatches(id: string): Promise<Counts> {
    const { database } = this.#options
    await expireSession(database, id)
    const parents = await parentsOf(database, [id])
    const counts = await countRows(database, parents)
    await deleteInBatches(database, (limit) => deleteDependentRows(database, id, limit), { pauseFactor: PAUSE_FACTOR })
    await eraseSessions(database, [id])
    if (totalOf(await countRows(database, parents)) > 0) throw new Error('Rows are left after their deletion')
    return counts
  }

  async #stopTurns(access: Access, sessionIds: string[]): Promise<number> {
    const turns = await listRunningTurns(this.#options.database, sessionIds)
    const stopped = Promise.all(turns.map((turn) => this.#options.stopTurn(access, turn)))
    await settledOrAborted(stopped, AbortSignal.timeout(STOP_LIMIT_MS))
    return turns.length
  }

  async #finish({ counts, stopped }: Erased): Promise<Deletion> {
    const { database, ledger, now } = this.#options
    await ledger.markApplied(database)
    const isOverwritten = await removeDeletedText(database)
    return { id: randomUUID(), at: new Date(now()).toISOString(), counts, stopped, isOverwritten }
  }

  async #receipt(scope: Receipt['scope'], subject: string | null, deletion: Deletion): Promise<ErasureReply> {
    const { storage, installation, receipts } = this.#options
    const { id, at, counts, stopped, isOverwritten } = deletion
    const receipt: Receipt = {
      version: 1,
      id,
      installation,
      issuedAt: at,
      scope,
      subject,
      deleted: counts,
      stoppedAnswers: stopped,
      readBack: { remaining: 0, at },
      files: storage === 'postgres' ? 'left-to-the-database' : isOverwritten ? 'overwritten' : 'pending',
      outOfReach: this.#outOfReach(),
    }
    return { receipt, jws: await receipts.sign(receipt) }
  }

  #outOfReach(): Receipt['outOfReach'] {
    const { storage, modelProvider, checkedBy } = this.#options
    const beyond: Receipt['outOfReach'] = [NOT_DELETABLE.backups]
    if (storage === 'postgres') beyond.push(NOT_DELETABLE.database)
    if (modelProvider) beyond.push({ what: modelProvider, ...NOT_DELETABLE.model })
    if (checkedBy) beyond.push({ what: checkedBy, ...NOT_DELETABLE.checks })
    return beyond
  }
}
