import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { seedChatsOfPage } from '../support/seeded-chats.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

interface Chat {
  title: string
  /** Number of prompts, each with an answer. */
  messages: number
}

/** A visitor with these chats, newest first, on the open page. */
async function visitorWith(chats: Chat[], options: Parameters<Stage['visitor']>[0] = {}): Promise<Visitor> {
  visitor = await stage.visitor(options)
  await visitor.enter()
  const now = Date.now()
  const messagesOf = ({ title, messages }: Chat) =>
    Array.from({ length: messages }, (_, index) => [
      { role: 'user' as const, parts: [{ type: 'text', text: `${title}: question ${index + 1}` }] },
      {
        role: 'assistant' as const,
        parts: [{ type: 'text', text: `Answer ${index + 1}. ${'It goes on for a while. '.repeat(20)}` }],
      },
    ]).flat()
  const seeded = chats.map((chat, index) => ({ title: chat.title, at: now - index * 1000, messages: messagesOf(chat) }))
  await seedChatsOfPage(stage.server, visitor.page, seeded)
  await visitor.page.reload()
  await visitor.chats.first().waitFor({ state: 'attached' })
  return visitor
}

const listed = () => visitor.chats.allInnerTexts()
const menuOf = (title: string) => visitor.page.getByRole('button', { name: `Options for “${title}”` })
async function choose(title: string, what: string): Promise<void> {
  await menuOf(title).click()
  await visitor.button(what).click()
}
const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN

/** Whether the notification covers anything that the visitor can read or use. */
const coveredByNotification = () =>
  visitor.page.evaluate(() => {
    const { top, bottom } = document.querySelector('.notification')!.getBoundingClientRect()
    const others = [...document.querySelectorAll('.composer, .chips, .fine, .latest')].map((element) => element.getBoundingClientRect())
    scrollTo(0, document.documentElement.scrollHeight)
    others.push(document.querySelector('.thread > :not(.sr-only):last-of-type, .welcome > :last-child')!.getBoundingClientRect())
    return others.some((other) => other.bottom > top && other.top < bottom)
  })

test('a deletion can be undone, and is confirmed only once it has happened', async () => {
  await visitorWith([
    { title: 'Stays', messages: 1 },
    { title: 'Goes', messages: 1 },
  ])
  await visitor.page.clock.install()
  await visitor.chats.getByText('Goes').click()
  await visitor.answers.first().waitFor()
  await choose('Goes', 'Delete')
  expect(await listed()).toEqual(['Stays'])
  await expect.poll(() => visitor.answers.count()).toBe(0)
  expect(await coveredByNotification()).toBe(false)
  await visitor.button('Undo').click()
  await expect.poll(listed).toEqual(['Stays', 'Goes'])
  await visitor.answers.first().waitFor()
  await visitor.page.clock.runFor(10_000)
  expect(await listed()).toEqual(['Stays', 'Goes'])

  const focused = () => visitor.page.evaluate(() => document.activeElement?.textContent)
  await choose('Stays', 'Delete')
  await visitor.button('Undo').press('Enter')
  await expect.poll(focused).toBe('Stays')
  await choose('Stays', 'Delete')
  await visitor.button('Dismiss').press('Enter')
  await expect.poll(focused).toBe('Goes')
  await visitor.page.keyboard.press('Control+z')
  await expect.poll(focused).toBe('Stays')
  expect(await listed()).toEqual(['Stays', 'Goes'])

  await choose('Goes', 'Delete')
  await visitor.page.getByText('Chat deleted').waitFor()
  await visitor.page.keyboard.press('Escape')
  await visitor.page.getByText('Chat deleted').waitFor({ state: 'hidden' })
  await visitor.page.clock.runFor(6_000)
  await visitor.page.getByText('“Goes” was permanently deleted.').waitFor()
  await visitor.button('Receipt').click()
  await visitor.page.getByRole('dialog').getByText('We checked that nothing is left').waitFor()

  await visitor.page.reload()
  await choose('Stays', 'Delete')
  await visitor.page.reload()
  await expect.poll(listed).toEqual([])
})

