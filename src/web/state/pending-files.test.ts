import { beforeEach, expect, test } from 'vitest'
import { changes } from './application-store.ts'
import { addPendingFile, pendingFile } from './pending-files.ts'

const fileOf = (bytes: number) => ({ name: 'a.txt', content: new Blob(['x'.repeat(bytes)], { type: 'text/plain' }) })

beforeEach(() => {
  changes.policyDeclined()
  changes.policyAccepted()
})

test('holds files up to a limit, and replaces one under the same id', () => {
  expect([1, 2, 3].map((id) => addPendingFile(`f${id}`, fileOf(12 * 1024 * 1024)))).toEqual([true, true, false])
  expect(addPendingFile('f2', fileOf(20 * 1024 * 1024))).toBe(true)
})

test('forgets all files when consent is withdrawn', () => {
  addPendingFile('f1', fileOf(1))
  changes.policyDeclined()
  expect(pendingFile('f1')).toBeUndefined()
})

test('forgets the files of a temporary chat when it ends, not before', () => {
  changes.temporaryChanged(true)
  addPendingFile('f1', fileOf(1))
  changes.connectionLost()
  expect(pendingFile('f1')?.name).toBe('a.txt')
  changes.temporaryChanged(false)
  expect(pendingFile('f1')).toBeUndefined()
})
