import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import decode from 'qr/decode.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { DataReport } from '../../src/contract/rights.ts'
import { launchBrowser } from '../support/chromium.ts'
import { readZip } from '../support/zip.ts'
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

/** All storage on the device except cookies. */
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

/** Starts deleting all chats in the panel. */
async function askToDelete(): Promise<void> {
  await openMyData()
  await visitor.button('All chats').click()
}

test('deletes all chats after saying what is deleted', async () => {
  await visitorWithChats('One', 'Another one')
  await askToDelete()
  await dialog('Delete all chats?').getByText('This can’t be undone.').waitFor()
  await visitor.button('Cancel').click()
  expect(await listed()).toEqual(['Another one', 'One'])
  await askToDelete()
  await visitor.button('Delete all chats').click()
  await dialog('Deleted').getByText('We checked that nothing is left').waitFor()
  await visitor.button('Done').click()
  expect(await listed()).toEqual([])
  await visitor.page.reload()
  await expect.poll(listed).toEqual([])
  expect(new URL(visitor.page.url()).hash).toBe('#/chat')
})

test('chats that could not be deleted stay, with an error', async () => {
  await visitorWithChats('Still here')
  await askToDelete()
  await visitor.button('Delete all chats').waitFor()
  await visitor.page.context().setOffline(true)
  await visitor.button('Delete all chats').click()
  await dialog('Delete all chats?').getByRole('alert').getByText('It wasn’t deleted. You’re offline.').waitFor()
  await visitor.page.context().setOffline(false)
  await visitor.button('Cancel').click()
  await visitor.page.reload()
  await expect.poll(listed).toEqual(['Still here'])
})

test('a panel that cannot be loaded shows an error, and leaves the chat as it is', async () => {
  await visitorWithChats('Still here')
  await visitor.page.context().setOffline(true)
  await openMyData()
  await visitor.page.getByRole('alert').getByText('Couldn’t load this').waitFor()
  await visitor.page.context().setOffline(false)
  await openMyData()
  await dialog('My data').waitFor()
  await expect.poll(() => visitor.answers.count()).toBe(1)
})

test('"Delete all my data" leaves nothing in the browser, and the page’s command verifies the receipt', async () => {
  await visitorWithChats('One', 'Two')
  await openMyData()
  await visitor.button('Delete all my data').click()
  await dialog('Delete all my data?').getByText('Deleted immediately').waitFor()
  await dialog('Delete all my data?').getByRole('button', { name: 'Delete all my data' }).click()
  await dialog('Deleted').getByText('We checked that nothing is left').waitFor()
  await expect.poll(() => dialog('Deleted').getByRole('definition').first().textContent()).toBe('1')
  expect(await cookies()).toEqual([])
  expect(await stored()).toEqual([])

  const folder = mkdtempSync(join(tmpdir(), 'parley-receipt-'))
  try {
    const [download] = await Promise.all([visitor.page.waitForEvent('download'), visitor.button('Save receipt').click()])
    await download.saveAs(join(folder, 'receipt.json'))
    await visitor.page.getByText('How to verify the receipt later').click()
    const command = await dialog('Deleted').locator('pre').textContent()
    expect((await run('bash', ['-c', command!], { cwd: folder })).stdout).toContain('The receipt is genuine.')
  } finally {
    rmSync(folder, { recursive: true })
  }

  await visitor.button('Done').click()
  await visitor.button('Open the notice').waitFor()
  await visitor.page.reload()
  await dialog('Before you start').waitFor()
})

test('withdrawing consent offers deletion at once, and deletion stays available later', async () => {
  await visitorWithChats('Written with consent')
  await openMyData()
  await visitor.button('Withdraw consent').click()
  await dialog('Your consent is withdrawn').waitFor()
  await expect.poll(() => visitor.composer.count()).toBe(0)
  expect(await stored()).toEqual([])
  await visitor.button('Keep my chats').click()
  await visitor.page.reload()
  await openMyData()
  await visitor.button('Delete all my data').click()
  await dialog('Delete all my data?').getByRole('button', { name: 'Delete all my data' }).click()
  await dialog('Deleted').getByText('We checked that nothing is left').waitFor()
  expect(await cookies()).toEqual([])
})

