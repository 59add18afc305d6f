import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { openStage, type Stage, Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

/** Formulas of each kind with special styles, lines or stretched signs. */
const FORMULAS = [
  String.raw`Inline $a_1 * b_1$ and \(x < y\), for $5 or $6.`,
  '$$\n\\sum_{n=1}^{\\infty} \\frac{1}{n^2}\n= \\frac{\\pi^2}{6}\n$$',
  String.raw`\[ \left( \begin{matrix} a & b \\ c & d \end{matrix} \right) \overbrace{x + y}^{z} \sqrt[3]{\frac{a}{b}} \]`,
  String.raw`$\boxed{a} \cancel{b} \vec{c} \widehat{abc} \pmb{d} \fcolorbox{red}{blue}{e} \xrightarrow{f} \underline{g}$`,
  String.raw`\[ \begin{aligned} a &= b \\[2pt] &= c \end{aligned} \phase{x} \overrightarrow{AB} \color{red} r \rule{1em}{1em} \]`,
].join('\n\n')

test('renders formulas as they arrive, within the content security policy, and leaves prices alone', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  expect(visitor.requests.filter((address) => address.includes('formula'))).toEqual([])
  stage.model.script([{ text: FORMULAS, tokensPerSecond: 400 }])
  await visitor.ask('Show me formulas')
  const answer = visitor.answers.last()
  await expect.poll(() => answer.locator('.katex math').count()).toBe(6)
  await expect.poll(() => answer.locator('.prose p').first().innerText()).toMatch(/for \$5 or \$6\.$/)
  await expect.poll(() => answer.locator('annotation').first().textContent()).toBe('a_1 * b_1')
  // Fonts and styles were loaded, from our own origin only.
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

test('a formula has no links, loads nothing, and does not exceed its place', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: HOSTILE }])
  await visitor.ask('Break out')
  const answer = visitor.answers.last()
  await answer.locator('.katex').first().waitFor()
  await expect.poll(() => answer.locator('.katex').count()).toBe(9)
  expect(await visitor.page.evaluate(() => 'broken' in window)).toBe(false)
  await expect.poll(() => answer.locator('a, img, iframe, script, [style*="fixed"], #composer, [data-a]').count()).toBe(0)
  await expect.poll(() => answer.getByText(String.raw`$\unknown{x}$`).count()).toBe(1)
  const { scrollWidth, clientWidth } = await visitor.page.evaluate(() => document.documentElement)
  expect(scrollWidth).toBe(clientWidth)
  expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
  expect(visitor.faults).toEqual([])
})

test('stays responsive with endless formulas', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: ['$x$ '.repeat(5_000), '\n\n', '$'.repeat(100_000), '\n\n', '$$x$$\n'.repeat(2_000), '\\('.repeat(5_000)] }])
  await visitor.ask('Exhaust yourself')
  await expect.poll(() => visitor.answers.locator('.katex').count()).toBe(1_000)
  await visitor.ask('Still there?')
})

test('a footnote’s label links to the note and back', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: 'It is so.[^a]\n\nAnd on.\n\n[^a]: *Somebody* said it.' }])
  await visitor.ask('Is it so?')
  const address = visitor.page.url()
  await visitor.button('Footnote a').click()
  const back = visitor.button('Back to footnote a in the text')
  await expect.poll(() => back.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(() => visitor.answers.locator('.footnote em').innerText()).toBe('Somebody')
  await back.press('Enter')
  await expect.poll(() => visitor.button('Footnote a').evaluate((element) => element === document.activeElement)).toBe(true)
  expect(visitor.page.url()).toBe(address)
})

