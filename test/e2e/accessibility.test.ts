import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const RICH = [
  'Text with **bold**, `code` and [a link](https://example.org).', '## A heading', '```js\n// a comment\nconst answer = 42\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |', '> a quote', '- one\n- [x] two', 'نص من اليمين إلى اليسار', 'long'.repeat(200),
].join('\n\n') // biome-ignore format: one block a line

let stage: Stage
beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())

interface AxeWindow {
  axe: { run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
}

/** What axe finds, as "rule: first element"; and how far the page is wider than the screen. */
async function faultsOf({ page }: Visitor): Promise<string[]> {
  await page.evaluate(AXE)
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as AxeWindow).axe.run(document, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return overflow > 0 ? [...found, `${overflow} px wider than the screen`] : found
}

/** Every view of the panel "My data" but the last, after which nothing is left. */
async function lookAtMyData(visitor: Visitor, look: (screen: string) => Promise<void>): Promise<void> {
  const { page } = visitor
  const inPanel = (name: string) => page.locator('.my-data').getByRole('button', { name, exact: true })
  const open = async () => {
    if (await visitor.button('Open the menu').isVisible()) await visitor.button('Open the menu').click()
    await page.locator('.panel, .drawer').filter({ visible: true }).getByRole('button', { name: 'My data' }).click()
  }
  await open()
  await page.getByText('Stored now').waitFor()
  await page.getByText('Everything else').click()
  await look('my data')
  await page.locator('.my-data input[type=file]').setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from('{}') })
  await page.locator('.my-data').getByRole('alert').waitFor()
  await look('refused file')
  await inPanel('Show a code').click()
  await page.getByRole('timer').waitFor()
  await look('code to give')
  await inPanel('Back to my data').click()
  await inPanel('I have a code').click()
  await page.getByRole('textbox', { name: 'The six words' }).fill('six words that open nothing here')
  await inPanel('Take over my chats').click()
  await page.locator('.my-data').getByRole('alert').waitFor()
  await look('code to take')
  await inPanel('Back to my data').click()
  await inPanel('All chats').click()
  await page.getByRole('heading', { name: 'Delete all chats?' }).waitFor()
  await look('before deletion')
  await inPanel('Delete all chats').click()
  await page.getByText('It is gone').waitFor()
  await page.getByText('How to check').click()
  await look('receipt')
  await inPanel('Done').click()
  await page.keyboard.press('Escape')
  await visitor.button('Temporary chat').click()
  await visitor.button('Shared computer').click()
  await page.getByText('Shared computer: all goes').waitFor()
  await look('keeping less')
  await visitor.button('Shared computer').click()
}

describe.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 320 },
] as const)('in $colorScheme at $width px', ({ colorScheme, width }) => {
  test('axe finds nothing in any screen, nothing is wider than the screen, and the policy is kept', async () => {
    const visitor = await stage.visitor({ colorScheme, viewport: { width, height: 720 }, reducedMotion: 'reduce' })
    const faults: Record<string, string[]> = {}
    const look = async (screen: string) => {
      const found = await faultsOf(visitor)
      if (found.length > 0) faults[screen] = found
    }
    const { page } = visitor
    await visitor.open()
    await page.getByRole('dialog').getByText('What is collected').waitFor()
    await look('notice')
    await visitor.button('Decline').click()
    await visitor.button('Open the notice').waitFor()
    await look('declined')
    await visitor.button('Open the notice').click()
    await visitor.button('Accept').click()
    await visitor.composer.waitFor()
    await look('empty')
    stage.model.script([{ text: RICH }])
    await visitor.ask('Show everything')
    await page.locator('.code pre span span').first().waitFor()
    await look('answer')
    stage.model.script([{ text: 'Another answer' }])
    await visitor.button('Answer again').click()
    await page.getByRole('group', { name: 'Versions of this message' }).waitFor()
    await visitor.button('Poor answer').click()
    await visitor.button('Edit the message').click()
    await page.getByRole('textbox', { name: 'Edit the message' }).waitFor()
    await look('versions, a reason and an edited prompt')
    await page.keyboard.press('Escape')
    stage.model.script({ status: 400, body: '{}' })
    await visitor.send('And fail')
    await page.getByRole('alert').waitFor()
    await look('failed')
    stage.model.script([{ text: 'Half an answer' }, { silence: true }])
    await visitor.send('And stop')
    await visitor.answers.getByText('Half an answer').waitFor()
    await visitor.button('Stop the answer').click()
    await visitor.button('Go on from here').waitFor()
    await look('stopped')
    stage.model.script([{ text: 'and the rest, cut' }, { cut: true }])
    await visitor.button('Go on from here').click()
    await page.getByText('This answer was interrupted. What was written is kept.').waitFor()
    await look('interrupted')
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await look('offline')
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    if (width < 768) {
      await visitor.button('Open the menu').click()
      await page.getByRole('dialog', { name: 'Menu' }).getByRole('link').first().waitFor()
      await look('drawer')
      await page.keyboard.press('Escape')
    }
    await lookAtMyData(visitor, look)
    await visitor.open('#/chat?session=abcdefghijklmnopqrstu')
    await page.getByRole('heading', { name: 'This chat is not here' }).waitFor()
    await look('unknown session')
    await visitor.open('#/nowhere')
    await page.getByRole('heading', { name: 'Nothing is said here' }).waitFor()
    await look('not found')
    expect(faults).toEqual({})
    expect(visitor.faults).toEqual([])
    expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
    await visitor.leave()
  })
})

