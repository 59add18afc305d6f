import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  const LOOK = { APP_NAME: 'Harbour', THEME_COLOR: '#7a1f5c,#f0a8d4', WELCOME_LINE: 'Ask about ships.' }
  stage = await openStage(await launchBrowser(), { ...LOOK, LINKS: 'Imprint=https://example.org/imprint', MODEL_IMAGES: 'yes' })
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const newVisitor = async () => {
  visitor = await stage.visitor({ serviceWorkers: 'allow' })
}
const kept = () =>
  visitor.page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return {
      chats: paths.filter((path) => path.startsWith('/offline/chats/')).length,
      prompts: paths.filter((path) => path.startsWith('/offline/prompts/')).length,
      uploads: paths.filter((path) => path.startsWith('/offline/uploads/')).length,
      attached: paths.filter((path) => path.startsWith('/offline/files/')).length,
      files: paths.filter((path) => path.startsWith('/assets/')).length,
    }
  })
/** A picture of one pixel. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
async function attach(): Promise<void> {
  await visitor.page.locator('.composer input[type=file]').setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: DOT })
  await visitor.page.locator('.attachments .stored').waitFor()
}
/** Widths of the prompts' pictures; 0 for missing ones. */
const pictures = () =>
  visitor.prompts.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
/** Whether the page would open offline. */
const isReady = () =>
  visitor.page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
const setOffline = (isOffline: boolean) => visitor.page.context().setOffline(isOffline)

test('shows the operator’s branding in both themes', async () => {
  await newVisitor()
  await visitor.enter()
  await visitor.page.getByText('Ask about ships.').waitFor()
  await expect.poll(() => visitor.page.getByRole('link', { name: 'Imprint' }).getAttribute('href')).toBe('https://example.org/imprint')
  await visitor.page.emulateMedia({ colorScheme: 'dark' })
  await visitor.composer.fill('A')
  const colorOf = () => visitor.button('Send').evaluate((button) => getComputedStyle(button).backgroundColor)
  await expect.poll(colorOf).toBe('rgb(240, 168, 212)')
  await visitor.page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(colorOf).toBe('rgb(122, 31, 92)')
  expect(await kept()).toEqual({ chats: 0, prompts: 0, uploads: 0, attached: 0, files: 0 })
  expect(visitor.faults).toEqual([])
})

test('opens offline with the chats of the last visit, and sends prompts written then once', async () => {
  await newVisitor()
  await visitor.enter()
  stage.model.script([{ text: 'Ships are at the quay.\n\n```ts\nconst ships = 3\n```' }])
  await attach()
  await visitor.ask('Where are the ships?')
  await isReady()
  await visitor.page.reload()
  await visitor.page.locator('pre code span span').first().waitFor()
  await expect.poll(kept).toMatchObject({ chats: 1, prompts: 0, attached: 1 })
  await setOffline(true)
  await visitor.page.reload()
  await visitor.answers.getByText('Ships are at the quay.').waitFor()
  await expect.poll(pictures).toEqual([1])
  await visitor.page.locator('pre code span span').first().waitFor()
  await visitor.chats.getByText('Where are the ships?').waitFor()
  await visitor.send('And when do they leave?')
  await visitor.page.getByText('Your message is saved on this device').waitFor()
  await visitor.page.reload()
  await visitor.page.getByText('Your message is saved on this device').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['Where are the ships?', 'And when do they leave?'])
  await expect.poll(() => visitor.composer.inputValue()).toBe('')
  stage.model.script([{ text: 'At noon.' }])
  const asked = stage.model.requests.length
  await setOffline(false)
  await visitor.answers.getByText('At noon.').waitFor()
  await expect.poll(kept).toMatchObject({ chats: 1, prompts: 0 })
  await visitor.page.reload()
  await visitor.answers.getByText('At noon.').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['Where are the ships?', 'And when do they leave?'])
  expect(stage.model.requests.length).toBe(asked + 1)
  expect(visitor.faults).toEqual([])
})

/** A visitor with a chat who attached a picture offline. */
async function attachedOffline(): Promise<void> {
  await newVisitor()
  await visitor.enter()
  await visitor.ask('Hello')
  await isReady()
  await setOffline(true)
  await attach()
}

