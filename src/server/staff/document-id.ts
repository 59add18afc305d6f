import { randomBytes } from 'node:crypto'

export function newDocumentId(): string {
  return randomBytes(8).toString('hex')
}
