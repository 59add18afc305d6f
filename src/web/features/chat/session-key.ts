import { SESSION_ID_LENGTH } from '../../../contract/size-limits.ts'

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
// Bytes from here on would make the first letters likelier than the rest.
const FAIR_BELOW = 256 - (256 % LETTERS_AND_DIGITS.length)

/** A random session key: 21 letters and digits, each as likely as any other. */
export function newSessionKey(): string {
  let key = ''
  while (key.length < SESSION_ID_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(SESSION_ID_LENGTH))) {
      if (byte < FAIR_BELOW && key.length < SESSION_ID_LENGTH) key += LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length]
    }
  }
  return key
}
