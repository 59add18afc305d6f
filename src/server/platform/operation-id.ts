import { randomUUID } from 'node:crypto'

/** A new id of a request, which its reply, its log lines, its traces and its turn carry. Clients can't choose it. */
export function newOperationId(): string {
  return randomUUID()
}