test('axe finds nothing from right to left, in forced colours, with more contrast, and at a zoom of 400 %', async () => {
  const visitor = await stage.visitor({ locale: 'ar', reducedMotion: 'reduce' })
  const faults: Record<string, string[]> = {}
  const { page } = visitor
  const look = async (screen: string) => {
    const found = await faultsOf(visitor)
    if (found.length > 0) faults[screen] = found
  }
  const consent = page.getByRole('dialog').locator('footer button').last()
  await visitor.open()
  await consent.click()
  stage.model.script([{ text: RICH }])
  await page.getByRole('textbox').fill('Show everything')
  await page.keyboard.press('Enter')
  await page.locator('.code pre span span').first().waitFor()
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(['ar', 'rtl'])
  await look('right to left')
  await page.setViewportSize({ width: 320, height: 256 })
  await look('right to left at 400 %')
  const composer = await page.getByRole('textbox').boundingBox()
  expect(composer!.height).toBeLessThan(256 / 2)
  await page.emulateMedia({ forcedColors: 'active' })
  await look('forced colours')
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  await look('more contrast')
  await page.emulateMedia({ colorScheme: 'dark' })
  await look('more contrast in the dark')
  expect(faults).toEqual({})
  await visitor.leave()
})

test('the keys that do something are told on a sheet, and do it', async () => {
  const visitor = await stage.visitor({ colorScheme: 'light' })
  const { page } = visitor
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await visitor.enter()
  await visitor.ask('What does ? mean')
  await visitor.composer.press('?')
  expect(await visitor.composer.inputValue()).toBe('?')
  await page.keyboard.press('Control+/')
  await sheet.getByText('Begin a new line').waitFor()
  expect(await faultsOf(visitor)).toEqual([])
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await visitor.button('New chat').first().focus()
  await page.keyboard.press('?')
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+O')
  await expect.poll(() => visitor.answers.count()).toBe(0)
  await visitor.leave()
})

test('the switch sets the theme against the system’s, and it lasts', async () => {
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

test('a screen reader hears each sentence of a growing answer once', async () => {
  const visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) heard.push(node.textContent ?? '')
    }).observe(document.querySelector('.thread > [aria-live=polite]')!, { childList: true })
  })
  stage.model.script([{ text: 'One is first. Then **two** comes! Is three the last? Yes, it is', tokensPerSecond: 20 }])
  await visitor.ask('Speak')
  await expect
    .poll(() => visitor.page.evaluate(() => (window as unknown as { heard: string[] }).heard))
    .toEqual(['One is first.', 'Then two comes!', 'Is three the last?', 'Yes, it is'])
  await visitor.leave()
})
