import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import { readVersion } from '../engine/installation-facts.ts'
import { APPROVED_ANSWERS, MANAGED_AGENTS, ManagedTexts, MAX_PUBLICATIONS, type NewPublication, textHash } from './managed-texts.ts'

const NOW = Date.UTC(2026, 10, 21)
const KINDS = [
  ['agents', MANAGED_AGENTS, 'managed_agents_version'],
  ['approved answers', APPROVED_ANSWERS, 'approved_answers_version'],
] as const

describe.each(BOTH_DATABASES)('what staff manage on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const recorded: string[] = []
  const record = (what: string) => async () => void recorded.push(what)

  describe.each(KINDS)('%s', (_, texts, version) => {
    const insert = (id: string, text = `draft of ${id}`) => texts.insert(database, { id, text, by: 'ada', at: NOW }, record('insert'))
    const save = (id: string, text: string, basedOn: number) =>
      texts.saveDraft(database, { id, text, basedOn, by: 'grace', at: NOW + 1 }, record('save'))
    const publish = (id: string, text: string, rest: Partial<NewPublication> = {}) =>
      texts.publish(database, { id, text, revision: null, restores: null, by: 'ada', at: NOW, ...rest }, record('publish'))
    const inForce = async (...ids: string[]) =>
      (await texts.published(database)).flatMap(({ id, text }) => (ids.includes(id) ? `${id}: ${text}` : []))

    test('a draft is stored once, and changed only as its author has seen it', async () => {
      recorded.length = 0
      expect([await insert('drafted'), await insert('drafted', 'other')]).toEqual(['inserted', 'taken'])
      expect(await texts.read(database, 'drafted')).toEqual({
        id: 'drafted',
        name: null,
        draft: { text: 'draft of drafted', revision: 1, by: 'ada', at: NOW },
        cases: { text: '', revision: 0, by: null, at: null },
        inForce: null,
      })
      expect([await save('drafted', 'second', 1), await save('drafted', 'late', 1), await save('unknown', 'x', 1)]).toEqual([
        true,
        false,
        false,
      ])
      expect((await texts.read(database, 'drafted'))?.draft).toEqual({ text: 'second', revision: 2, by: 'grace', at: NOW + 1 })
      expect(recorded).toEqual(['insert', 'save'])
      expect(await texts.read(database, 'unknown')).toBeUndefined()
    })

    test('a text is in force from its publication to its withdrawal, and keeps its history', async () => {
      await insert('published')
      await insert('other')
      const before = await readVersion(database, version)
      expect(await publish('published', 'first')).toBe(1)
      expect(await publish('other', 'of another')).toBe(1)
      expect(await publish('published', 'second')).toBe(2)
      expect(await readVersion(database, version)).not.toBe(before)
      expect(await inForce('other', 'published')).toEqual(['other: of another', 'published: second'])
      expect(await publish('published', 'first', { restores: 1 })).toBe(3)
      expect(await texts.publications(database, 'published')).toEqual([
        { number: 3, hash: textHash('first'), text: 'first', restores: 1, evaluation: null, by: 'ada', at: NOW },
        { number: 2, hash: textHash('second'), text: 'second', restores: null, evaluation: null, by: 'ada', at: NOW },
        { number: 1, hash: textHash('first'), text: 'first', restores: null, evaluation: null, by: 'ada', at: NOW },
      ])
      expect(await texts.publication(database, 'published', 2)).toMatchObject({ text: 'second' })
      expect(await texts.publication(database, 'other', 2)).toBeUndefined()
      const published = await readVersion(database, version)
      recorded.length = 0
      expect([
        await texts.withdraw(database, 'published', record('withdraw')),
        await texts.withdraw(database, 'published', record('x')),
      ]).toEqual([true, false])
      expect(recorded).toEqual(['withdraw'])
      expect(await readVersion(database, version)).not.toBe(published)
      expect(await inForce('other', 'published')).toEqual(['other: of another'])
      expect(await texts.publications(database, 'published')).toHaveLength(3)
      expect(await publish('published', 'fourth')).toBe(4)
    })

    test('only the draft that was read is published, where one is named, and only if it may be', async () => {
      await insert('guarded')
      await save('guarded', 'second', 1)
      recorded.length = 0
      expect(await publish('guarded', 'x', { revision: 1 })).toBeUndefined()
      expect(await publish('unknown', 'x')).toBeUndefined()
      expect(await publish('guarded', 'x', { admit: async () => false })).toBeUndefined()
      expect([await texts.publications(database, 'guarded'), recorded]).toEqual([[], []])
      expect(await publish('guarded', 'second', { revision: 2, admit: async () => null })).toBe(1)
    })

    test('what is in force can’t be deleted, and anything else goes with its history', async () => {
      for (const id of ['deleted', 'bystander']) {
        await insert(id)
        await publish(id, 'text')
      }
      expect(await texts.delete(database, 'deleted', record('delete'))).toBe(false)
      await texts.withdraw(database, 'deleted', record('withdraw'))
      expect(await texts.delete(database, 'deleted', record('delete'))).toBe(true)
      expect([await texts.read(database, 'deleted'), await texts.publications(database, 'deleted')]).toEqual([undefined, []])
      expect(await texts.publications(database, 'bystander')).toHaveLength(1)
      const ids = (await texts.list(database)).map(({ id }) => id)
      expect([ids.includes('deleted'), ids.includes('bystander')]).toEqual([false, true])
    })

    test('a failed record undoes the change', async () => {
      await insert('undone')
      const failing = async () => {
        throw new Error('The audit log is full')
      }
      const publication = { id: 'undone', text: 'x', revision: null, restores: null, by: 'ada', at: NOW }
      await expect(texts.publish(database, publication, failing)).rejects.toThrow('full')
      expect(await texts.publications(database, 'undone')).toEqual([])
    })
  })

  test('the last publications are kept, and the number of texts is bounded', async () => {
    const one = new ManagedTexts({
      kind: 'approved-answer',
      version: 'approved_answers_version',
      max: (await APPROVED_ANSWERS.list(database)).length + 1,
    })
    const insert = (id: string) => one.insert(database, { id, text: '', by: 'ada', at: NOW }, record('insert'))
    expect([await insert('last'), await insert('one-more')]).toEqual(['inserted', 'too-many'])
    await database.transaction().execute(async (transaction) => {
      const publication = { id: 'last', revision: null, restores: null, by: 'ada', at: NOW }
      for (let count = 0; count <= MAX_PUBLICATIONS; count += 1)
        await one.publish(transaction, { ...publication, text: `${count}` }, record('publish'))
    })
    const numbers = (await one.publications(database, 'last')).map(({ number }) => number)
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([MAX_PUBLICATIONS, MAX_PUBLICATIONS + 1, 2])
    expect(await one.publication(database, 'last', 1)).toBeUndefined()
  })
})
