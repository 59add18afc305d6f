import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApprovedAnswers, type ManagedAnswer } from './approved-answers.ts'
import { readApprovedFiles } from './approved-files.ts'

const FEE = {
  question: '"How much is the dog tax?"',
  languages: '[en]',
  owner: 'Treasury',
  source: '{ title: Dog tax statute, url: "https://example.org/dogs" }',
  validFrom: '2026-01-01',
  validUntil: '2026-12-31',
  matches: '["What do I pay in dog tax?"]',
  mustNotMatch: '["When is the dog tax due?"]',
}

const DRAFT: ManagedAnswer['content'] = {
  question: '',
  matches: [],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Treasury',
  sourceTitle: 'Statute',
  sourceUrl: '',
  validFrom: '2026-01-01',
  validUntil: '2026-12-31',
  text: 'There is none.',
}

let directory: string
let now: Date
let warnings: string[]
let answers: ApprovedAnswers
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'approved-'))
  mkdirSync(join(directory, 'approved'))
  now = new Date('2026-06-01')
  warnings = []
  answers = new ApprovedAnswers({ directory, now: () => now, onWarning: (message) => warnings.push(message) })
})
afterEach(() => rmSync(directory, { recursive: true }))

const write = (name: string, header: Readonly<Record<string, string>>, body = 'It is 96 euros.') => {
  const lines = Object.entries(header).map(([key, value]) => `${key}: ${value}\n`)
  writeFileSync(join(directory, 'approved', `${name}.md`), `---\n${lines.join('')}---\n${body}\n`)
}
const without = (key: keyof typeof FEE) => Object.fromEntries(Object.entries(FEE).filter(([name]) => name !== key))
const answer = async (prompt = 'How much is the dog tax?', excluded: string[] = []) =>
  (await answers.answerTo(prompt, excluded))?.text ?? null

test('answers with the text, its source and the day of approval', async () => {
  write('dog-tax', FEE)
  await answers.reload()
  expect([answers.problems, warnings]).toEqual([[], []])
  expect(await answers.answerTo('  what do I pay, in Dóg tax!? ', [])).toMatchObject({
    file: 'approved/dog-tax.md',
    text: 'It is 96 euros.',
    source: { title: 'Dog tax statute', url: 'https://example.org/dogs' },
    validFrom: '2026-01-01',
  })
  expect(await answer('How much is the dog tax?', ['approved/dog-tax.md'])).toBeNull()
})

test.each<[string, Record<string, string>, string, string]>([
  ['no owner', without('owner'), 'x', 'owner is missing'],
  ['no languages', without('languages'), 'x', 'languages is missing'],
  ['an unknown key', { ...FEE, onwer: 'me' }, 'x', 'line 10: onwer is no key of an approved answer'],
  ['a wrong date', { ...FEE, validUntil: 'soon' }, 'x', 'line 7: validUntil must be a date'],
  ['an end before its beginning', { ...FEE, validUntil: '2025-12-31' }, 'x', 'line 7: validUntil is before validFrom'],
  ['another address', { ...FEE, source: '{ title: x, url: "javascript:alert(1)" }' }, 'x', 'line 5: source must be a title'],
  ['an owner of spaces', { ...FEE, owner: '" "' }, 'x', 'line 4: owner must name who answers for it'],
  ['an owner that is a number', { ...FEE, owner: '5' }, 'x', 'line 4: owner must name who answers for it'],
  ['an owner of 201 characters', { ...FEE, owner: 'x'.repeat(201) }, 'x', 'line 4: owner must have at most 200 characters'],
  ['wordings that are no list', { ...FEE, matches: '5' }, 'x', 'line 8: matches is wrong: invalid input'],
  ['no answer', FEE, '', 'has no answer below the front matter'],
  [
    'a counter-example that is the question',
    { ...FEE, matches: '[]', mustNotMatch: '["How much is the dog tax?"]' },
    'x',
    'line 9: mustNotMatch.0 is one of its wordings',
  ],
])('a file with %s is named and left out; the others answer', async (_, header, body, problem) => {
  write('bad', header, body)
  write('cat-tax', { ...FEE, question: '"How much is the cat tax?"', matches: '[]', mustNotMatch: '[]' }, 'There is none.')
  await answers.reload()
  expect(answers.problems).toEqual([expect.stringContaining(problem)])
  expect(answers.problems[0]).toMatch(/^approved\/bad\.md, line \d+: /)
  expect(warnings).toEqual(answers.problems)
  expect([await answer(), await answer('How much is the cat tax?')]).toEqual([null, 'There is none.'])
})

