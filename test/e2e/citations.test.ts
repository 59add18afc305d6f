import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openCitedChat, RETURNS } from './cited-chat.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(visitor.faults).toEqual([])
  await visitor.leave()
})

const TEXT =
  'You have **30 days** [1] to return it.\n\nRefunds take five days [2][1]. Take `list[3]`, or [3](https://example.org/). Nobody knows [7].'

const WITHOUT_ADDRESS = RETURNS.map((source) => ({ ...source, address: null }))

async function open(text = TEXT, sources = RETURNS, options = {}): Promise<void> {
  visitor = await stage.visitor(options)
  await visitor.enter()
  await openCitedChat(stage.server, visitor.page, text, sources)
  await mark(1).waitFor()
  // Each mark is a plain number until its part of the page has loaded.
  await expect.poll(() => visitor.answers.locator('.prose span.citation').count()).toBe(0)
}

const mark = (number: number): Locator => visitor.answers.locator('.prose').locator('.citation').and(visitor.page.getByLabel(new RegExp(`^Source ${number}:`))).first() // biome-ignore format: one line
const card = (): Locator => visitor.page.getByRole('dialog')
const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

/** Positions of the answer's elements, to detect layout shifts. */
const places = () =>
  visitor.answers
    .locator('.prose')
    .evaluate((prose) =>
      [...prose.querySelectorAll('p, code, .citation, .prose > p > a')].map((element) => JSON.stringify(element.getBoundingClientRect())),
    )

async function expectInWindow(): Promise<void> {
  const { width, height } = visitor.page.viewportSize()!
  const box = (await card().boundingBox())!
  expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box)).toBe(true)
}

/** Whether a tap on the middle of an element would hit a card. */
function isBelowCard(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.source-card'))
}

