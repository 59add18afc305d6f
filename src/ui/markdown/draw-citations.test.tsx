import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { splitCitations } from '../../contract/chat/citation.ts'
import { CitationContext } from './citations.ts'
import { drawCitations } from './draw-citations.tsx'
import { completeMarkdown } from './streaming-markdown.ts'
import { Markdown } from './markdown.tsx'

/** Sources 1 to 3 exist. */
const CITATIONS = drawCitations({ split: splitCitations, mark: (number) => (number <= 3 ? <sup>{number}</sup> : undefined) })

const render = (text: string, isStreaming = false) =>
  renderToStaticMarkup(
    <CitationContext value={CITATIONS}>
      <Markdown text={text} complete={isStreaming ? completeMarkdown : undefined} />
    </CitationContext>,
  )
const body = (text: string) => render(text).replace(/^<div[^>]*>(?:<p dir="auto">)?|(?:<\/p>)?<\/div>$/g, '')

describe('a citation', () => {
  test.each([
    ['30 days [1].', '30 days<sup>1</sup>.'],
    ['30 days[1][2].', '30 days<sup>1</sup><sup>2</sup>.'],
    ['30 days [1, 2; 3]', '30 days<sup>1</sup><sup>2</sup><sup>3</sup>'],
    ['30 天【2】。', '30 天<sup>2</sup>。'],
    ['**30 days [1]** and *more [2]*', '<strong>30 days<sup>1</sup></strong> and <em>more<sup>2</sup></em>'],
    ['[1]', '<sup>1</sup>'],
    ['30 days [1, 9].', '30 days<sup>1</sup>[9].'],
    ['30 days [1].\n\n[1]: https://evil.example/', '30 days <sup>1</sup>.'],
    ['30 days [1][2].\n\n[2]: https://evil.example/', '30 days <sup>1</sup><sup>2</sup>.'],
  ])('in %j is rendered as a mark', (text, html) => {
    expect(body(text)).toBe(html)
  })

  test.each(['- a [1]', '> a [1]', '## A [1]', '| a |\n|---|\n| b [1] |', '1. a\n\n   b [1]'])(
    'in %j is rendered as a mark too',
    (text) => {
      expect(render(text)).toContain('<sup>1</sup>')
    },
  )

  test.each([
    ['`list[1]`', '<code dir="ltr">list[1]</code>'],
    ['\\[1\\]', '[1]'],
    ['a [7] b', 'a [7] b'],
    ['a [7][8] b [9, 10]', 'a [7][8] b [9, 10]'],
    ['a [0] [x] [] [1000] [-1]', 'a [0] [x] [] [1000] [-1]'],
  ])('is not recognized in %j', (text, html) => {
    expect(body(text)).toBe(html)
  })

  test('is not recognized in a code block', () => {
    expect(render('```js\nlist[1]\n```')).not.toContain('<sup>')
  })

  test('is not recognized in a link', () => {
    expect(render('[1](https://example.org/)')).toContain('href="https://example.org/"')
    expect(render('[see [1] there](https://example.org/)')).not.toContain('<sup>')
    expect(render('[9]\n\n[9]: https://example.org/')).toContain('href="https://example.org/"')
  })

  test('is text if there are no sources', () => {
    expect(renderToStaticMarkup(<Markdown text="30 days [1]." />)).toContain('30 days [1].')
  })
})

const ANSWERS = [
  'You have **30 days [1]** to return it [1, 2]. Take `list[1]`, or [1](https://example.org/a) and [the page](https://example.org/).',
  '- First [1][2]\n- Second 【3】 and [12 apples](https://example.org/)\n\n| a [1] | b |\n|---|---|\n| c [2] | d [9] |\n\n```js\na[1]\n```\n',
  'Before [1].[2] After *it [3]*, `b[2]',
]

describe('while the answer streams one character at a time', () => {
  test.each(ANSWERS)('does not show a partial citation: %s', (answer) => {
    for (let length = 1; length <= answer.length; length += 1) {
      const shown = render(answer.slice(0, length), true)
        .replaceAll(/<code.*?<\/code>/gs, '')
        .replaceAll('[9]', '')
      expect(shown, answer.slice(0, length)).not.toMatch(/\[(?!<)|【/)
    }
  })

  test.each(ANSWERS)('keeps marks that were shown: %s', (answer) => {
    let before = 0
    for (let length = 1; length <= answer.length; length += 1) {
      const marks = render(answer.slice(0, length), true).split('<sup>').length
      expect(marks, answer.slice(0, length)).toBeGreaterThanOrEqual(before)
      before = marks
    }
  })

  test.each(ANSWERS)('ends like the complete text: %s', (answer) => {
    const whole = answer.replace(/`b\[2\]$/, '`b[2]`')
    expect(render(`${whole}\n\n.`, true)).toBe(render(`${whole}\n\n.`))
  })
})

test('a hundred citations are a hundred marks', () => {
  const html = render(Array.from({ length: 100 }, (_, index) => `Claim ${index} [${(index % 3) + 1}].`).join(' '))
  expect(html.match(/<sup>/g)).toHaveLength(100)
})
