import type { UserModelMessage } from 'ai'

/** Marks `CONTINUE_MESSAGE` for the built-in assistant, which works by rules. */
const MARK = { parley: { continues: true } }

/** Instruction to continue an answer that broke off. Never stored. */
export const CONTINUE_MESSAGE: UserModelMessage = {
  role: 'user',
  content:
    'Your answer broke off where it stands above. Go on with it exactly at that point, in the middle of a word if need be: ' +
    'no introduction, no apology, nothing that is already written.',
  providerOptions: MARK,
}

/** Whether a message is `CONTINUE_MESSAGE` rather than a visitor's. */
export function isContinueMessage({ providerOptions }: { providerOptions?: Record<string, unknown> | undefined }): boolean {
  const own = providerOptions?.['parley'] as { continues?: unknown } | undefined
  return own?.continues === true
}
