import { describe, expect, test } from 'vitest'
import { readHtml } from './extract/html.ts'
import { readMarkdown } from './markdown.ts'
import { PASSAGE_SIZES, passagesOf } from './passages.ts'

const SENTENCE = 'The pump is behind the cover at the lower right of the machine. '
const words = (text: string) => text.replace(/\s+/g, ' ').trim()
const manual = (sections: string) => `${sections}\n\n## Filler\n\n${SENTENCE.repeat(150)}`
const cut = (markdown: string) => passagesOf('a.md', readMarkdown(markdown))

describe('passages of a manual', () => {
  test('short sections are joined under their common heading and keep their own headings as lines', () => {
    const [first] = cut(manual(`# Manual\n\n## Care\n\n### Filter\n\n${SENTENCE.repeat(5)}\n\n### Lid\n\n${SENTENCE.repeat(5)}`))
    expect(first).toMatchObject({ title: 'Manual', path: ['Care'], heading: 'Care', subheadings: ['Filter', 'Lid'] })
    const text = SENTENCE.repeat(5).trim()
    expect(first?.text).toBe(`### Filter\n\n${text}\n\n### Lid\n\n${text}`)
  })

  test('long sections are split between sentences into pieces of similar length, and nothing is lost', () => {
    const text = Array.from({ length: 120 }, (_, index) => `Sentence ${index} tells what to do with part ${index}.`).join(' ')
    const passages = cut(`# Manual\n\n## Parts\n\n${text}`)
    expect(passages.map((passage) => words(passage.text)).join(' ')).toBe(text)
    for (const passage of passages) {
      expect(passage.text).toMatch(/^Sentence \d+ .*\.$/)
      expect(passage.text.length).toBeGreaterThanOrEqual(PASSAGE_SIZES.min)
      expect(passage.text.length).toBeLessThanOrEqual(PASSAGE_SIZES.max)
    }
  })

  test('long sections are split between paragraphs into pieces of similar length', () => {
    const paragraph = `${SENTENCE.repeat(6)}\n\n`
    const lengths = cut(`# Manual\n\n## Parts\n\n${paragraph.repeat(10)}`).map(({ text }) => text.length)
    expect(new Set(lengths).size, lengths.join()).toBe(1)
  })

  test('a section that is much longer than a passage is cut, one that answers by itself is not', () => {
    const paragraphs = `${SENTENCE.repeat(3)}\n\n`.repeat(8)
    expect(cut(manual(`# Manual\n\n## Parts\n\n${paragraphs}`)).filter(({ heading }) => heading === 'Parts')).toHaveLength(2)
    expect(cut(manual(`# Manual\n\n## Which parts?\n\n${paragraphs}`)).filter(({ heading }) => heading === 'Which parts?')).toHaveLength(1)
  })

  test('a term stays with its definition', () => {
    const terms = Array.from({ length: 12 }, (_, index) => `<dt>Part ${index}</dt><dd>${SENTENCE.repeat(3)}</dd>`)
    const passages = passagesOf('a.html', readHtml(`<dl>${terms.join('')}</dl>`))
    expect(passages.length).toBeGreaterThan(2)
    for (const { text } of passages) expect(text).toMatch(/^Part \d+\n[^]* machine\.$/)
  })

  test('code that fits a passage is not split, and longer code is split between lines with its fence', () => {
    const line = 'command --with-an-option value'
    const [short, long] = [20, 200].map((lines) => `\`\`\`sh\n${`${line}\n`.repeat(lines)}\`\`\``)
    const passages = cut(`# Manual\n\n## Code\n\n${SENTENCE.repeat(20)}\n\n${short}\n\n## More\n\n${long}`)
    expect(passages.some(({ text }) => text.includes(short as string))).toBe(true)
    for (const { text } of passages.filter(({ heading }) => heading === 'More')) {
      expect(text).toMatch(/^```sh\n[\s\S]*\n```$/)
      for (const one of text.split('\n').slice(1, -1)) expect(one).toBe(line)
    }
  })

  test('a section whose heading is a question or has keywords keeps a passage of its own', () => {
    const passages = cut(
      manual('# Manual\n\n## Is it safe?\n\nYes.\n\n## Lid\n<!-- keywords: cover -->\n\nBlue.\n\n## Box\n\nRed.\n\n## Bag\n\nGreen.'),
    )
    expect(passages.slice(0, 3).map(({ heading, text, keywords }) => [heading, text, keywords])).toEqual([
      ['Is it safe?', 'Yes.', ''],
      ['Lid', 'Blue.', 'cover'],
      ['Manual', expect.stringMatching(/^## Box\n\nRed\.\n\n## Bag/), ''],
    ])
  })

  test('lines in code fences are not read as headings or comments', () => {
    const [first] = cut('# T\n\n## One\n<!-- keywords: first, uno -->\n\n```sh\n# no heading\n<!-- none -->\n```\n\n## Empty\n')
    expect(first).toMatchObject({ heading: 'One', text: '```sh\n# no heading\n<!-- none -->\n```', keywords: 'first, uno' })
  })
})

describe('hostile documents are read to their end', () => {
  test.each<[string, string]>([
    ['brackets', '<'.repeat(500_000) + '['.repeat(500_000)],
    ['headings', Array.from({ length: 30_000 }, (_, index) => `<h2>Heading ${index}</h2><p>Text ${index}.</p>`).join('')],
    ['nested tables', `${'<table><tr><td>'.repeat(3_000)}Cell.`],
    ['nested lists', `${'<ul><li><a href="#">x</a>'.repeat(3_000)}Item.`],
    ['a long word', `<p>${'a'.repeat(5_000_000)}</p>`],
    ['sentence ends', `<p>${'.) '.repeat(500_000)}</p>`],
  ])('HTML: %s', (_, html) => {
    for (const { text } of passagesOf('a.html', readHtml(html))) expect(text.length).toBeLessThanOrEqual(PASSAGE_SIZES.max + 20)
  })

  test.each<[string, string]>([
    ['brackets', '[('.repeat(500_000)],
    ['a long paragraph', 'some words\n'.repeat(1_400_000)],
    ['comments', '<!-- keywords: '.repeat(500_000)],
    ['fences', '```\n'.repeat(500_000)],
    ['a long heading', `# ${'# '.repeat(1_000_000)}`],
  ])('Markdown: %s', (_, markdown) => {
    for (const { text } of cut(markdown)) expect(text.length).toBeLessThanOrEqual(PASSAGE_SIZES.max + 20)
  })

  test('a page nested too deeply to be read is rejected', () => {
    const nested = (levels: number) => `${'<div>'.repeat(levels)}Deep text.`
    expect(() => readHtml(nested(100_000))).toThrow('It is nested too deeply.')
    expect(passagesOf('a.html', readHtml(nested(5_000)))).toMatchObject([{ text: 'Deep text.' }])
  })
})

test('text of headings alone is text, and one that is too long for a heading is whole', () => {
  const long = `${'The supplier is liable for intent only. '.repeat(6)}The end.`
  const section = (level: number, heading: string, texts: string[] = []) => ({
    level,
    heading,
    keywords: '',
    blocks: texts.map((text) => ({ kind: 'paragraph' as const, text })),
  })
  const sections = [section(1, 'Menu'), section(2, 'Soup 4 €'), section(2, 'Mains'), section(3, 'Fish 9 €'), section(2, long, ['Body.'])]
  const passages = passagesOf('a.pdf', { title: null, address: null, asOf: null, sections })
  const all = passages.map(({ text }) => text).join('\n')
  expect(all).toContain('Soup 4 €')
  expect(all).toMatch(/# Mains\s+Fish 9 €/)
  expect(all).toContain('The end.')
})
