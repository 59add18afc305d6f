import { expect, test } from 'vitest'
import { newApprovalId, newFileId, newMessageId, newSessionId, newTurnId } from './ids.ts'

test.each([
  ['chat', newSessionId, ''],
  ['turn', newTurnId, 't_'],
  ['file', newFileId, 'f_'],
  ['approval request', newApprovalId, 'ap_'],
  ['message', newMessageId, 'm_'],
] as const)('the id of a %s is new, and can’t be guessed', (_, newId, prefix) => {
  const ids = Array.from({ length: 100 }, newId)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(new RegExp(`^${prefix}[A-Za-z0-9]{21}$`))
})
