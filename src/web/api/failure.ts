import { t } from '../../ui/language/translate.ts'
import type { EmptyAnswerCode, FailureCode } from './failure-code.ts'
import { SENTENCES } from './failure-sentences.ts'

export type { FailureCode } from './failure-code.ts'

/** Download progress of the model, as last reported by the server. */
let fetchedPercent: number | undefined

/** Records the progress of a model download for the message of `model_loading`. */
export function recordDownload(percent: number | undefined): void {
  fetchedPercent = percent
}

/** The message for a code; the general one for unknown codes. */
export const failureSentence = (code: string | undefined): string =>
  code === 'model_loading' && fetchedPercent !== undefined
    ? t('The model is still downloading ({percent}%). Your message is saved. Send it again when the model is ready.', {
        percent: fetchedPercent,
      })
    : t(SENTENCES[code as FailureCode] ?? SENTENCES.internal)

/** The message for the code of an answer without text: it mentions no saved text. */
export const emptyAnswerSentence = (code: string): string =>
  `${code}_unwritten` in SENTENCES ? t(SENTENCES[`${code}_unwritten` as EmptyAnswerCode]) : failureSentence(code)

/** Whether a retry can't succeed: the resource does not exist, or belongs to another visitor. */
export function isFinal(code: FailureCode): boolean {
  return code === 'not_found' || code === 'unauthorized' || code === 'invalid_id' || code === 'invalid_request'
}