test.each([
  ['another word', 'How much is dog tax?'],
  ['another number', 'What do I pay in dog tax 2?'],
  ['more words', 'Please, how much is the dog tax?'],
])('a prompt with %s is answered by the search', async (_, prompt) => {
  write('dog-tax', FEE)
  await answers.reload()
  expect(await answer(prompt)).toBeNull()
})

test('two answers to the same question are both named, and neither is given', async () => {
  write('one', FEE)
  write('two', FEE, 'It is 100 euros.')
  await answers.reload()
  expect(answers.problems).toContain('approved/one.md, line 2: question is also a wording of approved/two.md; neither answers it')
  expect(await answer()).toBeNull()
})

test('answers from its first to its last day, and is reported afterwards', async () => {
  write('dog-tax', FEE)
  await answers.reload()
  now = new Date('2025-12-31T23:59:59Z')
  expect(await answer()).toBeNull()
  now = new Date('2026-12-31T23:59:59Z')
  expect([await answer(), answers.problems]).toEqual(['It is 96 euros.', []])
  now = new Date('2027-01-01T00:00:00Z')
  expect(await answer()).toBeNull()
  expect(answers.problems).toEqual(['approved/dog-tax.md: expired on 2026-12-31 and is no longer used. Ask Treasury for a new version.'])
  await answers.reload()
  expect(warnings).toEqual(answers.problems)
})

test('a managed answer says whether it is given, and a draft is compared with the answers that are', async () => {
  const managed = (id: string, question: string, changes: Partial<ManagedAnswer['content']> = {}): ManagedAnswer => ({
    id,
    content: { ...DRAFT, question, ...changes },
  })
  write('Hidden', { ...FEE, question: '"How much is the cow tax?"', matches: '[]', mustNotMatch: '[]' })
  await answers.reload()
  await answers.setManaged([
    managed('given', 'How much is the dog tax?'),
    managed('later', 'How much is the cat tax?', { validFrom: '2026-07-01' }),
    managed('over', 'How much is the horse tax?', { validUntil: '2026-05-31' }),
    managed('wrong', 'How much is the pig tax?', { mustNotMatch: ['How much is the pig tax?'] }),
    managed('hidden', 'How much is the goat tax?'),
  ])
  expect(['given', 'later', 'over', 'wrong', 'hidden', 'unknown'].map((id) => answers.stateOf(id))).toEqual([
    'answers',
    'not-yet',
    'expired',
    'left-out',
    'hidden',
    'left-out',
  ])
  expect(answers.check('new', { ...DRAFT, question: 'How much is the dog tax?' })).toEqual([
    { field: 'question', line: null, message: 'Is also a wording of approved/given.md; neither answers it.' },
  ])
  expect(answers.check('new', { ...DRAFT, question: 'How much is the horse tax?' })).toEqual([])
})

test('a draft is told each of its mistakes at its field', async () => {
  expect(answers.check('new', { ...DRAFT, question: 'How much is the dog tax?', languages: [], text: ' ' })).toEqual([
    { field: 'languages', line: null, message: 'Must name at least one language.' },
    { field: 'text', line: null, message: 'Must not be empty.' },
  ])
  const question = 'How much is the dog tax?'
  expect(answers.check('new', { ...DRAFT, question, matches: ['What is the dog tax?'], mustNotMatch: ['cows', question] })).toEqual([
    { field: 'mustNotMatch', line: 2, message: 'Is one of its wordings.' },
  ])
})

test('a file that cannot be read is left out and reported', async () => {
  write('dog-tax', FEE)
  mkdirSync(join(directory, 'approved', 'folder.md'))
  await answers.reload()
  expect(answers.problems).toEqual(['approved/folder.md: left out. It cannot be read.'])
  expect(warnings).toContain('Reading approved/folder.md failed; leaving it out')
  expect(await answer()).toBe('It is 96 euros.')
})

