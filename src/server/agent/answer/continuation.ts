import type { UserModelMessage } from 'ai'

/** Where the closing instruction of `CONTINUE_MESSAGE` carries its mark, for a model that has rules instead of understanding. */
const MARK = { parley: { continues: true } }

/** What a model is told after an answer that broke off. It is stored nowhere. */
export const CONTINUE_MESSAGE: UserModelMessage = {
  role: 'user',
  content:
    'Your answer broke off where it stands above. Go on with it exactly at that point, in the middle of a word if need be: ' +
    'no introduction, no apology, nothing that is already written.',
  providerOptions: MARK,
}

/** Whether a message of a prompt is `CONTINUE_MESSAGE`, and not a visitor's. */
export function isContinueMessage({ providerOptions }: { providerOptions?: Record<string, unknown> | undefined }): boolean {
  const own = providerOptions?.['parley'] as { continues?: unknown } | undefined
  return own?.continues === true
}