describe('a citation in an answer', () => {
  test('is a button named after its source, unless it is code, a link, or a number without a source', async () => {
    await open()
    const names = await visitor.answers.locator('.prose button.citation').evaluateAll((all) => all.map((button) => button.ariaLabel))
    const first = 'Source 1: Returns and refunds'
    expect(names).toEqual([first, 'Source 2: Returns and refunds', first])
    await expect.poll(() => visitor.answers.locator('.prose code').innerText()).toBe('list[3]')
    await expect.poll(() => visitor.answers.locator('.prose').innerText()).toContain('Nobody knows [7].')
    await expect.poll(() => visitor.answers.locator('.prose a').getAttribute('href')).toBe('https://example.org/')
    await visitor.page.emulateMedia({ forcedColors: 'active' })
    // The touch target would cover the number.
    expect(await mark(1).evaluate((link) => getComputedStyle(link, '::after').backgroundColor)).toMatch(/, 0\)$/)
  })

  test('shows its source without moving the text, until it is pressed again or something else is', async () => {
    await open()
    const before = await places()
    await mark(1).click()
    await card().waitFor()
    await expect.poll(() => card().innerText()).toMatch(/30 days from delivery[\s\S]*$/)
    await expect.poll(() => card().innerText()).toContain('Nov 22, 2026')
    await expect.poll(() => card().getByRole('strong').count()).toBe(0)
    await expectInWindow()
    expect(await places()).toEqual(before)
    await expect.poll(() => mark(1).getAttribute('aria-expanded')).toBe('true')
    await mark(1).click()
    await card().waitFor({ state: 'detached' })
    expect(await places()).toEqual(before)
    await mark(2).click()
    await card().getByText('five working days').waitFor()
    await visitor.page.getByText('to return it').click()
    await card().waitFor({ state: 'detached' })
    await expect.poll(() => mark(2).getAttribute('aria-expanded')).toBe('false')
  })

  test('is reachable by keyboard, and Escape returns from the card to it', async () => {
    await open()
    await visitor.button('Edit message').focus()
    await visitor.page.keyboard.press('Tab')
    await expect.poll(() => isFocused(mark(1))).toBe(true)
    await visitor.page.keyboard.press('Enter')
    await card().waitFor()
    await visitor.page.keyboard.press('Tab')
    const link = card().getByRole('link')
    await expect.poll(() => isFocused(link)).toBe(true)
    await visitor.page.keyboard.press('Escape')
    await card().waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(mark(1))).toBe(true)
    await visitor.page.keyboard.press('Tab')
    await visitor.page.keyboard.press('Enter')
    await card().getByText('five working days').waitFor()
    await expect.poll(() => card().count()).toBe(1)
  })

  test('without an address moves the focus into its card by Enter', async () => {
    await open(TEXT, WITHOUT_ADDRESS)
    await mark(1).focus()
    await visitor.page.keyboard.press('Enter')
    await card().waitFor()
    await expect.poll(() => isFocused(card())).toBe(true)
    await visitor.page.keyboard.press('Escape')
    await card().waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(mark(1))).toBe(true)
  })

  test('on a phone opens by a tap, within the window, and closes by a tap outside', async () => {
    await open(`${'Words before it. '.repeat(30)}${TEXT}`, RETURNS, {
      viewport: { width: 320, height: 568 },
      hasTouch: true,
      isMobile: true,
    })
    for (const number of [1, 2]) {
      await mark(number).scrollIntoViewIfNeeded()
      await mark(number).tap()
      await card().waitFor()
      await expectInWindow()
      await mark(number).tap()
      await card().waitFor({ state: 'detached' })
      await mark(number).tap()
      await card().waitFor()
      const outside = visitor.page.getByRole('heading', { name: 'Cited' }).first()
      await outside.scrollIntoViewIfNeeded()
      // The card follows its mark a moment after the page has scrolled.
      await expect.poll(() => outside.evaluate(isBelowCard)).toBe(false)
      await outside.tap({ force: true })
      await card().waitFor({ state: 'detached' })
    }
  })

  test('links to the quote on the page, in a tab without access to this one', async () => {
    await open()
    await visitor.page
      .context()
      .route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Here</p>' }))
    const link = card().getByRole('link', { name: 'Open document' })
    await mark(1).click()
    await card().waitFor()
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    await expect.poll(() => link.getAttribute('href')).toMatch(/^https:\/\/shop\.example\/returns#:~:text=You%20have%2030%20days%20from/)
    const [tab] = await Promise.all([visitor.page.context().waitForEvent('page'), link.click()])
    await tab.getByText('Here').waitFor()
    expect(await tab.evaluate(() => [opener, document.referrer])).toEqual([null, ''])
    await tab.close()
  })

  test('is copied with its source, and left out of read-aloud and selections', async () => {
    await open()
    await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visitor.button('Copy answer').click()
    await visitor.page.getByText('Copied').waitFor()
    const text = await visitor.page.evaluate(() => navigator.clipboard.readText())
    expect(text).toContain(
      `${TEXT}\n\nSources:\n\n- [1] Returns and refunds › Goods › Time limits, As of Nov 22, 2026, <https://shop.example/returns>\n`,
    )
    expect(text).not.toContain('[3] Terms')
    const selected = await visitor.answers
      .locator('.prose p')
      .first()
      .evaluate((paragraph) => {
        getSelection()?.selectAllChildren(paragraph)
        return String(getSelection())
      })
    expect(selected).toBe('You have 30 days to return it.')
  })
})

test('lists cited sources below the answer, and the others collapsed', async () => {
  await open()
  const list = visitor.page.getByRole('group', { name: 'Sources' })
  await expect
    .poll(() => list.getByRole('button').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^1\s+Returns and refunds\s+Goods › Time limits\s+shop\.example\s+As of Nov 22, 2026$/),
      expect.stringMatching(/^2\s+Returns and refunds\s+Refunds\s+shop\.example\s+As of Nov 20, 2026$/),
    ])
  const other = visitor.page.getByRole('button', { name: 'Terms of sale, page 3' })
  await expect.poll(() => other.isVisible()).toBe(false)
  await visitor.page.getByText(/^\d+ more passages?$/).click()
  await other.click()
  await card().getByText('everything that you buy').waitFor()
  await expect.poll(() => card().getByRole('link').count()).toBe(0)
  await visitor.page.keyboard.press('Escape')
  await card().waitFor({ state: 'detached' })
  await expect.poll(() => isFocused(other)).toBe(true)
})