test('long lists and chats load on demand while scrolling, without moving the reader', async () => {
  const others = Array.from({ length: 70 }, (_, index) => ({ title: `Chat ${index}`, messages: 1 }))
  await visitorWith([{ title: 'Long', messages: 60 }, ...others])
  await expect.poll(listed).toHaveLength(50)
  await visitor.chats.last().scrollIntoViewIfNeeded()
  await expect.poll(listed).toHaveLength(71)
  await visitor.chats.getByText('Long', { exact: true }).click()
  await visitor.prompts.last().waitFor()
  await expect.poll(() => visitor.prompts.count()).toBe(15)
  // The messages' buttons take height too.
  await expect.poll(() => visitor.page.getByRole('button', { name: 'Edit message' }).count()).toBe(15)
  await expect.poll(() => visitor.page.getByRole('button', { name: 'Try again' }).count()).toBe(15)
  const first = visitor.prompts.getByText('Long: question 46', { exact: true })
  const release = Promise.withResolvers<void>()
  await visitor.page.route('**/messages?*', async (route) => {
    await release.promise
    await route.continue()
  })
  await first.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 200))
  await visitor.drawn()
  const before = await topOf(first)
  release.resolve()
  await expect.poll(() => visitor.prompts.count()).toBeGreaterThan(15)
  await visitor.drawn()
  expect(Math.abs((await topOf(first)) - before)).toBeLessThan(2)
  await visitor.page.evaluate(() => scrollTo(0, 0))
  await expect.poll(() => visitor.prompts.count()).toBe(60)
  await expect.poll(() => visitor.page.getByText('Show earlier messages').count()).toBe(0)
})

test('search results show where the words are, and open the chat', async () => {
  await visitorWith([
    { title: 'Short', messages: 1 },
    { title: 'Long', messages: 60 },
  ])
  await visitor.page.keyboard.press('Control+k')
  await visitor.page.keyboard.type('LONG quest')
  const found = visitor.page.getByRole('navigation', { name: 'Chat history' }).getByRole('link')
  await found.getByText('question 60').waitFor()
  // The words typed so far have results of their own.
  await expect.poll(() => found.first().innerHTML()).toBe('<strong>Long</strong><mark>Long</mark>: <mark>quest</mark>ion 60')
  expect(await found.count()).toBe(1)
  await visitor.page.getByRole('searchbox').fill('long question 31')
  await found.getByText('question 31').click()
  await expect.poll(() => visitor.page.getByText('Long: question 60', { exact: true }).count()).toBe(1)
  await visitor.page.getByRole('searchbox').fill('nowhere to be found')
  await visitor.page.getByText('No results.').waitFor()
  await visitor.page.keyboard.press('Escape')
  await expect.poll(listed).toEqual(['Short', 'Long'])
})

test('on a phone, the drawer stays open while chats are deleted, and names have two lines', async () => {
  const title = 'How long a resident’s parking permit is valid'
  visitor = await stage.visitor({ viewport: { width: 390, height: 844 } })
  const { page } = visitor
  await visitor.enter()
  for (const prompt of [title, 'Opening hours']) {
    await visitor.ask(prompt)
    await visitor.button('New chat').first().click()
  }
  await visitor.button('Open the menu').click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  const name = drawer.getByRole('link', { name: title })
  await expect.poll(() => name.getAttribute('title')).toBe(title)
  const isWhole = await name.locator('.name').evaluate((element) => element.scrollHeight <= element.clientHeight)
  expect(isWhole).toBe(true)
  await drawer.getByRole('button', { name: 'Options for “Opening hours”' }).click()
  await drawer.locator('.session-menu:popover-open').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => drawer.getByRole('link', { name: 'Opening hours' }).count()).toBe(0)
  await expect.poll(() => name.isVisible()).toBe(true)
})

test('on a phone, text has the whole width from its second line on', async () => {
  visitor = await stage.visitor({ viewport: { width: 320, height: 568 } })
  const { page, composer } = visitor
  await visitor.enter()
  await visitor.button(/^Attach/).waitFor()
  expect(await composer.evaluate((area) => area.clientHeight)).toBeLessThan(52)
  const share = () => composer.evaluate((area) => area.clientWidth / (area.closest('form')?.clientWidth ?? 0))
  expect(await share()).toBeLessThan(0.8)
  await composer.fill('One line\nand another')
  await expect.poll(share).toBeGreaterThan(0.9)
  await composer.fill('')
  await expect.poll(share).toBeLessThan(0.8)
  await visitor.button('Temporary chat').click()
  await page.getByRole('heading', { name: 'Temporary chat' }).waitFor()
})

test('a phone on its side shows the chat alone, with a button for the panel', async () => {
  visitor = await stage.visitor({ viewport: { width: 844, height: 390 } })
  await visitor.enter()
  await expect.poll(() => visitor.page.locator('.panel').count()).toBe(0)
  await visitor.button('Show chats').click()
  await visitor.page.locator('.panel').waitFor()
  await visitor.page.setViewportSize({ width: 390, height: 844 })
  await visitor.page.setViewportSize({ width: 844, height: 390 })
  await expect.poll(() => visitor.page.locator('.panel').count()).toBe(0)
})
