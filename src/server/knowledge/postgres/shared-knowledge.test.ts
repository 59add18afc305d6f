import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import { createDatabase } from '../../../../test/support/postgres.ts'
import { KnowledgeBase } from '../knowledge-base.ts'

const LIMIT_MS = 200_000
const SUBJECTS = ['bicycle', 'rain', 'bread', 'library', 'passport', 'parking', 'museum', 'garden', 'waste', 'school']
const VERBS = ['open', 'renew', 'pay', 'lose', 'borrow', 'report']

let database: Awaited<ReturnType<typeof createDatabase>>
let folder: string
let empty: string
const opened: KnowledgeBase[] = []
beforeEach(async () => {
  database = await createDatabase()
  folder = mkdtempSync(join(tmpdir(), 'shared-'))
  empty = mkdtempSync(join(tmpdir(), 'shared-empty-'))
  for (const [index, subject] of SUBJECTS.entries()) writeFileSync(join(folder, `${subject}.md`), documentOf(subject, index))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((base) => base.close()))
  await database.drop()
  for (const directory of [folder, empty]) rmSync(directory, { recursive: true })
})

/** Sections with unique words, and some shared ones. */
function documentOf(subject: string, index: number): string {
  const sections = VERBS.map((verb, at) => {
    const other = SUBJECTS[(index + at) % SUBJECTS.length]
    return `## How to ${verb} a ${subject}?\n\nWhoever wants to ${verb} a ${subject} near the ${other} brings form ${index}${at}. ${`The ${other} helps. `.repeat(at)}`
  })
  return `# All about the ${subject}\n\n${sections.join('\n\n')}\n`
}

async function open(directory: string, isShared = true): Promise<KnowledgeBase> {
  const sharedIndex = isShared ? { databaseUrl: database.url } : null
  const base = await KnowledgeBase.open({ directory, dataDirectory: null, sharedIndex, onWarning: () => undefined })
  opened.push(base)
  return base
}

const found = async (base: KnowledgeBase, query: string, folders = ['.']) =>
  (await base.search(query, { folders, caller: 'model' })).passages.map(({ id, heading, relevance }) => ({ id, heading, relevance }))
const headings = async (base: KnowledgeBase, query: string) => (await found(base, query)).map(({ heading }) => heading)

test(
  'one process indexes the folder, another one without files finds the same, and changes reach both',
  async () => {
    const writer = await open(folder)
    await eventually(async () => expect((await headings(writer, 'renew passport'))[0]).toBe('How to renew a passport?'), LIMIT_MS)
    const reader = await open(empty)
    await eventually(
      async () => expect(await headings(reader, 'renew passport')).toEqual(await headings(writer, 'renew passport')),
      LIMIT_MS,
    )
    writeFileSync(join(folder, 'zoo.md'), '# Zoo\n\n## Are there elephants?\n\nTwo elephants live here.\n')
    rmSync(join(folder, 'passport.md'))
    writer.refresh()
    for (const base of [writer, reader]) {
      await eventually(async () => expect((await headings(base, 'elephants'))[0]).toBe('Are there elephants?'), LIMIT_MS)
      await eventually(async () => expect(await headings(base, 'passport')).not.toContain('How to renew a passport?'), LIMIT_MS)
      expect(await base.overview(['.'])).toMatchObject({
        documents: SUBJECTS.length,
        topics: expect.arrayContaining(['Zoo']),
      })
    }
  },
  3 * LIMIT_MS,
)

test(
  'finds the same passages in the same order as an index in memory',
  async () => {
    const shared = await open(folder)
    await eventually(async () => expect(await headings(shared, 'school')).not.toEqual([]), LIMIT_MS)
    await shared.ready
    const own = await open(folder, false)
    for (const query of [
      'how do I renew my passport',
      'lost library card',
      'form 42',
      'pay for parking near the museum',
      'passpo',
      'librery',
      'garden waste',
      'xqxq',
    ])
      expect(await found(shared, query), query).toEqual(await found(own, query))
  },
  3 * LIMIT_MS,
)

test(
  'searches selected folders only, and returns the passages around one',
  async () => {
    const base = await open(folder)
    await eventually(async () => expect(await headings(base, 'school')).not.toEqual([]), LIMIT_MS)
    expect(await found(base, 'school', ['elsewhere'])).toEqual([])
    const [passage] = await found(base, 'borrow a bicycle')
    const around = await base.neighbours(passage?.id ?? '', { folders: ['.'], before: 1, after: 1 })
    expect([around?.before, around?.after].map((list) => list?.map(({ heading }) => heading))).toEqual([
      ['How to lose a bicycle?'],
      ['How to report a bicycle?'],
    ])
    expect(await base.neighbours(passage?.id ?? '', { folders: ['elsewhere'], before: 1, after: 1 })).toBeNull()
    expect(await base.neighbours('nothing', { folders: ['.'], before: 1, after: 1 })).toBeNull()
  },
  2 * LIMIT_MS,
)