test('code is highlighted in a worker, and each language loads when it is first used', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: '```ts\nconst answer: number = 42\n```\n\n```nonsense\nconst nothing\n```\n\n```py\nimport os\n```' }])
  await visitor.ask('Show me code')
  const code = visitor.answers.last().locator('pre code')
  const colourOf = (index: number, word: string) =>
    code
      .nth(index)
      .getByText(word, { exact: true })
      .evaluate((element) => getComputedStyle(element).color)
  await expect.poll(() => code.nth(2).locator('span span').count()).toBeGreaterThan(1)
  const keyword = await colourOf(0, 'const')
  expect(await colourOf(0, 'answer')).not.toBe(keyword)
  expect(await colourOf(0, '42')).not.toBe(keyword)
  expect(await colourOf(2, 'import')).toBe(keyword)
  await expect.poll(() => code.nth(1).locator('span').count()).toBe(0)
  await expect.poll(() => code.first().innerText()).toBe('const answer: number = 42\n')
  expect(visitor.page.workers().map((worker) => new URL(worker.url()).pathname)).toEqual([expect.stringContaining('highlight-worker')])
  const grammars = visitor.requests.map((address) => /\/(typescript|python|ruby)-/.exec(address)?.[1]).filter(Boolean)
  expect(new Set(grammars)).toEqual(new Set(['typescript', 'python']))
  await visitor.page.emulateMedia({ colorScheme: 'dark' })
  expect(await colourOf(0, 'const')).not.toBe(keyword)
  expect(visitor.faults).toEqual([])
})

test('long code is collapsed while it grows, expands on demand, and is copied whole', async () => {
  visitor = await stage.visitor({ permissions: ['clipboard-read', 'clipboard-write'] })
  await visitor.enter()
  const code = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n')
  stage.model.script([{ text: ['```text\n', ...code.split(/(?<=\n)/), '\n```\n\nThat was it.'], tokensPerSecond: 400 }])
  await visitor.ask('Write code')
  const block = visitor.answers.locator('.code pre')
  const height = () => block.evaluate((element) => element.clientHeight)
  const folded = await height()
  await expect.poll(() => block.innerText()).toBe(code.split('\n').slice(0, 30).join('\n'))
  await visitor.button('Show all 120 lines').click()
  expect(await height()).toBeGreaterThan(folded * 3)
  await visitor.button('Show 30 lines').click()
  expect(await height()).toBe(folded)
  await visitor.button('Copy code').click()
  await visitor.page.getByText('Copied').waitFor()
  expect(await visitor.page.evaluate(() => navigator.clipboard.readText())).toBe(code)
})

test('a prompt longer than the screen is copied whole', async () => {
  visitor = await stage.visitor({ permissions: ['clipboard-read', 'clipboard-write'] })
  await visitor.enter()
  const prompt = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n')
  await visitor.ask(prompt)
  await visitor.prompts.hover()
  await visitor.button('Copy message').click()
  await visitor.page.getByText('Copied').waitFor()
  expect(await visitor.page.evaluate(() => navigator.clipboard.readText())).toBe(prompt)
})

test('the reader’s place stays while code, formulas and tables arrive below it', async () => {
  visitor = await stage.visitor({ viewport: { width: 375, height: 700 } })
  await visitor.enter()
  stage.model.script([{ text: 'A paragraph to be read in peace.\n\n'.repeat(40) }])
  await visitor.ask('Write much')
  const part = '$$\n\\frac{a}{b}\n$$\n\n```js\nlet a = 1\nlet b = 2\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nWords and words.\n\n'
  const isRead = Promise.withResolvers<void>()
  stage.model.script([{ text: part.repeat(2) }, { until: isRead.promise }, { text: part.repeat(12), tokensPerSecond: 100 }])
  await visitor.send('Go on')
  await visitor.answers.nth(1).locator('.katex').first().waitFor()
  const read = visitor.answers.first().locator('p').nth(10)
  await visitor.page.mouse.move(180, 300)
  await visitor.page.mouse.wheel(0, -100)
  await read.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const reading = read.evaluate(async (paragraph) => {
    const seen: number[] = []
    const answer = document.querySelectorAll('article.agent')[1]!
    while (answer.getAttribute('aria-busy') === 'true') {
      seen.push(paragraph.getBoundingClientRect().y)
      await new Promise(requestAnimationFrame)
    }
    return [...seen, paragraph.getBoundingClientRect().y]
  })
  isRead.resolve()
  const places = await reading
  await visitor.answers.nth(1).locator('.katex').nth(13).waitFor({ state: 'attached' })
  expect(places.length).toBeGreaterThan(1)
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(2)
  await visitor.button('Jump to latest').click()
  await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.className)).toBe('thread')
  await expect.poll(() => visitor.page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY)).toBeLessThan(8)
})

