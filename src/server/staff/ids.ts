import { randomBytes } from 'node:crypto'

export function newDocumentId(): string {
  return randomBytes(8).toString('hex')
}

export function newStopId(): string {
  return randomBytes(4).toString('hex')
}
