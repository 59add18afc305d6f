import { randomBytes } from 'node:crypto'

/** A new id of a stop: 8 hexadecimal digits. */
export function newStopId(): string {
  return randomBytes(4).toString('hex')
}
