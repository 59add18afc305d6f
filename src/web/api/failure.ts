import { t, type MessageText, defineMessage } from '../../ui/language/translate.ts'
import { type FailureCode, OFFLINE_SENTENCES } from './failure-code.ts'

export type { FailureCode } from './failure-code.ts'

const GENERAL = defineMessage('Something went wrong on our side. Your message is saved. Try again.')

/** Maximum time that a failure waits for its message to load. */
const LONGEST_WAIT_MS = 3_000

let sentences: Partial<Record<string, MessageText>> = OFFLINE_SENTENCES
let downloadSentence: ((percent: number) => string) | undefined
/** Download progress of the model, as last reported by the server. */
let fetchedPercent: number | undefined

/** Loads the messages of all codes with the first failure. Until then, and if that fails, the general message is shown. */
export async function loadSentences(): Promise<void> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS, null))
  const loaded = await Promise.race([import('./failure-sentences.ts').catch(() => null), late])
  if (loaded) ({ SENTENCES: sentences, downloadSentence } = loaded)
}

export const hasSentence = (code: string | undefined): boolean => sentences !== OFFLINE_SENTENCES || (code ?? '') in OFFLINE_SENTENCES

/** Records the progress of a model download for the message of `model_loading`. */
export function recordDownload(percent: number | undefined): void {
  fetchedPercent = percent
}

/** The message for a code; the general one for unknown codes, and until the messages are loaded. */
export const failureSentence = (code: string | undefined): string =>
  code === 'model_loading' && downloadSentence && fetchedPercent !== undefined
    ? downloadSentence(fetchedPercent)
    : t(sentences[code ?? ''] ?? GENERAL)

/** Whether a retry can't succeed: the resource does not exist, or belongs to another visitor. */
export function isFinal(code: FailureCode): boolean {
  return code === 'not_found' || code === 'unauthorized' || code === 'invalid_id' || code === 'invalid_request'
}
