import { createHmac, randomInt } from 'node:crypto'

/** 6 of 2,048 words: 66 random bits. */
const WORDS = 6

/** A new code: words to be read out or typed, with a hyphen between. */
export async function newTransferCode(): Promise<string> {
  // The list is loaded with the first code that somebody asks for.
  const { wordlist } = await import('@scure/bip39/wordlists/english.js')
  return Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)]).join('-')
}

/** What is stored of a code, however it was typed: capitals, and what stands between the words, do not matter. */
export function hashOfTransferCode(code: string, installationKey: string): string {
  const words = code
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  return createHmac('sha256', installationKey)
    .update(`transfer code: ${words.join('-')}`)
    .digest('hex')
}

/** What is stored of a network or visitor: it cannot be read back, and is another one tomorrow. */
export function hashOfSubject(subject: string, installationKey: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const salt = createHmac('sha256', installationKey).update(`networks of ${day}`).digest()
  return createHmac('sha256', salt).update(subject).digest('hex')
}
