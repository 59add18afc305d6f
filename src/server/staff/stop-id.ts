import { randomBytes } from 'node:crypto'

export function newStopId(): string {
  return randomBytes(4).toString('hex')
}