test('a printed chat has its title, date, messages and sources with addresses, in lines that fit, and nothing to press', async () => {
  const long = 'averylongword'.repeat(12)
  const rows = `| ${'A column | '.repeat(9)}\n|${'---|'.repeat(9)}\n| ${`${long} | `.repeat(9)}`
  const code = `\`\`\`\n${Array.from({ length: 40 }, (_, index) => `line ${index} ${long}`).join('\n')}\n\`\`\``
  const many = Array.from({ length: 9 }, (_, index) => ({
    title: `Page ${index}`,
    quote: 'Text',
    address: `https://shop.example/${index}`,
  }))
  const marks = many.map((_, index) => `[${index + 1}]`).join('')
  await open(`Cited ${marks}, see [the shop](https://example.org/).[^a]\n\n[^a]: A note.\n\n${rows}\n\n${code}`, many, {
    colorScheme: 'dark',
  })
  const { page } = visitor
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 1000 })
  await expect.poll(() => visitor.answers.locator('.sources li:visible').count()).toBe(9)
  const text = await page.locator('body').innerText()
  for (const part of ['Cited', 'A note.', 'line 39', 'https://shop.example/8']) expect(text).toContain(part)
  expect(text).toMatch(/Parley · \w+ \d{1,2}, \d{4}/)
  await expect
    .poll(() => page.locator('button:visible:not(.source, .citation, .footnote-mark), textarea:visible, aside:visible').count())
    .toBe(0)
  await expect.poll(() => visitor.answers.locator('.footnote-mark:visible').allInnerTexts()).toEqual(['a', 'a'])
  const wide = () =>
    page
      .locator('.thread :is(pre, .table, p, li, .source)')
      .evaluateAll((all) =>
        all.filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.outerHTML.slice(0, 80)),
      )
  expect(await wide()).toEqual([])
})

test('content of a source is shown as text only', async () => {
  const hostile = '<img src=x onerror=alert(1)> ![p](https://evil.example/p.png) [l](https://evil.example/) <script>alert(1)</script>'
  const source = {
    title: hostile,
    breadcrumb: `A › ${hostile}`,
    quote: hostile,
    asOf: '<b>',
    address: 'javascript:alert(1)',
    file: hostile,
  }
  await open(
    Array.from({ length: 100 }, (_, index) => `Claim ${index} [${index + 1}].`).join(' '),
    Array.from({ length: 100 }, () => ({ ...source })),
  )
  await expect.poll(() => visitor.answers.locator('.prose button').count()).toBe(100)
  await visitor.button('Show 94 more sources').click()
  await mark(1).click()
  await expect.poll(() => card().innerText()).toContain('<img src=x onerror=alert(1)>')
  await expect.poll(() => visitor.answers.locator('img, script, a').count()).toBe(0)
  expect(visitor.requests.filter((address) => address.includes('evil'))).toEqual([])
})

test('a source keeps its own text direction', async () => {
  const source = { title: 'سياسة الإرجاع', quote: 'لديك 30 يومًا.', address: 'https://shop.example/ar', asOf: '2026-11-22' }
  await open('The policy gives 30 days [1].', [source])
  await mark(1).click()
  const directions = await card().evaluate((element) =>
    [element, element.querySelector('q')!].map((one) => getComputedStyle(one).direction),
  )
  expect(directions).toEqual(['ltr', 'rtl'])
})

test('an answer shows its citations while streaming, and the same after a reload', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ toolCall: { name: 'search_knowledge', arguments: { query: 'How long are my chats kept?' } } }])
  const held = Promise.withResolvers<void>()
  const letters = [...'Chats are kept for 30 days [1][2]. Nobody knows [99'].map((letter) => letter)
  stage.model.script([{ text: letters }, { until: held.promise }, { text: [']', '.'] }])
  await visitor.send('How long do you keep my chats?')
  const prose = visitor.answers.last().locator('.prose').last()
  await prose.getByText('Nobody knows').waitFor()
  await mark(2).waitFor()
  await expect.poll(() => prose.innerText()).not.toMatch(/\[|99/)
  held.resolve()
  await visitor.button('Copy answer').waitFor()
  const drawn = () => prose.evaluate((element) => [element.textContent, ...[...element.querySelectorAll('.citation')].map(({ ariaLabel }) => ariaLabel)]) // biome-ignore format: one line
  const before = await drawn()
  await visitor.page.reload()
  await mark(1).waitFor()
  expect(await drawn()).toEqual(before)
})
