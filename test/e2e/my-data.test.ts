import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

const run = promisify(execFile)

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

const dialog = (name: string) => visitor.page.getByRole('dialog', { name })
const listed = () => visitor.page.getByRole('navigation').getByRole('link').allTextContents()
const openMyData = () => visitor.button('My data').click()
const cookies = async () => (await visitor.page.context().cookies()).map(({ name }) => name).toSorted()

/** All that a page can keep on the device, but for cookies. */
const stored = () => visitor.page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].toSorted())

async function visitorWithChats(...prompts: string[]): Promise<Visitor> {
  visitor = await stage.visitor()
  await visitor.enter()
  for (const prompt of prompts) {
    await visitor.button('New chat').first().click()
    await visitor.ask(prompt)
    await expect.poll(listed).toContain(prompt)
  }
  return visitor
}

test('one chat is deleted from the list, after saying what goes, and a stranger to the list stays', async () => {
  await visitorWithChats('Keep this one', 'Delete this one')
  await visitor.page.getByRole('button', { name: 'Delete “Delete this one”' }).click()
  await dialog('Delete this chat?').getByText('This can’t be undone.').waitFor()
  await visitor.button('Keep it').click()
  expect(await listed()).toEqual(['Delete this one', 'Keep this one'])
  await visitor.page.getByRole('button', { name: 'Delete “Delete this one”' }).click()
  await visitor.button('Delete this chat').click()
  await dialog('Deleted').getByText('It is gone').waitFor()
  await visitor.button('Done').click()
  expect(await listed()).toEqual(['Keep this one'])
  await visitor.page.reload()
  await expect.poll(listed).toEqual(['Keep this one'])
  expect(new URL(visitor.page.url()).hash).toBe('#/chat')
})

test('a chat that could not be deleted stays, and the page says so', async () => {
  await visitorWithChats('Still here')
  await visitor.page.getByRole('button', { name: 'Delete “Still here”' }).click()
  await visitor.button('Delete this chat').waitFor()
  await visitor.page.context().setOffline(true)
  await visitor.button('Delete this chat').click()
  await dialog('Delete this chat?').getByRole('alert').getByText('It was not deleted. You are offline.').waitFor()
  await visitor.page.context().setOffline(false)
  await visitor.button('Keep it').click()
  await visitor.page.reload()
  await expect.poll(listed).toEqual(['Still here'])
})

test('that the panel can’t be loaded is said, and leaves the chat as it is', async () => {
  await visitorWithChats('Still here')
  await visitor.page.context().setOffline(true)
  await openMyData()
  await visitor.page.getByRole('alert').getByText('My data could not be loaded').waitFor()
  await visitor.page.context().setOffline(false)
  await openMyData()
  await dialog('My data').waitFor()
  expect(await visitor.answers.count()).toBe(1)
})

test('"Forget me" leaves nothing in the browser, and its receipt can be checked with the command that the page gives', async () => {
  await visitorWithChats('One', 'Two')
  await openMyData()
  await visitor.button('Forget me').click()
  await dialog('Forget me?').getByText('What will be deleted').waitFor()
  await dialog('Forget me?').getByRole('button', { name: 'Forget me' }).click()
  await dialog('Deleted').getByText('It is gone').waitFor()
  expect(await dialog('Deleted').getByRole('definition').first().textContent()).toBe('1')
  expect(await cookies()).toEqual([])
  expect(await stored()).toEqual([])

  const folder = mkdtempSync(join(tmpdir(), 'parley-receipt-'))
  try {
    const [download] = await Promise.all([visitor.page.waitForEvent('download'), visitor.button('Save the receipt').click()])
    await download.saveAs(join(folder, 'receipt.json'))
    await visitor.page.getByText('How to check the receipt later').click()
    const command = await dialog('Deleted').locator('pre').textContent()
    expect((await run('bash', ['-c', command!], { cwd: folder })).stdout).toContain('The receipt is genuine.')
  } finally {
    rmSync(folder, { recursive: true })
  }

  await visitor.button('Done').click()
  await visitor.button('Open the notice').waitFor()
  await visitor.page.reload()
  await dialog('Before we talk').waitFor()
})

test('who withdraws consent is offered deletion at once, and can still delete later', async () => {
  await visitorWithChats('Written with consent')
  await openMyData()
  await visitor.button('Withdraw consent').click()
  await dialog('Your consent is withdrawn').waitFor()
  expect(await visitor.composer.count()).toBe(0)
  expect(await stored()).toEqual([])
  await visitor.button('Keep my chats').click()
  await visitor.page.reload()
  await openMyData()
  await visitor.button('Forget me').click()
  await dialog('Forget me?').getByRole('button', { name: 'Forget me' }).click()
  await dialog('Deleted').getByText('It is gone').waitFor()
  expect(await cookies()).toEqual([])
})

test('is gone through by keyboard: a step’s title has the focus, Escape closes, and the focus returns', async () => {
  await visitorWithChats('Hello')
  await visitor.button('My data').focus()
  await visitor.page.keyboard.press('Enter')
  const focused = () => visitor.page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(focused).toBe('My data')
  await visitor.button('All chats').focus()
  await visitor.page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Delete all chats?')
  await visitor.page.keyboard.press('Escape')
  await dialog('Delete all chats?').waitFor({ state: 'detached' })
  expect(await focused()).toBe('My data')
  expect(await visitor.page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
})
