import type { Locator } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStages } from './journeys.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

const journey = openStages(
  async (database) => openStage(await launchBrowser(), { SHARING: 'on' }, database),
  (opened) => (stage = opened),
)
afterEach(() => visitor.leave())

interface Chat {
  title: string
  /** Number of prompts, each with an answer. */
  messages: number
}

/** A visitor with these chats, newest first, on the open page. */
async function visitorWith(chats: Chat[]): Promise<Visitor> {
  visitor = await stage.visitor()
  await visitor.enter()
  const now = Date.now()
  const at = new Date(now).toISOString()
  const before = (index: number) => new Date(now - index * 1000).toISOString()
  const messagesOf = ({ title, messages }: Chat) =>
    Array.from({ length: messages }, (_, index) => [
      { role: 'user', createdAt: at, parts: [{ type: 'text', text: `${title}: question ${index + 1}` }] },
      {
        role: 'assistant',
        createdAt: at,
        parts: [{ type: 'text', text: `Answer ${index + 1}. ${'It goes on for a while. '.repeat(20)}` }],
      },
    ]).flat()
  const document = {
    format: 'parley-export',
    version: 1,
    exportedAt: at,
    installation: 'test',
    chats: chats.map((chat, index) => ({
      title: chat.title,
      agent: 'x',
      createdAt: at,
      updatedAt: before(index),
      messages: messagesOf(chat),
    })),
  }
  const status = await visitor.page.evaluate(
    (body) =>
      fetch('/api/v1/me/import', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then((reply) => reply.status),
    JSON.stringify(document),
  )
  expect(status).toBe(200)
  await visitor.page.reload()
  await visitor.chats.first().waitFor()
  return visitor
}

const listed = () => visitor.chats.allInnerTexts()
const menuOf = (title: string) => visitor.page.getByRole('button', { name: `Options for “${title}”` })
async function choose(title: string, what: string): Promise<void> {
  await menuOf(title).click()
  await visitor.button(what).click()
}
const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN

test('a chat is renamed in place by keyboard, and pinned to the top; other tabs show both', async () => {
  await visitorWith([
    { title: 'Newest', messages: 1 },
    { title: 'Oldest', messages: 1 },
  ])
  const other = await visitor.anotherTab()
  await other.open()
  await other.chats.first().waitFor()
  await menuOf('Oldest').focus()
  for (const key of ['Enter', 'Tab', 'Enter']) await visitor.page.keyboard.press(key)
  const name = visitor.page.getByRole('textbox', { name: 'Chat name' })
  await name.fill('Dropped')
  await visitor.page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
  await menuOf('Oldest').focus()
  for (const key of ['Enter', 'Tab', 'Escape']) await visitor.page.keyboard.press(key)
  await expect.poll(() => menuOf('Oldest').evaluate((button) => button === document.activeElement)).toBe(true)
  await choose('Oldest', 'Rename')
  await visitor.page.keyboard.type('Ours')
  await visitor.page.keyboard.press('Enter')
  await expect.poll(listed).toEqual(['Newest', 'Ours'])
  await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.textContent)).toBe('Ours')
  await choose('Ours', 'Rename')
  await visitor.page.keyboard.type('Ours still')
  await visitor.composer.click()
  await expect.poll(listed).toEqual(['Newest', 'Ours still'])
  await visitor.drawn()
  expect(await visitor.composer.evaluate((field) => field === document.activeElement)).toBe(true)
  await choose('Ours still', 'Pin')
  await visitor.page.getByRole('heading', { name: 'Pinned' }).waitFor()
  expect(await listed()).toEqual(['Ours still', 'Newest'])
  await expect.poll(() => other.chats.allInnerTexts()).toEqual(['Ours still', 'Newest'])
})

journey('a deletion can be undone, and is confirmed only once it has happened', async () => {
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
  expect(await visitor.prompts.count()).toBe(15)
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
  expect(await visitor.page.getByText('Show earlier messages').count()).toBe(0)
})

journey('search results open the highlighted place in the chat', async () => {
  await visitorWith([
    { title: 'Short', messages: 1 },
    { title: 'Long', messages: 60 },
  ])
  await visitor.page.keyboard.press('Control+k')
  await visitor.page.keyboard.type('LONG quest')
  const found = visitor.page.getByRole('navigation', { name: 'Chat history' }).getByRole('link')
  await found.nth(5).waitFor()
  expect(await found.nth(1).innerHTML()).toBe('<mark>Long</mark>: <mark>quest</mark>ion 60')
  await visitor.page.getByText('There’s more in this chat.').waitFor()
  await visitor.page.getByRole('searchbox').fill('long question 7')
  const place = found.getByText('Long: question 7', { exact: true })
  await place.click()
  // The row under the pointer has a button too.
  await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Long: question 7(?:Copy)?$/)
  await expect
    .poll(() => visitor.page.locator('.message.found').evaluate((message) => message.getBoundingClientRect().top))
    .toBeGreaterThan(50)
  expect(await visitor.page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String))).toEqual(['Long', 'question', '7'])
  await visitor.page.getByRole('searchbox').fill('nowhere to be found')
  await visitor.page.getByText('No results.').waitFor()
  await visitor.page.keyboard.press('Escape')
  await expect.poll(listed).toEqual(['Short', 'Long'])
})

journey('a link shows a chat to others, without asking them for anything, until it is revoked', async () => {
  await visitorWith([{ title: 'Our trip', messages: 2 }])
  await choose('Our trip', 'Share')
  await visitor.button('7 days').click()
  const link = await visitor.page.getByRole('textbox', { name: 'Link' }).inputValue()
  const reader = await stage.visitor()
  await reader.page.goto(link)
  await reader.page.getByRole('heading', { name: 'Our trip' }).waitFor()
  expect(await reader.promptTexts()).toEqual(['Our trip: question 1', 'Our trip: question 2'])
  expect(await reader.answers.count()).toBe(2)
  expect(await reader.page.getByRole('dialog').count()).toBe(0)
  expect(await reader.page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
  expect(await reader.page.context().cookies()).toEqual([])
  expect(await reader.page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
  await visitor.button('Close').click()
  await visitor.button('My data').click()
  await visitor.page.getByRole('heading', { name: 'Shared links' }).waitFor()
  await visitor.button('Revoke').click()
  await expect.poll(() => visitor.button('Revoke').count()).toBe(0)
  await reader.page.reload()
  await reader.page.getByText('This link no longer works.').waitFor()
  expect(reader.faults).toEqual([])
  await reader.leave()
})
