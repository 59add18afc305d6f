import { randomBytes } from 'node:crypto'

/** A new id of an uploaded document: 16 hexadecimal digits. */
export function newDocumentId(): string {
  return randomBytes(8).toString('hex')
}
