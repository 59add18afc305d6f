import { expect, test } from 'vitest'
import { readMarkdown } from './markdown.ts'
import { passagesOf } from './passages.ts'

const sectionsOf = (markdown: string) =>
  readMarkdown(markdown).sections.map(({ level, heading, keywords, blocks }) => [
    level,
    heading,
    keywords,
    ...blocks.map(({ kind, text }) => [kind, text]),
  ])

test('reads the blocks of each section by their kind', () => {
  expect(
    sectionsOf(
      'Before.\n# One ##\nFirst line\nsecond line\n- item\n  goes on\n- other\n\n| a | b |\n| c | d |\nAfter.\n\n```sh\n# none\n\nrun\n```\nEnd.',
    ),
  ).toEqual([
    [0, '', '', ['paragraph', 'Before.']],
    [
      1,
      'One',
      '',
      ['paragraph', 'First line\nsecond line'],
      ['item', '- item\n  goes on'],
      ['item', '- other'],
      ['row', '| a | b |'],
      ['row', '| c | d |'],
      ['paragraph', 'After.'],
      ['code', '```sh\n# none\n\nrun\n```'],
      ['paragraph', 'End.'],
    ],
  ])
})

test('reads keywords from each comment, and the text beside comments', () => {
  expect(sectionsOf('# One\n<!-- keywords: lid, cover -->\nIt <!-- not seen --> is <!-- keywords: box --> blue. <!-- open')).toEqual([
    [0, '', ''],
    [1, 'One', 'lid, cover box', ['paragraph', 'It  is  blue. <!-- open']],
  ])
})

test('a fence ends at one that is as long', () => {
  expect(sectionsOf('````\n```\n````\nText.')).toEqual([[0, '', '', ['code', '````\n```\n````'], ['paragraph', 'Text.']]])
})

test.each([
  ['HTML', '<!-- one\n\nsecret\n-->', ''],
  ['HTML that begins in a sentence', 'Fee. <!-- the\n\nsecret --> Paid.', 'Fee.  Paid.'],
  ['HTML that is never closed', 'Fee.\n\n<!-- secret\n\nsecret', 'Fee.'],
  ['references', '[//]: # (a (secret)\nsecret)\n[comment]: <> (secret)\nFee.\n[//]: # "secret"', 'Fee.'],
  ['Obsidian', '%% secret %%\n\n%%\nsecret\n\nsecret\n%%\n\nFee %%secret%% is 5 %.', 'Fee  is 5 %.'],
  ['MDX and templates', '{/* secret\n\nsecret */}\n{{/* secret */}}\n{% comment %}secret{% endcomment %}\nFee.', 'Fee.'],
  ['what only looks like one', '100 %% of `<!-- it -->`\n\n50 %% more', '100 %% of `<!-- it -->` 50 %% more'],
])('leaves out comments: %s', (_, markdown, text) => {
  expect(
    readMarkdown(markdown)
      .sections.flatMap(({ blocks }) => blocks.map((block) => block.text.trim()))
      .join(' '),
  ).toBe(text)
})

test('a comment in code is code', () => {
  expect(sectionsOf('> ```\n> <!-- kept -->\n> ```\n\n```\n%% kept %%\n```')).toEqual([
    [0, '', '', ['paragraph', '> ```\n> <!-- kept -->\n> ```'], ['code', '```\n%% kept %%\n```']],
  ])
})

test('reads underlined headings, without marks and attributes', () => {
  expect(sectionsOf('The *pool*\n===\n\nHow [do](https://a.example) I pay? {#pay}\n---\nBy card.\n{: .note}')).toEqual([
    [0, '', ''],
    [1, 'The pool', ''],
    [2, 'How do (https://a.example) I pay?', '', ['paragraph', 'By card.']],
  ])
})

test('leaves out struck text and tags, and keeps addresses', () => {
  expect(
    sectionsOf(
      'It is ~~4 €~~ <del>3 €</del> 5 € <b>now</b>[^1]: [apply](https://a.example/b_(c)), [more](other.md), <a href="mailto:a@b.example">mail</a>, <your name>, [form][f].\n\n[f]: https://f.example\n\n[^1]: Since May.',
    )[0]?.slice(3),
  ).toEqual([
    [
      'paragraph',
      'It is   5 € now: [apply](https://a.example/b_(c)), more, mail (mailto:a@b.example), <your name>, [form](https://f.example).',
    ],
    ['paragraph', 'Since May.'],
  ])
})

test('reads front matter: title and date, and nothing else', () => {
  const yaml = '---\ntitle: "Pool: hours"\nauthor: x@y.example\nlast_modified: 2025-03-04\n---\n\n# Pool\n\nIt opens at 9.\n'
  expect(readMarkdown(yaml)).toMatchObject({ title: 'Pool: hours', asOf: '2025-03-04', sections: [{ blocks: [] }, { heading: 'Pool' }] })
  expect(readMarkdown('+++\ntitle = "Pool"\ndate = 2025-03-04T08:00:00Z\n+++\nText.')).toMatchObject({ title: 'Pool', asOf: '2025-03-04' })
  expect(readMarkdown('---\ntitle: {{ page }}\nlayout: [a\n---\nText.')).toMatchObject({ title: '{{ page }}', asOf: null })
  expect(() => readMarkdown('---\ndraft: true\n---\nText.')).toThrow('It is a draft.')
  expect(readMarkdown('---\n\nText.\n\n---\n').sections[0]?.blocks).toEqual([{ kind: 'paragraph', text: 'Text.' }])
})

const textOf = (markdown: string, isPlain = false) =>
  readMarkdown(markdown, undefined, isPlain)
    .sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))
    .join('\n')

