import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

/** Some of each kind that is drawn with styles, lines or stretched signs of its own. */
const FORMULAS = [
  String.raw`Inline $a_1 * b_1$ and \(x < y\), for $5 or $6.`,
  '$$\n\\sum_{n=1}^{\\infty} \\frac{1}{n^2}\n= \\frac{\\pi^2}{6}\n$$',
  String.raw`\[ \left( \begin{matrix} a & b \\ c & d \end{matrix} \right) \overbrace{x + y}^{z} \sqrt[3]{\frac{a}{b}} \]`,
  String.raw`$\boxed{a} \cancel{b} \vec{c} \widehat{abc} \pmb{d} \fcolorbox{red}{blue}{e} \xrightarrow{f} \underline{g}$`,
  String.raw`\[ \begin{aligned} a &= b \\[2pt] &= c \end{aligned} \phase{x} \overrightarrow{AB} \color{red} r \rule{1em}{1em} \]`,
].join('\n\n')

test('draws formulas as they arrive, within the policy, and leaves prices alone', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  expect(visitor.requests.filter((address) => address.includes('formula'))).toEqual([])
  stage.model.script([{ text: FORMULAS, tokensPerSecond: 400 }])
  await visitor.ask('Show me formulas')
  const answer = visitor.answers.last()
  await expect.poll(() => answer.locator('.katex math').count()).toBe(6)
  expect(await answer.locator('.prose p').first().innerText()).toMatch(/for \$5 or \$6\.$/)
  expect(await answer.locator('annotation').first().textContent()).toBe('a_1 * b_1')
  // Fonts and styles came, and from nowhere else.
  await expect.poll(() => visitor.requests.some((address) => /KaTeX_Main.*\.woff2$/.test(address))).toBe(true)
  expect(
    await answer
      .locator('.katex')
      .first()
      .evaluate((element) => getComputedStyle(element).fontFamily),
  ).toContain('KaTeX_Main')
  expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
  expect(visitor.faults).toEqual([])
})

const HOSTILE = [
  String.raw`$\href{javascript:window.broken=1}{x}$`, String.raw`$\url{javascript:window.broken=1}$`,
  String.raw`$\includegraphics{https://evil.example/a.png}$`, String.raw`$\htmlStyle{position:fixed}{x}$ $\htmlId{composer}{x}$ $\htmlData{a=b}{x}$`,
  String.raw`$\def\a{\a\a}\a$`, String.raw`$\def\a#1{#1#1#1#1}\a{\a{\a{\a{\a{\a{\a{x}}}}}}}$`, String.raw`$\rule{9999em}{9999em}$ $\kern{9999em}$`,
  `$${'{'.repeat(2_000)}x${'}'.repeat(2_000)}$`, `$${String.raw`\frac{1}{`.repeat(400)}x${'}'.repeat(400)}$`, String.raw`$\text{<img src=x onerror="window.broken=1">}$`,
  String.raw`$\unknown{x}$ $\frac{1$`, '$', '$$', '[^1]: <script>window.broken=1</script>', 'Note[^1]',
].join('\n\n') // biome-ignore format: a list

test('a formula leads nowhere, loads nothing, and is no larger than its place', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: HOSTILE }])
  await visitor.ask('Break out')
  const answer = visitor.answers.last()
  await answer.locator('.katex').first().waitFor()
  await expect.poll(() => answer.locator('.katex').count()).toBe(9)
  expect(await visitor.page.evaluate(() => 'broken' in window)).toBe(false)
  expect(await answer.locator('a, img, iframe, script, [style*="fixed"], #composer, [data-a]').count()).toBe(0)
  expect(await answer.getByText(String.raw`$\unknown{x}$`).count()).toBe(1)
  const { scrollWidth, clientWidth } = await visitor.page.evaluate(() => document.documentElement)
  expect(scrollWidth).toBe(clientWidth)
  expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
  expect(visitor.faults).toEqual([])
})

test('stays at work under formulas without end', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: ['$x$ '.repeat(5_000), '\n\n', '$'.repeat(100_000), '\n\n', '$$x$$\n'.repeat(2_000), '\\('.repeat(5_000)] }])
  await visitor.ask('Exhaust yourself')
  await expect.poll(() => visitor.answers.locator('.katex').count(), { timeout: 20_000 }).toBe(1_000)
  await visitor.ask('Still there?')
})

test('a footnote’s number leads to the note, and back', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: 'It is so.[^1]\n\nAnd on.\n\n[^1]: *Somebody* said it.' }])
  await visitor.ask('Is it so?')
  const address = visitor.page.url()
  await visitor.button('Footnote 1').click()
  const back = visitor.button('Back to footnote 1 in the text')
  expect(await back.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await visitor.answers.locator('.footnote em').innerText()).toBe('Somebody')
  await back.press('Enter')
  expect(await visitor.button('Footnote 1').evaluate((element) => element === document.activeElement)).toBe(true)
  expect(visitor.page.url()).toBe(address)
})
