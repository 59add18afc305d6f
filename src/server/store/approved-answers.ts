import { ManagedTexts } from './managed-texts.ts'

/** Approved answers that staff manage, as JSON of `ApprovedDraft`. */
export const APPROVED_ANSWERS = new ManagedTexts({
  drafts: 'approved_answers',
  publications: 'approved_publications',
  key: 'answer_id',
  version: 'approved_answers_version',
  max: 200,
})
