import { randomBytes } from 'node:crypto'
import { SESSION_ID_LENGTH } from '../../contract/limits.ts'

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on would make some letters likelier than others. */
const UNBIASED_BYTES = 256 - (256 % LETTERS_AND_DIGITS.length)

/** 21 letters and digits from the system's random source: 125 bits. */
export function newSessionId(): string {
  let id = ''
  while (id.length < SESSION_ID_LENGTH) {
    for (const byte of randomBytes(SESSION_ID_LENGTH)) {
      if (byte < UNBIASED_BYTES && id.length < SESSION_ID_LENGTH) id += LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length]
    }
  }
  return id
}

export const newTurnId = (): string => `t_${newSessionId()}`
export const newMessageId = (): string => `m_${newSessionId()}`
