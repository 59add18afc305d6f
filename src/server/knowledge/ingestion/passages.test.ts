import { describe, expect, test } from 'vitest'
import { readHtml } from './extract/html.ts'
import { readMarkdown } from './markdown.ts'
import { PASSAGE_SIZES, passagesOf } from './passages.ts'

const SENTENCE = 'The pump is behind the cover at the lower right of the machine. '
const words = (text: string) => text.replace(/\s+/g, ' ').trim()
const manual = (sections: string) => `${sections}\n\n## Filler\n\n${SENTENCE.repeat(150)}`
const cut = (markdown: string) => passagesOf('a.md', readMarkdown(markdown))

describe('passages of a manual', () => {
  test('short sections are joined under their common heading and keep their own as lines', () => {
    const [first] = cut(manual(`# Manual\n\n## Care\n\n### Filter\n\n${SENTENCE.repeat(5)}\n\n### Lid\n\n${SENTENCE.repeat(5)}`))
    expect(first).toMatchObject({ title: 'Manual', path: ['Care'], heading: 'Care', subheadings: ['Filter', 'Lid'] })
    const text = SENTENCE.repeat(5).trim()
    expect(first?.text).toBe(`### Filter\n\n${text}\n\n### Lid\n\n${text}`)
  })

  test('long sections are cut between sentences into pieces of about the same length, and nothing is lost', () => {
    const text = Array.from({ length: 120 }, (_, index) => `Sentence ${index} tells what to do with part ${index}.`).join(' ')
    const passages = cut(`# Manual\n\n## Parts\n\n${text}`)
    expect(passages.map((passage) => words(passage.text)).join(' ')).toBe(text)
    for (const passage of passages) {
      expect(passage.text).toMatch(/^Sentence \d+ .*\.$/)
      expect(passage.text.length).toBeGreaterThanOrEqual(PASSAGE_SIZES.min)
      expect(passage.text.length).toBeLessThanOrEqual(PASSAGE_SIZES.max)
    }
  })

  test('code that fits a passage is not cut, and longer code is cut between lines with its fence', () => {
    const line = 'command --with-an-option value'
    const [short, long] = [20, 200].map((lines) => `\`\`\`sh\n${`${line}\n`.repeat(lines)}\`\`\``)
    const passages = cut(`# Manual\n\n## Code\n\n${SENTENCE.repeat(20)}\n\n${short}\n\n## More\n\n${long}`)
    expect(passages.some(({ text }) => text.includes(short as string))).toBe(true)
    for (const { text } of passages.filter(({ heading }) => heading === 'More')) {
      expect(text).toMatch(/^```sh\n[\s\S]*\n```$/)
      for (const one of text.split('\n').slice(1, -1)) expect(one).toBe(line)
    }
  })

  test('a heading that is a question, or has keywords, keeps its passage', () => {
    const passages = cut(
      manual('# Manual\n\n## Is it safe?\n\nYes.\n\n## Lid\n<!-- keywords: cover -->\n\nBlue.\n\n## Box\n\nRed.\n\n## Bag\n\nGreen.'),
    )
    expect(passages.slice(0, 3).map(({ heading, text, keywords }) => [heading, text, keywords])).toEqual([
      ['Is it safe?', 'Yes.', ''],
      ['Lid', 'Blue.', 'cover'],
      ['Manual', expect.stringMatching(/^## Box\n\nRed\.\n\n## Bag/), ''],
    ])
  })

  test('lines in code fences are no headings and no comments', () => {
    const [first] = cut('# T\n\n## One\n<!-- keywords: first, uno -->\n\n```sh\n# no heading\n<!-- none -->\n```\n\n## Empty\n')
    expect(first).toMatchObject({ heading: 'One', text: '```sh\n# no heading\n<!-- none -->\n```', keywords: 'first, uno' })
  })
})

describe('hostile documents take time linear in their length', () => {
  test.each<[string, string]>([
    ['a megabyte of brackets', '<'.repeat(500_000) + '['.repeat(500_000)],
    ['20,000 headings', Array.from({ length: 20_000 }, (_, index) => `<h2>Heading ${index}</h2><p>Text ${index}.</p>`).join('')],
    ['100,000 levels', `${'<div>'.repeat(100_000)}Deep text.${'</div>'.repeat(100_000)}`],
    ['nested tables', `${'<table><tr><td>'.repeat(20_000)}Cell.`],
    ['nested lists', `${'<ul><li><a href="#">x</a>'.repeat(20_000)}Item.`],
    ['a word of a megabyte', `<p>${'a'.repeat(1_000_000)}</p>`],
    ['a megabyte of sentence ends', `<p>${'.) '.repeat(330_000)}</p>`],
  ])('%s', (_, html) => {
    const startedAt = performance.now()
    const passages = passagesOf('a.html', readHtml(html))
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(PASSAGE_SIZES.max + 20)
    // Only what is quadratic takes this long.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test.each<[string, string]>([
    ['brackets', '[('.repeat(500_000)],
    ['comments', '<!-- keywords: '.repeat(60_000)],
    ['fences', '```\n'.repeat(200_000)],
    ['a heading of a megabyte', `# ${'# '.repeat(500_000)}`],
  ])('Markdown: %s', (_, markdown) => {
    const startedAt = performance.now()
    cut(markdown)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})
