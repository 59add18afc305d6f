import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import {
  addVersion,
  changeFacts,
  deleteUpload,
  insertUpload,
  KEPT_VERSIONS,
  listUploads,
  listVersions,
  type NewVersion,
  readDocument,
  readUpload,
  readVersion,
  restoreVersion,
} from './managed-documents.ts'

const NOW = Date.UTC(2026, 10, 21)
const ROOM = { count: 99, bytes: 10_000 }
const FACTS = { title: null, owner: 'The library', language: null, validUntil: null }

describe.each(BOTH_DATABASES)('uploaded documents on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const recorded: string[] = []
  const version = (text: string, size = text.length): NewVersion => ({
    name: `${text}.txt`,
    hash: `hash of ${text}`,
    size,
    characters: text.length,
    asOf: '2026-11-21',
    document: JSON.stringify(text),
    bytes: Buffer.from(text),
  })
  const insert = (id: string, name = `${id}.txt`, room = ROOM) =>
    insertUpload(database, { id, name, ...FACTS }, version(id), {
      room,
      by: 'ada',
      at: NOW,
      record: async () => void recorded.push(`insert ${id}`),
    })
  const change = (id: string, base: number) => ({
    id,
    base,
    by: 'grace',
    at: NOW + base,
    record: async () => void recorded.push(`change ${id}`),
  })
  const textOf = async (id: string, number: number) => Buffer.from((await readVersion(database, id, number))?.bytes ?? '').toString()

  test('are stored once by their name, with what was recorded about it', async () => {
    expect([await insert('tea'), await insert('other', 'tea.txt'), await insert('coffee')]).toEqual(['changed', 'exists', 'changed'])
    expect(recorded.slice(-2)).toEqual(['insert tea', 'insert coffee'])
    const listed = (await listUploads(database)).filter(({ id }) => ['tea', 'other', 'coffee'].includes(id))
    expect(listed.map(({ name, hash }) => [name, hash])).toEqual([
      ['coffee.txt', 'hash of coffee'],
      ['tea.txt', 'hash of tea'],
    ])
    expect(await readUpload(database, 'tea')).toMatchObject({ ...FACTS, revision: 1, version: 1, size: 3, asOf: '2026-11-21' })
    expect(await readUpload(database, 'other')).toBeUndefined()
    expect([await textOf('tea', 1), await readDocument(database, 'coffee', 1)]).toEqual(['tea', '"coffee"'])
    expect([await readVersion(database, 'tea', 2), await readDocument(database, 'none', 1)]).toEqual([undefined, undefined])
  })

  test('are not stored beyond their room', async () => {
    const used = (await listUploads(database)).length
    expect(await insert('one-too-many', 'one-too-many.txt', { ...ROOM, count: used })).toBe('full')
    expect(await insert('too-large', 'too-large.txt', { ...ROOM, bytes: 1 })).toBe('full')
    await insert('sized')
    expect(await addVersion(database, change('sized', 1), version('large', 10_001), { room: ROOM })).toBe('full')
    expect(await readUpload(database, 'sized')).toMatchObject({ version: 1 })
  })

  test('answer from their newest version, and can go back to an earlier one', async () => {
    await insert('versions')
    expect(await addVersion(database, change('versions', 1), version('second'), { room: ROOM })).toBe('changed')
    expect(await readUpload(database, 'versions')).toMatchObject({ version: 2, revision: 2, hash: 'hash of second', changedAt: NOW + 1 })
    expect(await restoreVersion(database, change('versions', 2), 1, ROOM)).toBe('changed')
    expect(await readUpload(database, 'versions')).toMatchObject({ version: 3, hash: 'hash of versions' })
    expect([await textOf('versions', 1), await textOf('versions', 2), await textOf('versions', 3)]).toEqual([
      'versions',
      'second',
      'versions',
    ])
    expect((await listVersions(database, 'versions')).map(({ number }) => number)).toEqual([3, 2, 1])
    expect(await restoreVersion(database, change('versions', 3), 9, ROOM)).toBe('missing')
    expect(await restoreVersion(database, change('versions', 3), 1, { ...ROOM, bytes: 1 })).toBe('full')
  })

  test('keep their last versions', async () => {
    await insert('long')
    for (let base = 1; base <= KEPT_VERSIONS; base += 1)
      await addVersion(database, change('long', base), version(`v${base}`), { room: ROOM })
    const numbers = (await listVersions(database, 'long')).map(({ number }) => number)
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([KEPT_VERSIONS, KEPT_VERSIONS + 1, 2])
  })

  test('are changed only as their author has seen them', async () => {
    await insert('seen')
    const before = recorded.length
    expect(await changeFacts(database, change('seen', 1), { ...FACTS, title: 'Seen', validUntil: '2026-12-31' })).toBe('changed')
    expect(await changeFacts(database, change('seen', 1), FACTS)).toBe('conflict')
    expect(await deleteUpload(database, change('seen', 1))).toBe('conflict')
    expect(await changeFacts(database, change('unknown', 1), FACTS)).toBe('missing')
    expect(await readUpload(database, 'seen')).toMatchObject({ title: 'Seen', validUntil: '2026-12-31', revision: 2 })
    expect(recorded.slice(before)).toEqual(['change seen'])
  })

  test('are deleted with all their versions, and no other', async () => {
    await insert('bystander')
    await insert('gone')
    await addVersion(database, change('gone', 1), version('more'), { room: ROOM })
    expect(await deleteUpload(database, change('gone', 2))).toBe('changed')
    expect([await readUpload(database, 'gone'), await listVersions(database, 'gone')]).toEqual([undefined, []])
    expect(await textOf('bystander', 1)).toBe('bystander')
    expect(await insert('gone')).toBe('changed')
  })
})