test('reads 500 files, and says that it ignores the rest', async () => {
  for (let number = 1; number <= 500; number += 1) writeFileSync(join(directory, 'approved', `${number}.md`), '')
  const read = async () => (await readApprovedFiles(directory, () => undefined)).map(({ mistakes }) => mistakes.at(-1))
  expect(await read()).toHaveLength(500)
  writeFileSync(join(directory, 'approved', '501.md'), '')
  expect((await read()).slice(500)).toEqual(['approved: more than 500 approved answers; ignoring the rest.'])
})

test('files that change or go apply after the next reading; without a folder there are none', async () => {
  write('dog-tax', FEE)
  await answers.reload()
  write('dog-tax', FEE, 'It is 100 euros.')
  await answers.reload()
  expect(await answer()).toBe('It is 100 euros.')
  rmSync(join(directory, 'approved'), { recursive: true })
  await answers.reload()
  expect([await answer(), answers.problems]).toEqual([null, []])
})

test('managed answers are tested again with each change, as if all were new', async () => {
  const about = (id: string, question: string, changes: Partial<ManagedAnswer['content']> = {}): ManagedAnswer => ({
    id,
    content: { ...DRAFT, question, ...changes },
  })
  write('dog-tax', FEE)
  await answers.reload()
  const cats = about('cats', 'How much is the cat tax?')
  const rival = about('rival', 'How much is the dog tax?')
  const steps = [
    [cats],
    [cats, rival],
    [cats],
    [cats, about('rival', 'How much is the cat tax?', { mustNotMatch: ['How much is the dog tax?'] })],
    [about('cats', 'How much is the cow tax?'), about('rival', 'How much is the cat tax?')],
    [about('dog-tax', 'How much is the cow tax?')],
    [],
  ]
  for (const step of steps) {
    await answers.setManaged(step)
    const fresh = new ApprovedAnswers({ directory, now: () => now, onWarning: () => undefined })
    await fresh.reload()
    await fresh.setManaged(step)
    expect([answers.folder, answers.problems]).toEqual([fresh.folder, fresh.problems])
    for (const prompt of ['how much is the dog tax', 'how much is the cat tax', 'how much is the cow tax'])
      expect((await answers.answerTo(prompt, []))?.file).toBe((await fresh.answerTo(prompt, []))?.file)
  }
  await answers.setManaged([cats, rival])
  expect(answers.problems).toEqual([
    'approved/dog-tax.md, line 2: question is also a wording of approved/rival.md; neither answers it',
    'approved/rival.md, managed: question is also a wording of approved/dog-tax.md; neither answers it',
  ])
  expect([await answer(), await answer('How much is the cat tax?')]).toEqual([null, 'There is none.'])
})

test('a file is listed no earlier than it is in force', async () => {
  await answers.setManaged([{ id: 'rival', content: { ...DRAFT, question: 'How much is the dog tax?' } }])
  write('dog-tax', FEE)
  const reloaded = answers.reload()
  while (answers.folder.length === 0) {
    expect(await answer()).toBe('There is none.')
    await nextTurn()
  }
  expect([answers.folder.length, await answer()]).toEqual([1, null])
  await reloaded
})

test('compares a prompt by meaning where no wording is exact, and gives no answer that may not be used', async () => {
  let wordings: readonly string[] = []
  const asked: string[] = []
  const knowledge = {
    hasEmbedding: true,
    setWordings: (all: readonly string[]) => void (wordings = all),
    async nearWordings(prompt: string) {
      asked.push(prompt)
      return [{ wording: 'How much is the dog tax?', similarity: 0.96 }]
    },
  }
  answers = new ApprovedAnswers({ directory, knowledge, now: () => now, onWarning: () => undefined })
  write('dog-tax', { ...FEE, mustNotMatch: '[When is it due?]' })
  await answers.reload()
  expect([answers.comparesMeaning, wordings]).toEqual([true, ['How much is the dog tax?', 'What do I pay in dog tax?', 'When is it due?']])
  const near = 'What does it cost to keep a dog?'
  expect([await answer(), await answer(near)]).toEqual(['It is 96 euros.', 'It is 96 euros.'])
  expect(asked).toEqual([near])
  expect(await answer(near, ['approved/dog-tax.md'])).toBeNull()
  now = new Date('2031-01-01')
  expect(await answer(near)).toBeNull()
})
