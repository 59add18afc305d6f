import { t, type MessageText, defineMessage } from '../language/translate.ts'
import { type FailureCode, UNREACHED } from './failure-code.ts'

export type { FailureCode } from './failure-code.ts'

const GENERAL = defineMessage('Something went wrong on our side. Your message is saved. Try again.')

/** A failure does not wait longer than this for its sentence. */
const LONGEST_WAIT_MS = 3_000

let sentences: Partial<Record<string, MessageText>> = UNREACHED
let saysFetched: ((percent: number) => string) | undefined
/** Of a model that is still being fetched, as the server last said. */
let fetchedPercent: number | undefined

/** Fetches the sentences of all codes, with the first failure that has one. Without them, the general one stands. */
export async function loadSentences(): Promise<void> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS, null))
  const loaded = await Promise.race([import('./failure-sentences.ts').catch(() => null), late])
  if (loaded) ({ SENTENCES: sentences, saysFetched } = loaded)
}

/** Whether the sentence for a code is there, or need not be waited for. */
export const hasSentence = (code: string | undefined): boolean => sentences !== UNREACHED || (code ?? '') in UNREACHED

/** Notes how much of the model has been fetched, for the sentence of `model_loading`. */
export function noteFetched(percent: number | undefined): void {
  fetchedPercent = percent
}

/** The sentence for a code, once the sentences are loaded; an unknown code (of a newer server) gets the general one. */
export const failureSentence = (code: string | undefined): string =>
  code === 'model_loading' && saysFetched && fetchedPercent !== undefined
    ? saysFetched(fetchedPercent)
    : t(sentences[code ?? ''] ?? GENERAL)

/** Whether asking again can't help: what was asked for is gone, or not this visitor's. */
export function isFinal(code: FailureCode): boolean {
  return code === 'not_found' || code === 'unauthorized' || code === 'invalid_id' || code === 'invalid_request'
}