test.each([
  ['versions', 'pip install requests==2.31.0 flask==3.0.0'],
  ['comparisons', 'a==b and c==d, x !== y, a == b == c'],
  ['a rule of signs', '== Fees == and ======'],
  ['variables of a loop', 'for %%f in (*.txt) do echo %%f & del %%~nf'],
  ['classes of characters', 'Regex [^abc] and ^[a-z]+$ and x^[2]'],
])('signs that mark nothing are text: %s', (_, text) => {
  expect(textOf(text)).toBe(text)
})

test('marks of highlights and of footnotes that there are go', () => {
  expect(textOf('==All== of (==it is==), "==so==". 今日は==無料==です。')).toBe('All of (it is), "so". 今日は無料です。')
  expect(textOf('Fee[^1][^b]^[since last May] [^c].\n\n[^1]: Low.\n\n> [^b]: For adults.')).toBe(
    'Fee (since last May) [^c].\nLow.\nFor adults.',
  )
})

test('entities are the characters that they stand for, outside of code', () => {
  expect(textOf('Fees &amp; fines&nbsp;of 5&#8239;&euro;, &copy; City&#8217;s &quot;Pool&#x22; &bogus; AT&T; `&amp;` co&shy;op')).toBe(
    'Fees & fines of 5\u202f€, © City’s "Pool" &bogus; AT&T; `&amp;` coop',
  )
  // What they stand for marks nothing.
  expect(textOf('5 &lt; 6, &lt;b&gt; &#42;so&#42; &amp;lt;')).toBe('5 \\< 6, \\<b\\> \\*so\\* &amp;lt;')
  expect(sectionsOf('# Fees &amp; fines\n\n| Pool | 5 &lt; 6 |\n|---|---|\n| a &amp; b | c |\n\n```\n&amp;\n```')).toEqual([
    [0, '', ''],
    [1, 'Fees & fines', '', ['row', expect.stringContaining('a & b')], ['code', '```\n&amp;\n```']],
  ])
})

test.each([
  ['an import of several lines', "import {\n  Tabs,\n  Tab as Leaf,\n} from '@site/tabs'\n\nFee."],
  ['imports and exports in a row', "import a from 'a'\nimport * as b from \"b\";\nimport 'c.css'\nexport const d = 1\nFee."],
  ['an export of several lines', "export const meta = {\n  title: 'Pool {',\n\n  tags: ['a',\n    'b'],\n}\n\nFee."],
  ['a component', 'export default function Layout({ children }) {\n  return (\n    <main>\n\n      {children}\n    </main>\n  )\n}\nFee.'],
])('code of MDX is left out: %s', (_, markdown) => {
  expect(textOf(markdown)).toBe('Fee.')
})

test.each(["import goods from abroad, as they say in 'Customs'.\nMore.", 'export goods\n\nMore.', "```\nimport {\n  a,\n} from 'a'\n```"])(
  'is no code of MDX: %j',
  (markdown) => {
    expect(textOf(markdown)).toBe(markdown.replace('\n\n', '\n'))
  },
)

test('an export that is never closed is left out by its first line', () => {
  expect(textOf('export const a = {\n\nFee.\n\nexport const b = (\n\nPool.')).toBe('Fee.\nPool.')
})

test('plain text keeps its signs', () => {
  const text =
    '*All* ==of== it ~~is~~ <b>as</b> [written](https://a.example) &amp; [^1] `so`.\n\n[^1]: Note one.\n\n[f]: https://f.example\n\nexport const a = 1'
  expect(textOf(text, true)).toBe(text.replaceAll('\n\n', '\n'))
})

const titleOf = (text: string) =>
  passagesOf('fees/pool-fees_2026.txt', readMarkdown(text, undefined, true)).map(({ title, text: passage }) => [title, passage])

test.each([
  ['a blank line', '\n\n'],
  ['equals signs', '\n=====\n'],
  ['hyphens', '\n---------\n\n'],
])('a short first line of plain text before %s is its title', (_, after) => {
  expect(titleOf(`\uFEFF\nWhat is C# for?${after}It is *one*.`)).toEqual([['What is C# for?', 'It is *one*.']])
})

test.each([
  'It opens at nine.\n\nOn Sundays at ten.',
  `${'A long line '.repeat(8)}\n\nMore.`,
  'Dear visitors,\n\nwe are closed.',
  '- one\n\n- two',
  '2026-11-30\n\nClosed.',
  'The pool\nopens at nine.\n\nMore.',
  'Closed today\n',
])('plain text that begins with no title has its file’s name: %j', (text) => {
  expect(titleOf(text).map(([title]) => title)).toEqual(['pool-fees_2026'])
})

test.each([
  'draft: yes',
  'draft: "true"',
  'Draft: On',
  'status: draft',
  'state: Draft',
  'published: no',
  "published: 'false'",
  'draft: yes\nlayout: [a',
])('a draft is not read: %s', (line) => {
  expect(() => readMarkdown(`---\ntitle: Pool\n${line}\n---\nText.`)).toThrow('It is a draft.')
})

test.each(['draft: no', 'draft: "false"', 'draft:', 'status: final', 'published: yes', 'published: 2025-03-04'])(
  'is no draft: %s',
  (line) => {
    expect(readMarkdown(`---\n${line}\n---\nText.`).sections[0]?.blocks).toHaveLength(1)
  },
)

test('a block that is nested absurdly is text, and the others are read', () => {
  const sections = sectionsOf(`# One\n\nFirst.\n\n${'> '.repeat(4_000)}deep\n\n# Two\n\n- last`)
  expect(sections[1]?.slice(0, 4)).toEqual([1, 'One', '', ['paragraph', 'First.']])
  expect(sections.at(-1)).toEqual([1, 'Two', '', ['item', '- last']])
})
