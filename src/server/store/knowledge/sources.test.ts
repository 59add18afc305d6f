import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import {
  activateSnapshot,
  addSource,
  completeSnapshot,
  createSnapshot,
  deleteSnapshot,
  deleteSource,
  deleteUnusedTexts,
  heldPageCount,
  leaseSource,
  listMissingPages,
  listSnapshots,
  listSources,
  readPages,
  readSource,
  readTexts,
  recordEnd,
  updateSource,
  type SourcePage,
  writePages,
} from './sources.ts'

const page = (address: string, change: Partial<SourcePage> = {}): SourcePage => ({
  address,
  state: 'unchanged',
  depth: 0,
  text_hash: `hash of ${address}`,
  held_hash: null,
  held_as_of: null,
  held_kind: null,
  rejected_hash: null,
  characters: 10,
  as_of: '2026-11-01',
  etag: null,
  last_modified: null,
  reason: null,
  ...change,
})
const text = (address: string) => ({ hash: `hash of ${address}`, document: `text of ${address}` })

describe.each(BOTH_DATABASES)('sources on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())
  beforeEach(async () => {
    for (const { id } of await listSources(database)) await deleteSource(database, id)
    for (const id of ['help', 'news']) await addSource(database, id)
  })

  const lease = (holder: string, now: number, id = 'help') => leaseSource(database, id, { holder, now, durationMs: 100 })
  const snapshot = (sourceId = 'help') => createSnapshot(database, { sourceId, definitionHash: 'definition', now: 1 })
  const write = (number: number, addresses: readonly string[], sourceId = 'help') =>
    writePages(
      database,
      { sourceId, snapshot: number },
      addresses.map((address) => page(address)),
      addresses.map(text),
    )
  const addressesOf = async (number: number, sourceId = 'help') =>
    (await Array.fromAsync(readPages(database, sourceId, number))).flat().map(({ address }) => address)
  const stored = async (sourceId: string, ...addresses: string[]) => [
    ...(await readTexts(
      database,
      sourceId,
      addresses.map((address) => text(address).hash),
    )),
  ]

  test('are added once, and keep what is known of them', async () => {
    await updateSource(database, 'help', { started_at: 5 })
    await addSource(database, 'help')
    expect(await listSources(database)).toMatchObject([
      { id: 'help', started_at: 5, pinned: 0 },
      { id: 'news', started_at: null },
    ])
    expect(await readSource(database, 'news')).toMatchObject({ id: 'news', active: null })
    expect(await readSource(database, 'unknown')).toBeUndefined()
  })

  test('are leased to one process, which renews its lease, until the lease has passed', async () => {
    expect([await lease('one', 0), await lease('one', 50), await lease('other', 150)]).toEqual([true, true, false])
    expect(await lease('other', 0, 'news')).toBe(true)
    expect([await lease('other', 151), await lease('one', 152), await lease('one', 0, 'unknown')]).toEqual([true, false, false])
  })

  test('end a run only for the process that has the lease, with its report if there is one', async () => {
    await lease('one', 0)
    await recordEnd(database, 'help', { holder: 'other', now: 9, report: 'not mine' })
    expect(await readSource(database, 'help')).toMatchObject({ holder: 'one', lease_until: 100, report: null })
    await recordEnd(database, 'help', { holder: 'one', now: 10, report: 'read' })
    expect(await readSource(database, 'help')).toMatchObject({ holder: null, lease_until: 0, ended_at: 10, report: 'read' })
    await lease('one', 20)
    await recordEnd(database, 'help', { holder: 'one', now: 30, report: null })
    expect(await readSource(database, 'help')).toMatchObject({ holder: null, ended_at: 10, report: 'read' })
    await updateSource(database, 'help', { report: 'decided' })
    expect([await readSource(database, 'help'), await readSource(database, 'news')]).toMatchObject([
      { report: 'decided' },
      { report: null },
    ])
  })

  test('number their snapshots each for itself, and list the newest first', async () => {
    expect([await snapshot(), await snapshot(), await snapshot('news')]).toEqual([1, 2, 1])
    expect(await listSnapshots(database, 'help')).toEqual(
      [2, 1].map((number) => ({
        source_id: 'help',
        number,
        state: 'building',
        definition_hash: 'definition',
        hash: null,
        pages: 0,
        created_at: 1,
      })),
    )
  })

  test('read the pages of one snapshot by address, however many', async () => {
    const many = Array.from({ length: 401 }, (_, index) => `/${String(index).padStart(3, '0')}`)
    for (const number of [await snapshot(), await snapshot()]) await write(number, number === 1 ? many.toReversed() : ['/other'])
    await write(await snapshot('news'), ['/news'], 'news')
    expect(await addressesOf(1)).toEqual(many)
    const parts = await Array.fromAsync(readPages(database, 'help', 1))
    expect(parts.map(({ length }) => length)).toEqual([200, 200, 1])
    await deleteSnapshot(database, 'help', 1)
    expect([await addressesOf(1), await addressesOf(2), await addressesOf(1, 'news')]).toEqual([[], ['/other'], ['/news']])
    expect((await listSnapshots(database, 'help')).map(({ number }) => number)).toEqual([2])
    expect(await listSnapshots(database, 'news')).toHaveLength(1)
  })

  test('replace all that was known of a page', async () => {
    const number = await snapshot()
    const place = { sourceId: 'help', snapshot: number }
    const changed = page('/a', {
      state: 'failed',
      text_hash: 'other',
      held_hash: 'held',
      held_as_of: '2026-10-01',
      held_kind: 'changed',
      rejected_hash: 'rejected',
      characters: 11,
      as_of: null,
      etag: 'tag',
      last_modified: 'yesterday',
      reason: 'gone',
    })
    await writePages(database, place, [page('/a'), page('/b')], [text('/a')])
    await writePages(database, place, [changed], [text('/a')])
    expect((await Array.fromAsync(readPages(database, 'help', number))).flat()).toEqual([changed, page('/b')])
  })

  test('give the texts of these hashes of their own', async () => {
    await write(await snapshot(), ['/a', '/b'])
    await write(await snapshot('news'), ['/c'], 'news')
    expect(await stored('help', '/a', '/c')).toEqual([[text('/a').hash, 'text of /a']])
    expect(await stored('help')).toEqual([])
  })

  test('answer from a complete snapshot, whose hash depends on addresses, texts and dates, and not from a quarantined one', async () => {
    const complete = (number: number, state: 'complete' | 'quarantined' = 'complete') =>
      completeSnapshot(database, { sourceId: 'help', number, state })
    const [first, second, third] = [await snapshot(), await snapshot(), await snapshot()]
    await writePages(database, { sourceId: 'help', snapshot: first }, [page('/a'), page('/gone', { text_hash: null })], [text('/a')])
    await writePages(database, { sourceId: 'help', snapshot: first }, [page('/next', { state: 'queued', text_hash: null })], [])
    await write(second, ['/a'])
    await writePages(database, { sourceId: 'help', snapshot: third }, [page('/a', { as_of: '2026-11-02' })], [])
    await write(await snapshot('news'), ['/news'], 'news')
    const { hash, pages } = await complete(first)
    expect(pages).toBe(1)
    // A page that was not read is listed as such.
    expect(await addressesOf(first)).toEqual(['/a', '/gone', '/next'])
    expect(await readSource(database, 'help')).toMatchObject({ active: first })
    expect(await complete(second, 'quarantined')).toEqual({ hash, pages: 1 })
    expect(await readSource(database, 'help')).toMatchObject({ active: first })
    expect((await complete(third)).hash).not.toBe(hash)
    expect((await listSnapshots(database, 'help')).map(({ state, pages: count }) => [state, count])).toEqual([
      ['complete', 1],
      ['quarantined', 1],
      ['complete', 1],
    ])
    expect([await readSource(database, 'news'), await listSnapshots(database, 'news')]).toMatchObject([
      { active: null },
      [{ state: 'building' }],
    ])
  })

  test('list why pages are missing of the last complete snapshot while the next one is being read', async () => {
    const failed = (number: number, ...addresses: string[]) => {
      const pages = addresses.map((address) => page(address, { state: 'failed', text_hash: null, reason: 'It is not found.' }))
      return writePages(database, { sourceId: 'help', snapshot: number }, pages, [])
    }
    const missing = async () => (await listMissingPages(database, 'help', 10)).map(({ address }) => address)
    const first = await snapshot()
    await failed(first, '/a', '/b')
    expect(await missing()).toEqual(['/a', '/b'])
    await completeSnapshot(database, { sourceId: 'help', number: first, state: 'complete' })
    await failed(await snapshot(), '/c')
    expect(await missing()).toEqual(['/a', '/b'])
  })

  test('answer from an earlier snapshot, pinned until they are let go on', async () => {
    const number = await snapshot()
    await completeSnapshot(database, { sourceId: 'help', number, state: 'quarantined' })
    await snapshot()
    await activateSnapshot(database, 'help', number, true)
    expect(await readSource(database, 'help')).toMatchObject({ active: number, pinned: 1 })
    expect((await listSnapshots(database, 'help')).map(({ state }) => state)).toEqual(['building', 'complete'])
    await activateSnapshot(database, 'news', number, true)
    await updateSource(database, 'help', { pinned: 0 })
    expect([await readSource(database, 'help'), await readSource(database, 'news')]).toMatchObject([{ pinned: 0 }, { pinned: 1 }])
    await activateSnapshot(database, 'news', number, false)
    expect(await readSource(database, 'news')).toMatchObject({ pinned: 0 })
  })

  test('delete the texts that no snapshot uses or holds back', async () => {
    const number = await snapshot()
    await write(number, ['/used', '/held', '/unused'])
    await writePages(
      database,
      { sourceId: 'help', snapshot: number },
      [page('/held', { text_hash: null, held_hash: text('/held').hash }), page('/unused', { text_hash: null })],
      [],
    )
    await write(await snapshot('news'), ['/unused'], 'news')
    await deleteUnusedTexts(database, 'help')
    expect((await stored('help', '/used', '/held', '/unused')).map(([hash]) => hash).toSorted()).toEqual(
      ['/held', '/used'].map((address) => text(address).hash),
    )
    expect(await stored('news', '/unused')).toHaveLength(1)
  })

  test('are deleted with their texts, however many these are', async () => {
    const number = await snapshot()
    const addresses = Array.from({ length: 401 }, (_, index) => `/${index}`)
    await write(number, addresses)
    await deleteSnapshot(database, 'help', number)
    expect(await addressesOf(number)).toEqual([])
    await deleteUnusedTexts(database, 'help')
    expect(await stored('help', ...addresses)).toEqual([])
  })

  test('are deleted with snapshots, pages and texts, and no other is', async () => {
    for (const id of ['help', 'news']) await write(await snapshot(id), ['/a'], id)
    await deleteSource(database, 'help')
    expect([await listSnapshots(database, 'help'), await addressesOf(1), await stored('help', '/a')]).toEqual([[], [], []])
    expect((await listSources(database)).map(({ id }) => id)).toEqual(['news'])
    expect([await addressesOf(1, 'news'), await stored('news', '/a')]).toMatchObject([['/a'], [[text('/a').hash, 'text of /a']]])
  })

  test('count the pages of a snapshot about which staff have to decide', async () => {
    const [first, second] = [await snapshot(), await snapshot()]
    const held = [page('/new', { held_hash: 'new' }), page('/gone', { held_kind: 'gone' }), page('/same')]
    await writePages(database, { sourceId: 'help', snapshot: first }, held, [])
    await writePages(database, { sourceId: 'news', snapshot: await snapshot('news') }, held, [])
    await writePages(database, { sourceId: 'help', snapshot: second }, [page('/same')], [])
    expect([await heldPageCount(database, 'help', first), await heldPageCount(database, 'help', second)]).toEqual([2, 0])
  })
})
