import { beforeEach, expect, test } from 'vitest'
import { changes } from './application-store.ts'
import { addPendingFile, localPart, pendingFile } from './pending-files.ts'

const fileOf = (bytes: number) => ({ name: 'a.txt', content: new Blob(['x'.repeat(bytes)], { type: 'text/plain' }) })

beforeEach(() => {
  changes.policyDeclined()
  changes.policyAccepted()
})

test('holds files up to a limit, and replaces one under the same id', () => {
  expect([1, 2, 3].map((id) => addPendingFile(`f${id}`, fileOf(12 * 1024 * 1024)))).toEqual([true, true, false])
  expect(addPendingFile('f2', fileOf(20 * 1024 * 1024))).toBe(true)
  expect(localPart(fileOf(1024 * 1024))).toBeNull()
})

test('forgets all files when consent is withdrawn', () => {
  const part = localPart(fileOf(1))
  expect(pendingFile(part!.url)).toBeDefined()
  changes.policyDeclined()
  expect(pendingFile(part!.url)).toBeUndefined()
})

test('forgets the server’s files of a temporary chat when it ends, and keeps local ones', () => {
  changes.temporaryChanged(true)
  const part = localPart(fileOf(1))
  addPendingFile('/api/v1/files/f1', fileOf(1))
  changes.temporaryChanged(false)
  expect([pendingFile('/api/v1/files/f1'), pendingFile(part!.url)?.name]).toEqual([undefined, 'a.txt'])
})

test('keeps the server’s files of a lasting chat whatever else changes', () => {
  addPendingFile('/api/v1/files/f1', fileOf(1))
  changes.connectionLost()
  expect(pendingFile('/api/v1/files/f1')?.name).toBe('a.txt')
})
