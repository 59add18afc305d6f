import { createHmac, randomInt } from 'node:crypto'

/** 6 of 2,048 words: 66 bits of entropy. */
const WORDS = 6

/** Generates a code of words separated by hyphens. */
export async function newTransferCode(): Promise<string> {
  // Loaded with the first code.
  const { wordlist } = await import('@scure/bip39/wordlists/english.js')
  return Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)]).join('-')
}

/** Hashes a code for storage. Ignores case and separators. */
export function hashOfTransferCode(code: string, installationKey: string): string {
  const words = code
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  return createHmac('sha256', installationKey)
    .update(`transfer code: ${words.join('-')}`)
    .digest('hex')
}

/** Hashes a network or visitor for counting. The hash changes daily. */
export function hashOfSubject(subject: string, installationKey: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const salt = createHmac('sha256', installationKey).update(`networks of ${day}`).digest()
  return createHmac('sha256', salt).update(subject).digest('hex')
}