test('accepts files offline, and sends them with their prompt when the connection is back', async () => {
  await attachedOffline()
  await visitor.page.getByText('Will be sent when you’re back online').waitFor()
  await visitor.send('What ship is this?')
  await visitor.page.getByText('Your message is saved on this device').waitFor()
  await visitor.page.reload()
  await visitor.page.getByText('Your message is saved on this device').waitFor()
  await expect.poll(pictures).toEqual([1])
  stage.model.script([{ text: 'A tug.' }])
  await setOffline(false)
  await visitor.answers.getByText('A tug.').waitFor()
  expect(stage.model.requests.at(-1)?.body.messages.at(-1)?.content).toEqual([
    { type: 'image_url', image_url: { url: expect.stringContaining('data:image/png') as string } },
    { type: 'text', text: 'What ship is this?' },
  ])
  await visitor.prompts.locator('.message-files').getByRole('button').waitFor()
  await expect.poll(pictures).toEqual([1])
  await expect.poll(kept).toMatchObject({ prompts: 0, uploads: 0 })
  // Attachments without a prompt are uploaded once online.
  await setOffline(true)
  await attach()
  await setOffline(false)
  await visitor.page.getByText('Attached', { exact: true }).waitFor()
  expect(visitor.faults).toEqual([])
})

test('returns queued prompts to the message box, and deletes them when consent is withdrawn', async () => {
  await attachedOffline()
  await visitor.send('Not so important')
  await visitor.page.getByText('Your message is saved on this device').waitFor()
  await expect.poll(kept).toMatchObject({ chats: 1, prompts: 1, uploads: 1 })
  await visitor.button('Edit').click()
  await expect.poll(() => visitor.composer.inputValue()).toBe('Not so important')
  await visitor.page.locator('.attachments .stored').waitFor()
  await expect.poll(kept).toMatchObject({ chats: 1, prompts: 0, uploads: 0 })
  await visitor.send('A little important')
  await expect.poll(kept).toMatchObject({ chats: 1, prompts: 1, uploads: 1 })
  await setOffline(false)
  await visitor.button('Privacy notice').first().click()
  await visitor.button('Withdraw consent').click()
  await expect.poll(kept).toEqual({ chats: 0, prompts: 0, uploads: 0, attached: 0, files: 0 })
  expect(await visitor.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

test('stores no temporary or deleted chat for offline use', async () => {
  await newVisitor()
  await visitor.enter()
  await attach()
  await visitor.ask('Listed')
  await isReady()
  await expect.poll(kept).toMatchObject({ chats: 1, attached: 1 })
  const key = new URL(visitor.page.url()).hash.split('session=')[1]
  await visitor.button('New chat').first().click()
  await visitor.button('Temporary chat').click()
  await visitor.ask('Not listed')
  await visitor.page.evaluate((session) => fetch(`/api/v1/sessions/${session}`, { method: 'DELETE' }), key)
  await expect.poll(kept).toMatchObject({ chats: 0, attached: 0 })
})

test('sends queued prompts of a chat that was left, and shows no expired chat', async () => {
  await newVisitor()
  await visitor.enter()
  await visitor.ask('First chat')
  await isReady()
  await setOffline(true)
  await visitor.send('Written offline')
  await visitor.page.getByText('Your message is saved on this device').waitFor()
  await visitor.button('New chat').first().click()
  await expect.poll(kept).toMatchObject({ chats: 1, prompts: 1 })
  await expect.poll(() => visitor.composer.inputValue()).toBe('')
  await setOffline(false)
  await expect.poll(kept).toMatchObject({ prompts: 0 })
  await visitor.chats.getByText('First chat').click()
  await visitor.prompts.getByText('Written offline').waitFor()
  await visitor.button('Copy answer').nth(1).waitFor()
  await expect.poll(kept).toMatchObject({ chats: 1 })
  await visitor.page.clock.setSystemTime(Date.now() + 31 * 24 * 60 * 60 * 1000)
  await visitor.page.evaluate(() => sessionStorage.clear())
  await setOffline(true)
  await visitor.button('New chat').first().click()
  await visitor.page.reload()
  await visitor.composer.waitFor()
  await expect.poll(kept).toMatchObject({ chats: 0 })
  await expect.poll(() => visitor.chats.count()).toBe(0)
})
