import { z } from 'zod'
import {
  AnyApprovedAnswerId,
  ApprovedAnswerId,
  ApprovedAnswerList,
  ApprovedAnswerView,
  ApprovedDraft,
  ApprovedDraftToCheck,
  ApprovedDraftToSave,
  type ApprovedState,
  CheckedApprovedDraft,
  type ManagedApprovedAnswer,
  NewApprovedAnswer,
} from '../../../contract/staff/content/approved-answers.ts'
import { PublicationRequest } from '../../../contract/staff/content/managed-texts.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { ManagedLife } from '../../managed/managed-life.ts'
import { type ApprovedAnswers, fileOfAnswer } from '../../replies/approved/approved-answers.ts'
import { draftOfAnswer } from '../../replies/approved/check-approved-draft.ts'
import { APPROVED_ANSWERS, type ManagedText } from '../../store/knowledge/managed-texts.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { readStaffNames, stampedBy } from '../staff-names.ts'
import { managedTextRoutes } from './managed-texts.ts'
import { staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/approved-answers'
const route = staffRoutes('approved answers')

/** Approved answers that staff manage, and those of files, which are only read. */
export function approvedAnswerRoutes(app: Server, options: ConsoleRouteOptions): void {
  listRoute(app, options)
  answerRoute(app, options)
  managedTextRoutes(app, {
    path: PATH,
    tag: 'approved answers',
    noun: 'an approved answer',
    staff: 'change-knowledge',
    takesTokens: true,
    id: ApprovedAnswerId,
    create: NewApprovedAnswer.transform(withText),
    save: ApprovedDraftToSave.transform(withText),
    toCheck: ApprovedDraftToCheck.transform(withText),
    checked: CheckedApprovedDraft,
    check: async (id, text) => ({ problems: options.approvedAnswers.check(id, contentOf(text)) }),
    publish: PublicationRequest,
    life: lifeOfAnswers(options),
  })
}

function lifeOfAnswers({ database, audit, approvedAnswers, applyChanges, now }: ConsoleRouteOptions): ManagedLife {
  return new ManagedLife(
    {
      texts: APPROVED_ANSWERS,
      action: 'approved',
      problems: { taken: 'approved_exists', 'too-many': 'too_many_approved', inForce: 'approved_in_force' },
      async rejectionOf(id, text) {
        const [problem] = approvedAnswers.check(id, contentOf(text))
        return problem ? { rejected: 'approved_mistaken', detail: problem.message } : null
      },
      apply: applyChanges,
    },
    { database, audit, now },
  )
}

const contentOf = (text: string) => ApprovedDraft.parse(JSON.parse(text))
const withText = <Body extends { content: ApprovedDraft }>({ content, ...rest }: Body) => ({ ...rest, text: JSON.stringify(content) })
const stateOf = (approved: ApprovedAnswers, { id, inForce }: Pick<ManagedText, 'id' | 'inForce'>): ApprovedState =>
  inForce === null ? 'draft' : approved.stateOf(id)

/** The path below the folder without the ending. */
const idOfFile = (file: string) => file.replace(/^approved\//, '').replace(/\.md$/i, '')

function listRoute(app: Server, { database, approvedAnswers }: ConsoleRouteOptions): void {
  app.get(PATH, route('read-knowledge', { summary: 'List approved answers', reply: ApprovedAnswerList }), async () => {
    const managed = await APPROVED_ANSWERS.list(database)
    return {
      comparesMeaning: approvedAnswers.comparesMeaning,
      managed: managed.map(({ id, draft, inForce }) => {
        const { question, owner, validUntil } = contentOf(draft.text)
        const state = stateOf(approvedAnswers, { id, inForce })
        const version = { published: inForce?.number ?? null, hasChanges: inForce?.text !== draft.text }
        return { id, question, owner, validUntil, ...version, state, hiddenBy: approvedAnswers.hiddenBy(id) }
      }),
      files: approvedAnswers.folder.map(({ file, answer, state, problems }) => ({
        id: idOfFile(file),
        file,
        question: answer?.matches[0] ?? null,
        validUntil: answer?.validUntil ?? null,
        state,
        problems,
      })),
    }
  })
}

function answerRoute(app: Server, { database, agents, approvedAnswers, now }: ConsoleRouteOptions): void {
  app.get(
    `${PATH}/:id`,
    route(
      { staff: 'read-knowledge', scopes: ['write:drafts', 'publish'] },
      { summary: 'Retrieve an approved answer', params: z.object({ id: AnyApprovedAnswerId }), reply: ApprovedAnswerView },
    ),
    async (request, reply) => {
      const { id } = request.params
      const managed = await APPROVED_ANSWERS.read(database, id)
      const file = approvedAnswers.folder.find((one) => idOfFile(one.file) === id || (managed && one.file === approvedAnswers.hiddenBy(id)))
      if (!file && !managed) return reject(reply, 'not_found')
      return {
        managed: managed ? await viewOf(managed) : null,
        file: file ? { file: file.file, content: file.answer && draftOfAnswer(file.answer), problems: file.problems } : null,
        agents: [...agents.approvedGivers()],
      }
    },
  )

  async function viewOf({ id, draft, inForce }: ManagedText): Promise<ManagedApprovedAnswer> {
    const content = contentOf(draft.text)
    const problems = approvedAnswers.check(id, content)
    const [publications, nameOf] = await Promise.all([APPROVED_ANSWERS.publications(database, id), readStaffNames(database, now())])
    const { text: _, ...saved } = stampedBy(nameOf)(draft)
    return {
      id,
      file: fileOfAnswer(id),
      hiddenBy: approvedAnswers.hiddenBy(id),
      state: stateOf(approvedAnswers, { id, inForce }),
      draft: { ...saved, content, problems },
      published: inForce?.number ?? null,
      publications: publications.map(stampedBy(nameOf)).map(({ text, ...publication }) => ({ ...publication, content: contentOf(text) })),
    }
  }
}
