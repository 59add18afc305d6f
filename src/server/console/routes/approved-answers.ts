import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import {
  AnyApprovedAnswerId,
  ApprovedAnswerChanged,
  ApprovedAnswerId,
  ApprovedAnswerList,
  ApprovedAnswerPublished,
  ApprovedAnswerView,
  ApprovedDraft,
  ApprovedDraftToCheck,
  ApprovedDraftToSave,
  type ApprovedState,
  CheckedApprovedDraft,
  type ManagedApprovedAnswer,
  NewApprovedAnswer,
  PublishApprovedAnswer,
  RestoreApprovedAnswer,
} from '../../../contract/staff/approved-answers.ts'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { reject } from '../../http/problems.ts'
import type { Server } from '../../http/server.ts'
import { fileOfAnswer } from '../../policy/approved/approved-answers.ts'
import { draftOfAnswer } from '../../policy/approved/check-approved-draft.ts'
import type { AuditAction } from '../../staff/audit.ts'
import { APPROVED_ANSWERS } from '../../store/approved-answers.ts'
import type { Database } from '../../store/database.ts'
import { type ManagedText, textHash } from '../../store/managed-texts.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleApprovedAnswers, ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readStaffNames } from '../staff-names.ts'

const PATH = '/api/staff/v1/approved-answers'
const querystring = z.strictObject({})
const params = z.object({ id: ApprovedAnswerId })
const tags = ['approved answers']
const changed = { changed: true as const }

/** Approved answers that staff manage, and those of files, which are only read. */
export function approvedAnswerRoutes(app: Server, options: ConsoleRouteOptions): void {
  listRoute(app, options)
  answerRoute(app, options)
  draftRoutes(app, options)
  publicationRoutes(app, options)
  removalRoutes(app, options)
}

function recordIn({ audit, now }: ConsoleRouteOptions) {
  return (actor: string, action: AuditAction, target: string) => (transaction: Database) =>
    audit.append(transaction, { at: now(), actor, action, target })
}

function stateOf(
  { stateOf: stateInForce }: ConsoleApprovedAnswers,
  { id, published }: Pick<ManagedText, 'id' | 'published'>,
): ApprovedState {
  return published === null ? 'draft' : stateInForce(id)
}

const contentOf = (text: string) => ApprovedDraft.parse(JSON.parse(text))
/** The path below the folder without the ending. */
const idOfFile = (file: string) => file.replace(/^approved\//, '').replace(/\.md$/i, '')

function listRoute(app: Server, { database, approvedAnswers }: ConsoleRouteOptions): void {
  app.get(
    PATH,
    {
      schema: { summary: 'List approved answers', tags, querystring, response: { 200: ApprovedAnswerList, default: StaffProblem } },
      config: { staff: 'read-knowledge' },
    },
    async () => {
      const [managed, published] = await Promise.all([APPROVED_ANSWERS.list(database), APPROVED_ANSWERS.published(database)])
      const inForce = new Map(published.map(({ id, text }) => [id, text]))
      return {
        managed: managed.map(({ id, draft, published: number }) => {
          const { question, owner, validUntil } = contentOf(draft.text)
          const hiddenBy = approvedAnswers.hiddenBy(id)
          const state = stateOf(approvedAnswers, { id, published: number })
          return { id, question, owner, validUntil, published: number, hasChanges: inForce.get(id) !== draft.text, state, hiddenBy }
        }),
        files: approvedAnswers.files().map(({ file, answer, state, problems }) => ({
          id: idOfFile(file),
          file,
          question: answer?.matches[0] ?? null,
          validUntil: answer?.validUntil ?? null,
          state,
          problems,
        })),
      }
    },
  )
}

function answerRoute(app: Server, { database, approvedAnswers, now }: ConsoleRouteOptions): void {
  app.get(
    `${PATH}/:id`,
    {
      schema: {
        summary: 'Retrieve an approved answer',
        tags,
        querystring,
        params: z.object({ id: AnyApprovedAnswerId }),
        response: { 200: ApprovedAnswerView, default: StaffProblem },
      },
      config: { staff: 'read-knowledge' },
    },
    async (request, reply) => {
      const { id } = request.params
      const managed = await APPROVED_ANSWERS.read(database, id)
      const file = approvedAnswers
        .files()
        .find((one) => idOfFile(one.file) === id || (managed && one.file === approvedAnswers.hiddenBy(id)))
      if (!file && !managed) return reject(reply, 'not_found')
      return {
        managed: managed ? await viewOf(managed) : null,
        file: file ? { file: file.file, content: file.answer && draftOfAnswer(file.answer), problems: file.problems } : null,
        agents: [...approvedAnswers.givers()],
      }
    },
  )

  async function viewOf({ id, draft, published }: ManagedText): Promise<ManagedApprovedAnswer> {
    const content = contentOf(draft.text)
    const [publications, nameOf, problems] = await Promise.all([
      APPROVED_ANSWERS.publications(database, id),
      readStaffNames(database, now()),
      approvedAnswers.check(id, content),
    ])
    const at = (time: number) => new Date(time).toISOString()
    return {
      id,
      file: fileOfAnswer(id),
      hiddenBy: approvedAnswers.hiddenBy(id),
      state: stateOf(approvedAnswers, { id, published }),
      draft: { content, revision: draft.revision, by: nameOf(draft.by), at: at(draft.at), problems },
      published,
      publications: publications.map(({ by, at: time, text, ...publication }) => ({
        ...publication,
        content: contentOf(text),
        by: nameOf(by),
        at: at(time),
      })),
    }
  }
}

function draftRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, approvedAnswers, now } = options
  const record = recordIn(options)

  app.post(
    PATH,
    {
      schema: {
        summary: 'Create an approved answer',
        tags,
        querystring,
        body: NewApprovedAnswer,
        response: { 200: ApprovedAnswerChanged, default: StaffProblem },
      },
      config: { staff: 'change-knowledge' },
    },
    async (request, reply) => {
      const { id, content } = request.body
      const by = staffOf(request).member.id
      const draft = { id, text: JSON.stringify(content), by, at: now() }
      const outcome = await APPROVED_ANSWERS.insert(database, draft, record(by, 'approved.create', id))
      if (outcome === 'taken') return rejectStaff(reply, 'approved_exists')
      return outcome === 'too-many' ? rejectStaff(reply, 'too_many_approved') : changed
    },
  )

  app.post(
    `${PATH}/:id/draft`,
    {
      schema: {
        summary: 'Save a draft of an approved answer',
        tags,
        querystring,
        params,
        body: ApprovedDraftToSave,
        response: { 200: ApprovedAnswerChanged, default: StaffProblem },
      },
      config: { staff: 'change-knowledge' },
    },
    async (request, reply) => {
      const { id } = request.params
      const { content, basedOn } = request.body
      const by = staffOf(request).member.id
      const draft = { id, text: JSON.stringify(content), basedOn, by, at: now() }
      const isSaved = await APPROVED_ANSWERS.saveDraft(database, draft, record(by, 'approved.save-draft', id))
      return isSaved ? changed : rejectStale(database, id, reply)
    },
  )

  app.post(
    `${PATH}/:id/check`,
    {
      schema: {
        summary: 'Check an approved answer',
        description: 'Tests its wordings against all answers in force.',
        tags,
        querystring,
        params,
        body: ApprovedDraftToCheck,
        response: { 200: CheckedApprovedDraft, default: StaffProblem },
      },
      config: { staff: 'change-knowledge' },
    },
    async ({ params: { id }, body }) => ({ problems: await approvedAnswers.check(id, body.content) }),
  )
}

function publicationRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, approvedAnswers, now } = options
  const record = recordIn(options)

  app.post(
    `${PATH}/:id/publication`,
    {
      schema: {
        summary: 'Publish the draft of an approved answer',
        tags,
        querystring,
        params,
        body: PublishApprovedAnswer,
        response: { 200: ApprovedAnswerPublished, default: StaffProblem },
      },
      config: { staff: 'change-knowledge', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      const { revision } = request.body
      const draft = (await APPROVED_ANSWERS.read(database, id))?.draft
      if (!draft) return reject(reply, 'not_found')
      if (draft.revision !== revision) return rejectStaff(reply, 'changed_meanwhile')
      return publish(reply, { id, text: draft.text, revision, restores: null, action: 'approved.publish', by: staffOf(request).member.id })
    },
  )

  app.post(
    `${PATH}/:id/roll-back`,
    {
      schema: {
        summary: 'Publish an earlier version of an approved answer again',
        tags,
        querystring,
        params,
        body: RestoreApprovedAnswer,
        response: { 200: ApprovedAnswerPublished, default: StaffProblem },
      },
      config: { staff: 'change-knowledge', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      const publication = await APPROVED_ANSWERS.publication(database, id, request.body.number)
      if (!publication) return reject(reply, 'not_found')
      const { text, number: restores } = publication
      return publish(reply, { id, text, revision: null, restores, action: 'approved.roll-back', by: staffOf(request).member.id })
    },
  )

  interface Publishing {
    id: string
    text: string
    revision: number | null
    restores: number | null
    action: AuditAction
    by: string
  }

  async function publish(reply: FastifyReply, { action, ...publication }: Publishing) {
    const { id, text, by } = publication
    const [problem] = await approvedAnswers.check(id, contentOf(text))
    if (problem) return rejectStaff(reply, 'approved_mistaken', problem.message)
    const recorded = record(by, action, `${id} ${textHash(text)}`)
    const number = await APPROVED_ANSWERS.publish(database, { ...publication, at: now() }, recorded)
    if (number === undefined) return rejectStale(database, id, reply)
    await approvedAnswers.poll()
    return { number }
  }
}

function removalRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, approvedAnswers } = options
  const record = recordIn(options)

  app.delete(
    `${PATH}/:id/publication`,
    {
      schema: {
        summary: 'Withdraw an approved answer',
        tags,
        querystring,
        params,
        response: { 200: ApprovedAnswerChanged, default: StaffProblem },
      },
      config: { staff: 'change-knowledge', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      const recorded = record(staffOf(request).member.id, 'approved.withdraw', id)
      if (!(await APPROVED_ANSWERS.withdraw(database, id, recorded))) return reject(reply, 'not_found')
      await approvedAnswers.poll()
      return changed
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        summary: 'Delete an approved answer',
        tags,
        querystring,
        params,
        response: { 200: ApprovedAnswerChanged, default: StaffProblem },
      },
      config: { staff: 'change-knowledge', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      if (await APPROVED_ANSWERS.delete(database, id, record(staffOf(request).member.id, 'approved.delete', id))) return changed
      return (await APPROVED_ANSWERS.read(database, id)) ? rejectStaff(reply, 'approved_in_force') : reject(reply, 'not_found')
    },
  )
}

async function rejectStale(database: Database, id: string, reply: FastifyReply) {
  return (await APPROVED_ANSWERS.read(database, id)) ? rejectStaff(reply, 'changed_meanwhile') : reject(reply, 'not_found')
}