test('is usable by keyboard: each step focuses its title, Escape closes, and the focus returns', async () => {
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
  await expect.poll(() => focused()).toBe('My data')
  await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
})

test('everything is exported to a file', async () => {
  await visitorWithChats('Where do swifts sleep?', 'And owls?')
  await openMyData()
  const [download] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.page.getByRole('link', { name: 'Download everything' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
  const { chats } = JSON.parse((await readZip(readFileSync(await download.path()))).get('parley.json') ?? '') as {
    chats: { title: string }[]
  }
  expect(chats.map(({ title }) => title).toSorted()).toEqual(['And owls?', 'Where do swifts sleep?'])
})

test('another device gets access with the code shown, once; the code does not stay in the address', async () => {
  await visitorWithChats('Seen on both')
  await openMyData()
  await visitor.button('Show a code').click()
  const address = await scannedAddress()
  expect(address).toBe(await shownLink())
  expect(address).toMatch(/#\/move\?code=[\w-]{22}$/)
  await expect.poll(() => visitor.page.getByRole('timer').textContent()).toMatch(/^Works once\. Expires in (10:00|9:\d\d)$/)

  const phone = await stage.visitor({ viewport: { width: 375, height: 740 } })
  await phone.page.goto(address)
  await phone.button('Accept and continue').click()
  await phone.button('Get my chats').waitFor()
  expect(phone.page.url()).toBe(`${stage.server.url}/#/chat`)
  await phone.button('Get my chats').click()
  await phone.page.getByText('Your chats are here.').waitFor()
  await phone.button('Go to my chats').click()
  await phone.button('Open the menu').click()
  await phone.page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Seen on both' }).waitFor()

  const late = await stage.visitor()
  await late.enter()
  await late.open(address.slice(address.indexOf('#')))
  await late.button('Get my chats').click()
  await late.page.getByRole('alert').getByText('This code doesn’t work or has expired.').waitFor()

  await visitor.button('Back to my data').click()
  await visitor.page.getByText('also open on one other device').waitFor()
  await visitor.button('Sign out other devices').click()
  await visitor.button('Sign out other devices').waitFor({ state: 'detached' })
  await phone.page.reload()
  await phone.composer.waitFor()
  await phone.button('Open the menu').click()
  await phone.page.getByText('Your chats will appear here.').last().waitFor()
  expect([...phone.faults, ...late.faults]).toEqual([])
  await phone.leave()
  await late.leave()
})

test('asks before replacing the chats of this browser', async () => {
  await visitorWithChats('From the first')
  await openMyData()
  await visitor.button('Show a code').click()
  const link = await shownLink()
  const other = await stage.visitor()
  await other.enter()
  await other.ask('From the second')
  await other.open(link.slice(link.indexOf('#')))
  await other.button('Get my chats').click()
  await other.page.getByRole('alert').getByText('This browser already has chats.').waitFor()
  await other.button('Delete them and continue').click()
  await other.button('Go to my chats').click()
  await expect.poll(() => other.page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['From the first'])
  await other.leave()
})

test('a shared computer stores nothing outside the open tab, and no cookie after it', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.button('Shared computer').click()
  await visitor.page.getByText('Shared computer: chats are erased').waitFor()
  await visitor.button('Dark').click()
  await visitor.ask('Nobody is to see this')
  expect(await stored()).toEqual([])
  const { page } = visitor
  const context = page.context()
  expect((await context.cookies()).map(({ name, expires }) => `${name} ${expires}`).toSorted()).toEqual([
    'privacy-consent -1',
    'visitor -1',
  ])
  const cookie = (await context.cookies()).find(({ name }) => name === 'visitor')
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => context.cookies()).toEqual([])
  const headers = { authorization: `Bearer ${cookie!.value}` }
  await expect.poll(async () => (await fetch(`${stage.server.url}/api/v1/sessions`, { headers })).status).toBe(401)
  const next = await context.newPage()
  await next.goto(`${stage.server.url}/`)
  await next.getByRole('dialog', { name: 'Before you start' }).waitFor()
  expect(await next.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
})

test('switching to a shared computer replaces the key with one that ends with the browser, and back', async () => {
  await visitorWithChats('Before it was said')
  const lasts = async () => (await visitor.page.context().cookies()).find(({ name }) => name === 'visitor')?.expires !== -1
  expect(await lasts()).toBe(true)
  await visitor.button('New chat').first().click()
  await visitor.button('Shared computer').click()
  await expect.poll(lasts).toBe(false)
  await openMyData()
  await visitor.page.getByText('everything is deleted 2 hours after the last use').waitFor()
  await visitor.button('Close').click()
  await visitor.button('Shared computer').click()
  await expect.poll(lasts).toBe(true)
  await visitor.page.reload()
  await expect.poll(listed).toEqual(['Before it was said'])
})

test('a temporary chat exists in the page only, is not listed, and is gone when it is left', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.button('Temporary chat').click()
  await visitor.ask('My name is Ada')
  await visitor.ask('What is my name?')
  const sent = stage.model.requests.find(({ prompt }) => prompt === 'What is my name?')
  expect(JSON.stringify(sent?.body)).toContain('My name is Ada')
  await visitor.page.getByRole('status').getByText('Temporary chat').waitFor()
  await expect.poll(() => visitor.button('Copy message').count()).toBe(2)
  await expect.poll(() => visitor.button('Edit message').count()).toBe(0)
  expect(new URL(visitor.page.url()).hash).toBe('#/chat')
  expect(await listed()).toEqual([])
  expect((await stored()).filter((key) => key === 'chat-session')).toEqual([])
  const report = async () => (await (await visitor.page.request.get(`${stage.server.url}/api/v1/me/data`)).json()) as DataReport
  await expect.poll(async () => (await report()).stored.filter(({ kind }) => kind === 'chats')).toEqual([])
  await visitor.button('New chat').first().click()
  await visitor.ask('This one is kept')
  await expect.poll(listed).toEqual(['This one is kept'])
  await visitor.page.getByText('Saved until').waitFor()
})

test('a failed answer of a temporary chat is retried once its files are attached again', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.button('Temporary chat').click()
  const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# The plan') }
  await visitor.page.locator('.composer input[type=file]').setInputFiles(notes)
  await visitor.page.locator('.attachments .stored').waitFor()
  stage.model.script({ status: 400, body: '{}' })
  await visitor.send('Once more')
  await visitor.button('Retry').click()
  await visitor.page.getByText('Attach the file again').waitFor()
  await visitor.button('Edit').click()
  await visitor.page.locator('.composer input[type=file]').setInputFiles(notes)
  await visitor.page.locator('.attachments .stored').waitFor()
  await visitor.button('Send').click()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(() => visitor.page.locator('article.human').count()).toBe(1)
  expect(JSON.stringify(stage.model.requests.at(-1)?.body.messages)).toContain('# The plan')
})

/** Waits for the link with the code and returns it. */
const shownLink = (): Promise<string> => visitor.page.getByRole('textbox', { name: 'Link' }).inputValue()

/** Decodes the shown QR code. */
async function scannedAddress(): Promise<string> {
  const code = visitor.page.getByRole('img', { name: 'QR code' })
  const pixels = await code.evaluate(async (svg) => {
    const size = 240
    const copy = svg.cloneNode(true) as SVGElement
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    copy.setAttribute('width', String(size))
    copy.setAttribute('height', String(size))
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`
    await image.decode()
    const context = Object.assign(document.createElement('canvas'), { width: size, height: size }).getContext('2d')!
    context.drawImage(image, 0, 0, size, size)
    return { width: size, height: size, data: [...context.getImageData(0, 0, size, size).data] }
  })
  return decode({ ...pixels, data: Uint8Array.from(pixels.data) })
}
