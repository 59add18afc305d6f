import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser(), { MODEL_IMAGES: 'yes', VOICE_INPUT: 'on' })
  stage.model.script(({ prompt }) => [{ text: `Answer to ${prompt}` }])
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const NOTES = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# The plan') }
const NOISE = { name: 'noise.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255, 254, 0, 1, 2]) }

const picker = ({ page }: Visitor) => page.locator('.composer input[type=file]')
const attached = ({ page }: Visitor) => page.getByRole('list', { name: 'Attached files' }).locator('.name').allInnerTexts()
/** The final state of each file. */
async function states({ page }: Visitor): Promise<string[]> {
  await page.waitForFunction(() => !document.querySelector('.attachments .sending'))
  return page.locator('.attachments li').evaluateAll((items) => items.map((item) => item.classList.value))
}
const written = (who: Visitor) => who.composer.inputValue()

/** A picture larger than models accept. */
async function picture({ page }: Visitor): Promise<Buffer> {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 4_096, height: 64 })
    canvas.getContext('2d')!.fillRect(0, 0, 2_048, 64)
    return canvas.toDataURL()
  })
  return Buffer.from(url.split(',')[1]!, 'base64')
}

test('files are sent with a prompt and remain after a reload and an edit; a rejected one does not block the others', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  await visitor.composer.fill('What is this?')
  await picker(visitor).setInputFiles([{ name: 'wide.png', mimeType: 'image/png', buffer: await picture(visitor) }, NOISE, NOTES])
  await page.locator('.attachments li').nth(2).waitFor()
  expect(await states(visitor)).toEqual(['stored', 'rejected', 'stored'])
  await expect.poll(() => page.locator('.attachments [role=alert]').innerText()).toMatch(/^This file type isn’t supported/)
  expect(await written(visitor)).toBe('What is this?')
  await expect.poll(() => visitor.button('Attach noise.bin again').count()).toBe(0)
  await visitor.button('Remove noise.bin').click()
  await visitor.composer.press('Enter')
  await visitor.button('Copy answer').waitFor()
  expect(await states(visitor)).toEqual([])
  const content = stage.model.requests.at(-1)?.body.messages.find(({ role }) => role === 'user')?.content
  expect(content).toEqual([
    { type: 'text', text: expect.stringMatching(/^<passages>/) as string },
    { type: 'image_url', image_url: { url: expect.stringContaining('data:image/png') as string } },
    { type: 'text', text: expect.stringContaining('# The plan') as string },
    { type: 'text', text: 'What is this?' },
  ])
  const names = () =>
    visitor.prompts
      .locator('.message-files li')
      .evaluateAll((files) => files.map((file) => file.querySelector('img')?.alt ?? file.querySelector('a')?.download))
  const widths = () =>
    visitor.prompts.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
  await page.reload()
  await expect.poll(names).toEqual(['wide.png', 'notes.md'])
  await expect.poll(widths).toEqual([2_048])
  await visitor.button('Edit message').click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('And now?')
  await page.keyboard.press('Enter')
  await page.getByText('2 / 2').waitFor()
  expect(await names()).toEqual(['wide.png', 'notes.md'])
  await visitor.button('wide.png').click()
  const viewer = page.getByRole('dialog', { name: 'wide.png' })
  await viewer.getByRole('img', { name: 'wide.png' }).waitFor()
  // The whole picture is in view.
  const region = viewer.getByRole('group', { name: 'wide.png' })
  expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expect.poll(() => viewer.getByRole('link', { name: 'Download wide.png' }).getAttribute('download')).toBe('wide.png')
  await viewer.getByRole('button', { name: 'Close' }).click()
  await viewer.waitFor({ state: 'detached' })
  await expect.poll(() => visitor.button('wide.png').evaluate((button) => button === document.activeElement)).toBe(true)
  expect(visitor.faults).toEqual([])
})

