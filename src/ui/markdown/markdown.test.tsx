import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BlocksContext, Markdown } from './markdown.tsx'
import { RICH_BLOCKS } from './rich-blocks.ts'

const render = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

test.each([
  ['[x](javascript:alert(1))'],
  ['[x](JaVaScRiPt:alert(1))'],
  ['[x](javascript&colon;alert(1))'],
  ['[x](&#106;avascript:alert(1))'],
  ['[x](data:text/html,<script>alert(1)</script>)'],
  ['[x](//evil.example/a)'],
  ['[x](/relative)'],
  ['[x](vbscript:a)'],
  ['<javascript:alert(1)>'],
  ['![x](javascript:alert(1))'],
])('%s is not a link', (text) => {
  expect(render(text)).not.toMatch(/<a\b/)
})

test.each([['https://example.org/a?b=1'], ['http://example.org/'], ['mailto:someone@example.org']])('links %s safely', (address) => {
  const html = render(`[text](${address})`)
  expect(html).toContain(`href="${address}"`)
  expect(html).toContain('rel="noopener noreferrer nofollow"')
})

test.each([
  ['![a picture](https://evil.example/?d=secret)'],
  ['![a picture][ref]\n\n[ref]: https://evil.example/'],
  ['<img src="https://evil.example/" onerror="alert(1)">'],
])('%s loads no image', (text) => {
  const html = render(text)
  expect(html).not.toMatch(/<img/)
})

test.each([['<script>alert(1)</script>'], ['a <svg onload=alert(1)> b'], ['<iframe srcdoc="x">'], ['<style>*{display:none}</style>']])(
  'shows %s as text',
  (text) => {
    expect(render(text)).not.toMatch(/<(script|svg|iframe|style)/)
    expect(render(text)).toContain('&lt;')
  },
)

test('renders double tildes as strikethrough, and single ones as text', () => {
  expect(render('~~gone~~')).toContain('<del>gone</del>')
  expect(render('5~10 個、20~30 個, H~2~O')).not.toContain('<del>')
})

test('shows code as text, with more controls only once they are loaded', () => {
  const code = <Markdown text={'```js\na < b\n```'} />
  expect(renderToStaticMarkup(code)).toContain('<code>a &lt; b</code>')
  expect(renderToStaticMarkup(code)).not.toContain('Copy code')
  expect(renderToStaticMarkup(<BlocksContext value={RICH_BLOCKS}>{code}</BlocksContext>)).toContain('Copy code')
})

test('decodes character references once', () => {
  expect(render('1 &lt; 2 &amp;amp; &#65;')).toContain('1 &lt; 2 &amp;amp; A')
})

test('shows endlessly nested quotes as text', () => {
  expect(render(`${'> '.repeat(1_000)}deep`)).toContain('deep')
})

test('shows long HTML in parts that are laid out one by one, with all its lines', () => {
  const html = `<div>\n${'x\n'.repeat(500)}</div>`
  const parts = [...render(html).matchAll(/<div>([^<]*)<\/div>/g)].map(([, part = '']) => part)
  expect(parts.map((part) => part.split('\n').length)).toEqual([201, 201, 102])
  expect(parts.join('')).toBe(html.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
})

test('keeps headings in order below the page’s own, without a gap', () => {
  const levels = [...render('## A\n\n#### B\n\n#### C\n\n## D\n\n# E\n\n## F').matchAll(/<(h\d)/g)].map(([, level]) => level)
  expect(levels).toEqual(['h3', 'h4', 'h4', 'h3', 'h3', 'h4'])
})