test('a right-to-left list or table is laid out so as a whole, in a left-to-right page', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: 'In Arabic:\n\n- شاي\n\n- ماء\n\n> كوب\n\n| نوع | وقت |\n|---|---|\n| أخضر | 2 |\n\n- in English' }])
  await visitor.ask('What is tea?')
  const directions = visitor.answers
    .locator('ul, ul p, blockquote, blockquote p, td')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction))
  expect(await directions).toEqual([...Array<string>(7).fill('rtl'), 'ltr'])
})

const WIDE_TABLE = ['| tea |', ...Array.from({ length: 9 }, (_, index) => ` a property ${index} |`)].join('')
const WIDE_ROW = ['| green |', ...Array.from({ length: 9 }, (_, index) => ` its value ${index} |`)].join('')

test('a table that doesn’t fit scrolls and keeps its first column in place', async () => {
  visitor = await stage.visitor({ viewport: { width: 390, height: 700 }, hasTouch: true })
  await visitor.enter()
  stage.model.script([{ text: `${WIDE_TABLE}\n${'|---'.repeat(10)}|\n${WIDE_ROW}\n\n| tea |\n|---|\n| black |` }])
  await visitor.ask('All teas?')
  const left = () => visitor.answers.getByRole('cell', { name: 'green' }).evaluate((cell) => cell.getBoundingClientRect().left)
  const before = await left()
  await visitor.answers
    .getByRole('group', { name: 'Table' })
    .first()
    .evaluate((table) => table.scrollBy(500, 0))
  expect(await left()).toBe(before)
  expect(visitor.faults).toEqual([])
})

test('a long word in a table breaks within its cell', async () => {
  visitor = await stage.visitor({ viewport: { width: 390, height: 700 }, hasTouch: true })
  await visitor.enter()
  const word = 'Rindfleischetikettierung'.repeat(6)
  stage.model.script([{ text: `| ${word} | fee |\n|---|---|\n| ${word} | ${word} |` }])
  await visitor.ask('Which law?')
  const cells = visitor.answers.locator(':is(th, td)')
  await expect.poll(() => cells.count()).toBe(4)
  expect(await cells.evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length)).toBe(0)
  expect(visitor.faults).toEqual([])
})

test('reasoning is collapsed and shows its duration, after a reload too', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ reasoning: `Hm, what could **that** be?${'\n\nHm.'.repeat(40)}` }, { text: 'Nothing.' }])
  await visitor.ask('What is it?')
  const thoughts = visitor.answers.getByText('Thought for 1 second')
  const place = await thoughts.boundingBox()
  await thoughts.click()
  await visitor.answers.getByText('Hm, what could that be?').waitFor()
  await expect.poll(() => visitor.answers.locator('.step strong').innerText()).toBe('that')
  expect(await thoughts.boundingBox()).toEqual(place)
  await visitor.page.reload()
  await thoughts.waitFor()
  await expect.poll(() => visitor.answers.getByText('Hm, what could that be?').isVisible()).toBe(false)
})

test('a source is listed with its number and shows its passage on a card; reasoning and tools expand', async () => {
  // The built-in model answers from files.
  const server = await startServer({ database: 'sqlite' })
  try {
    visitor = new Visitor(server.url, await (await stage.browser.newContext({ viewport: { width: 375, height: 700 } })).newPage())
    await visitor.enter()
    await visitor.ask('how long do you keep my chats?')
    await visitor.page.getByRole('button', { name: /^1\s*Privacy/ }).click()
    const card = visitor.page.getByRole('dialog', { name: 'Privacy' })
    await expect.poll(() => card.locator('q').innerText()).toContain('30 days')
    const box = (await card.boundingBox())!
    expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 375 && box.y + box.height <= 700).toBe(true)
    await visitor.page.keyboard.press('Escape')
    await expect.poll(() => card.isVisible()).toBe(false)
    await visitor.answers.getByText('Knowledge search').click()
    await expect.poll(() => visitor.answers.locator('dd').first().innerText()).toContain('how long')
    expect(visitor.faults).toEqual([])
  } finally {
    await server.stop()
  }
})