test('pasted and dropped files are attached, a fifth is rejected, and text copied with a picture stays text', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  await picker(visitor).waitFor({ state: 'attached' })
  const give = (kind: 'paste' | 'dragover' | 'drop', files: string[], words = '') =>
    page.evaluate(
      ([type, names, text]) => {
        const transfer = new DataTransfer()
        for (const name of names) transfer.items.add(new File([name], name, { type: 'text/plain' }))
        if (text) transfer.setData('text/plain', text)
        const options = { bubbles: true, cancelable: true }
        const event =
          type === 'paste'
            ? new ClipboardEvent(type, { ...options, clipboardData: transfer })
            : new DragEvent(type, { ...options, dataTransfer: transfer })
        document.getElementById('composer')!.dispatchEvent(event)
        return event.defaultPrevented
      },
      [kind, files, words] as const,
    )
  expect(await give('paste', ['cells.png'], 'a\tb')).toBe(false)
  expect(await give('paste', ['one.txt'])).toBe(true)
  await give('dragover', ['two.txt'])
  await page.locator('.drop-zone').waitFor()
  expect(await give('drop', ['two.txt', 'three.txt', 'four.txt', 'five.txt'])).toBe(true)
  await page.locator('.drop-zone').waitFor({ state: 'detached' })
  expect(await states(visitor)).toEqual(['stored', 'stored', 'stored', 'stored', 'rejected'])
  expect(await attached(visitor)).toEqual(['one.txt', 'two.txt', 'three.txt', 'four.txt', 'five.txt'])
  await expect.poll(() => page.locator('.attachments [role=alert]').innerText()).toBe('You can attach up to 4 files to a message.')
  expect(visitor.faults).toEqual([])
})

test('each chat has its own draft, with its files, after a reload too; sending clears it', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  const stored = () => page.evaluate(() => sessionStorage.getItem('chat-drafts'))
  await visitor.enter()
  await visitor.ask('one')
  await visitor.composer.fill('more on one')
  await picker(visitor).setInputFiles(NOTES)
  await page.locator('.attachments li').waitFor()
  expect(await states(visitor)).toEqual(['stored'])
  await visitor.button('New chat').first().click()
  await expect.poll(() => written(visitor)).toBe('')
  expect(await states(visitor)).toEqual([])
  await visitor.composer.fill('something new')
  await page.reload()
  await expect.poll(() => written(visitor)).toBe('something new')
  await visitor.chats.first().click()
  await expect.poll(() => written(visitor)).toBe('more on one')
  expect(await states(visitor)).toEqual(['stored'])
  await visitor.composer.press('Enter')
  await visitor.prompts.getByRole('link', { name: 'notes.md' }).waitFor()
  expect(await written(visitor)).toBe('')
  await visitor.button('New chat').first().click()
  await expect.poll(() => written(visitor)).toBe('something new')
  await visitor.button('Temporary chat').click()
  await page.reload()
  await visitor.composer.waitFor()
  expect(await stored()).toBe(null)
  expect(await written(visitor)).toBe('')
})

test('dictated text is inserted once the visitor knows who processes the audio', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  // Simulates speech recognition, which this browser lacks.
  await page.addInitScript(() => {
    class Recognition extends EventTarget {
      start() {
        Object.assign(window, {
          hear: (transcript: string) => this.dispatchEvent(Object.assign(new Event('result'), { results: [[{ transcript }]] })),
        })
      }
      abort() {
        this.dispatchEvent(new Event('end'))
      }
    }
    Object.assign(window, { SpeechRecognition: Recognition, webkitSpeechRecognition: undefined })
  })
  const hear = (words: string) => page.evaluate((said) => (window as unknown as { hear(said: string): void }).hear(said), words)
  await visitor.enter()
  await visitor.composer.fill('Dear diary,')
  await visitor.button('Dictate').click()
  await page.getByText('Most browsers send your voice to their maker').waitFor()
  expect(await page.evaluate(() => 'hear' in window)).toBe(false)
  await visitor.button('Speak').click()
  await visitor.button('Stop dictating').waitFor()
  await hear('today it')
  await hear('today it rained')
  await expect.poll(() => written(visitor)).toBe('Dear diary, today it rained')
  await visitor.composer.press('Enter')
  await visitor.button('Dictate').waitFor()
  await hear('today it rained all day')
  expect(await written(visitor)).toBe('')
  expect(visitor.requests.filter((url) => !url.startsWith(stage.server.url))).toEqual([])
  expect(visitor.faults).toEqual([])
})

test.each([320, 375])('at %i px, the placeholder has the whole width, and the buttons one row', async (width) => {
  visitor = await stage.visitor({ viewport: { width, height: 640 }, hasTouch: true })
  const { page, composer } = visitor
  await visitor.enter()
  await visitor.button('Dictate').waitFor()
  expect(await composer.evaluate((area) => area.clientWidth / (area.closest('form')?.clientWidth ?? 0))).toBeGreaterThan(0.9)
  const tops = await page.locator('.composer > .button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { top, height } = button.getBoundingClientRect()
      return Math.round(top + height / 2)
    }),
  )
  expect(tops).toHaveLength(3)
  expect(new Set(tops).size).toBe(1)
})
