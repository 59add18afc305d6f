import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import type { Stage, Visitor } from './stage.ts'
import { openTourStage } from './tour-stage.ts'
import { type Look, tourChat, tourEmbedded, tourInArabic, tourMyData } from './tour.ts'

/** Ends a tour that hangs. On a busy machine it takes 40 s. */
const TOUR_LIMIT_MS = 900_000

let stage: Stage
beforeAll(async () => {
  stage = await openTourStage(await launchBrowser())
})
afterAll(() => stage.close())

/** Collects faults of the screens, and theme-dependent ones in the other theme. */
function inspect({ page }: Visitor, otherTheme?: 'dark'): { look: Look; faults: Record<string, string[]> } {
  const faults: Record<string, string[]> = {}
  const look: Look = async (screen) => {
    const found = [...(await violationsIn(page)), ...(await overflowOf(page))]
    if (otherTheme) {
      await page.emulateMedia({ colorScheme: otherTheme })
      found.push(...(await violationsIn(page, ['color-contrast'])))
      await page.emulateMedia({ colorScheme: 'light' })
    }
    if (found.length > 0) faults[screen] = found
  }
  return { look, faults }
}

// Each width is inspected in one theme: what depends on the theme, such as contrast, doesn't depend on the width.
describe.each([
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'dark' },
] as const)('at $width px, in $theme', ({ width, theme }) => {
  test.each([
    ['of the chat', tourChat],
    ['of the panel “My data”', tourMyData],
    ['of a page that embeds it', tourEmbedded],
  ])(
    'axe finds no violation in any screen %s, nothing is wider than the screen, and no content security policy is violated',
    async (_, tour) => {
      const viewport = { width, height: 720 }
      const visitor = await stage.visitor({ colorScheme: theme, viewport, reducedMotion: 'reduce', serviceWorkers: 'allow' })
      const { look, faults } = inspect(visitor)
      await tour({ stage, visitor, look })
      expect(faults).toEqual({})
      expect(visitor.faults).toEqual([])
      expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
      await visitor.leave()
    },
    TOUR_LIMIT_MS,
  )
})

test('the accessibility statement says how many screens and states are tested, names the contact, and has no violation itself', async () => {
  const tours = ['tour.ts', 'tour-citations.ts'].map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  const states = new Set([...tours.matchAll(/\blook\('([a-z-]+)'\)/g)].map(([, name]) => name))
  const visitor = await stage.visitor()
  const { page } = visitor
  await visitor.open()
  const link = page.getByRole('link', { name: 'Accessibility' })
  await page.goto(new URL((await link.getAttribute('href'))!, page.url()).href)
  expect(await page.locator('#states').innerText()).toBe(String(states.size))
  await page.getByText('desk@library.example').waitFor()
  expect([...(await violationsIn(page)), ...(await overflowOf(page))]).toEqual([])
  expect(visitor.faults).toEqual([])
  await visitor.leave()
})

test('axe finds no violation in Arabic, in forced colours, with more contrast, at a zoom of 200 and 400 %, and nothing moves with reduced motion', async () => {
  const visitor = await stage.visitor({ colorScheme: 'light', reducedMotion: 'reduce' })
  const { page } = visitor
  const { look, faults } = inspect(visitor, 'dark')
  await tourInArabic({ stage, visitor, look })
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(['ar', 'rtl'])
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await page.setViewportSize({ width: 640, height: 512 })
  await look('at 200 %')
  await page.setViewportSize({ width: 320, height: 256 })
  await look('at 400 %')
  const composer = await page.getByRole('textbox').boundingBox()
  expect(composer!.height).toBeLessThan(256 / 2)
  await page.emulateMedia({ forcedColors: 'active' })
  await look('forced colours')
  // A prompt has no background there.
  const prompt = page.locator('.bubble').first()
  expect(await prompt.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  await look('more contrast')
  expect(faults).toEqual({})
  await visitor.leave()
})

test('a dialog lists the keyboard shortcuts, and they work', async () => {
  const visitor = await stage.visitor({ colorScheme: 'light' })
  const { page } = visitor
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await visitor.enter()
  await visitor.ask('What does ? mean')
  await visitor.composer.press('?')
  await expect.poll(() => visitor.composer.inputValue()).toBe('?')
  await page.keyboard.press('Control+/')
  await sheet.getByText('New line').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await visitor.button('New chat').first().focus()
  await page.keyboard.press('?')
  await sheet.waitFor()
  await sheet.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+O')
  await expect.poll(() => visitor.answers.count()).toBe(0)
  await page.reload()
  await visitor.button('New chat').first().focus()
  await page.keyboard.press('Control+/')
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect.poll(() => sheet.count()).toBe(0)
  await page.keyboard.press('Control+/')
  await sheet.getByRole('checkbox').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await sheet.waitFor()
  await visitor.leave()
})

test('the switch overrides the system’s theme, and the choice persists', async () => {
  const visitor = await stage.visitor({ colorScheme: 'light' })
  await visitor.enter()
  const background = () => visitor.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await visitor.button('Dark').click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await visitor.page.reload()
  await visitor.composer.waitFor()
  expect(await background()).toBe(dark)
  await visitor.leave()
})

/** Collects what is announced, in `window.heard`. */
function collectAnnouncements({ page }: Visitor): Promise<void> {
  return page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) heard.push(node.textContent ?? '')
    }).observe(document.querySelector('.thread > [aria-live=polite]')!, { childList: true })
  })
}

const announcements = ({ page }: Visitor) => page.evaluate(() => (window as unknown as { heard: string[] }).heard)

test('a screen reader hears each sentence of a streaming answer once, and finds the answer only in the thread', async () => {
  const visitor = await stage.visitor()
  await visitor.enter()
  await collectAnnouncements(visitor)
  stage.model.script([{ text: 'One is first. Then **two** comes! Is three the last? Yes, it is', tokensPerSecond: 20 }])
  await visitor.ask('Speak')
  await expect.poll(() => announcements(visitor)).toEqual(['One is first.', 'Then two comes!', 'Is three the last?', 'Yes, it is'])
  await expect.poll(() => visitor.page.getByText('Yes, it is').count()).toBe(1)
  await visitor.leave()
})

test('a screen reader hears an answer that ended before the code that announces it was loaded', async () => {
  const visitor = await stage.visitor()
  const isLoaded = Promise.withResolvers<void>()
  await visitor.page.route(/\/assets\/answer-announcer-[^/]+\.js$/, async (route) => {
    await isLoaded.promise
    await route.continue()
  })
  await visitor.enter()
  await collectAnnouncements(visitor)
  stage.model.script([{ text: 'Short one. And done' }])
  await visitor.ask('Speak')
  expect(await announcements(visitor)).toEqual([])
  isLoaded.resolve()
  await expect.poll(() => announcements(visitor)).toEqual(['Short one.', 'And done'])
  await visitor.leave()
})
