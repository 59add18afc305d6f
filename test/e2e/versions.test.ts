import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor, words } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
  let answers = 0
  // Each answer is unique.
  stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? undefined : [{ text: `Answer ${(answers += 1)} to ${prompt}` }]))
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const shown = ({ page }: Visitor) => page.locator('article :is(.bubble, .prose)').allInnerTexts()
const focused = ({ page }: Visitor) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const versions = ({ page }: Visitor) => page.getByRole('group', { name: 'Versions of this message' }).allInnerTexts()
// The buttons load later, those of a new message before those of earlier ones: a button's index would not tell its message.
const answerButton = (index: number, name: string) => visitor.answers.nth(index).getByRole('button', { name, exact: true })
const promptButton = (index: number, name: string) => visitor.prompts.nth(index).getByRole('button', { name, exact: true })
/** Matches the start of any answer to the prompt. */
const answerTo = (prompt: string) => expect.stringMatching(new RegExp(`^Answer \\d+ to ${prompt}$`))

test('a regenerated answer stands beside the earlier one, and buttons switch between them', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.ask('one')
  await visitor.ask('two')
  const [, first] = await shown(visitor)
  await answerButton(0, 'Try again').click()
  await expect.poll(() => versions(visitor)).toEqual(['2 / 2'])
  await expect.poll(() => shown(visitor)).toEqual(['one', answerTo('one')])
  expect((await shown(visitor))[1]).not.toBe(first)
  await expect.poll(() => focused(visitor)).toBe('Message Assistant')
  await visitor.button('Previous version').focus()
  await visitor.page.keyboard.press('Enter')
  await expect.poll(() => shown(visitor)).toEqual(['one', first, 'two', answerTo('two')])
  await expect.poll(() => focused(visitor)).toBe('Previous version')
  await visitor.button('Next version').click()
  await expect.poll(() => versions(visitor)).toEqual(['2 / 2'])
  await expect.poll(() => focused(visitor)).toBe('Next version')
  await visitor.page.reload()
  await expect.poll(() => versions(visitor)).toEqual(['2 / 2'])
  expect(visitor.faults).toEqual([])
})

test('a prompt is edited in place: Escape cancels, Enter sends, and the earlier version stays', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  await visitor.ask('one')
  await visitor.ask('two')
  const edit = promptButton(0, 'Edit message')
  const field = page.getByRole('textbox', { name: 'Edit message' })
  await edit.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('one')
  await page.keyboard.type(', not sent')
  await page.keyboard.press('Escape')
  expect(await shown(visitor)).toEqual(['one', answerTo('one'), 'two', answerTo('two')])
  await expect.poll(() => focused(visitor)).toBe('Edit message')
  await edit.click()
  await page.keyboard.type(' again')
  await page.keyboard.press('Enter')
  await expect.poll(() => shown(visitor)).toEqual(['one again', answerTo('one again')])
  await expect.poll(() => versions(visitor)).toEqual(['2 / 2'])
  // A prompt just sent can be edited too.
  await visitor.ask('three')
  await promptButton(1, 'Edit message').click()
  await field.fill('other three')
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect.poll(() => versions(visitor)).toEqual(['2 / 2', '2 / 2'])
  const other = await visitor.anotherTab()
  await other.open(new URL(page.url()).hash)
  await other.prompts.nth(1).waitFor()
  expect(await shown(other)).toEqual(['one again', answerTo('one again'), 'other three', answerTo('other three')])
  await promptButton(0, 'Previous version').click()
  await expect.poll(() => shown(visitor)).toEqual(['one', answerTo('one'), 'two', answerTo('two')])
  await other.prompts.getByText('two', { exact: true }).waitFor()
  expect(await shown(other)).toEqual(await shown(visitor))
})

/** Where the switch is when it is clicked: an answer that still streams moves it until then. */
const topAtClick = ({ page }: Visitor) =>
  page.evaluate(
    () =>
      new Promise<{ top: number }>((resolve) => {
        const takePlace = ({ target }: Event) =>
          resolve({ top: (target as Element).closest('.versions')?.getBoundingClientRect().top ?? 0 })
        document.addEventListener('click', takePlace, { capture: true, once: true })
      }),
  )

test('switching versions does not move the text that the reader looks at', async () => {
  visitor = await stage.visitor({ viewport: { width: 700, height: 500 } })
  const { page } = visitor
  await visitor.enter()
  stage.model.script([{ text: words(400) }])
  await visitor.ask('slow and long')
  await visitor.ask('one')
  stage.model.script([{ text: words(400) }])
  await visitor.ask('slow and long, too')
  await answerButton(1, 'Try again').click()
  await expect.poll(() => versions(visitor)).toEqual(['2 / 2'])
  const top = () => page.getByRole('group', { name: 'Versions of this message' }).evaluate((element) => element.getBoundingClientRect().top)
  const before = topAtClick(visitor)
  await visitor.button('Previous version').click()
  await visitor.prompts.nth(2).waitFor()
  const { top: expected } = await before
  await expect.poll(async () => Math.abs((await top()) - expected)).toBeLessThan(2)
})

test('feedback and its reason remain after a reload and can be withdrawn', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  await visitor.ask('one')
  const poor = visitor.button('Bad answer')
  await poor.click()
  const reason = page.getByRole('textbox', { name: 'What went wrong? (optional)' })
  await reason.fill('Not what I asked')
  await reason.press('Enter')
  await page.getByText('Thank you. The operator of this site can read your feedback.').waitFor()
  await expect.poll(() => focused(visitor)).toBe('Bad answer')
  await page.reload()
  await expect.poll(() => poor.getAttribute('aria-pressed')).toBe('true')
  const [stored] = await page.evaluate(async (key) => {
    const response = await fetch(`/api/v1/sessions/${key}`)
    const { messages } = (await response.json()) as { messages: { metadata: { feedback?: unknown } }[] }
    return messages.flatMap(({ metadata }) => metadata.feedback ?? [])
  }, new URL(page.url()).hash.split('=')[1])
  expect(stored).toEqual({ thumb: 'down', reason: 'Not what I asked' })
  await poor.click()
  await expect.poll(() => poor.getAttribute('aria-pressed')).toBe('false')
  await poor.click()
  await reason.waitFor()
  await reason.press('Escape')
  await reason.waitFor({ state: 'detached' })
  await visitor.button('Good answer').click()
  await visitor.button('No, thanks').click()
  await reason.waitFor({ state: 'detached' })
})

test('feedback stays when the page receives older data of the chat', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  const isAsked = Promise.withResolvers<void>()
  const isVoted = Promise.withResolvers<void>()
  let isShown = false
  await page.route(/\/api\/v1\/sessions\/\w+\?/, async (route) => {
    const response = await route.fetch()
    isAsked.resolve()
    await isVoted.promise
    await route.fulfill({ response })
    isShown = true
  })
  await visitor.ask('one')
  await isAsked.promise
  await visitor.button('Bad answer').click()
  const reason = page.getByRole('textbox', { name: 'What went wrong? (optional)' })
  await reason.fill('Half a reas')
  isVoted.resolve()
  await expect.poll(() => isShown).toBe(true)
  await visitor.drawn()
  expect([await reason.inputValue(), await visitor.button('Bad answer').getAttribute('aria-pressed')]).toEqual(['Half a reas', 'true'])
})

test('an answer is read aloud sentence by sentence until stopped', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  // Records speech, because this browser has no voice.
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(window, { said })
    speechSynthesis.speak = ({ lang, text }) => said.push(`${lang}: ${text}`)
    speechSynthesis.cancel = () => said.push('stop')
  })
  await visitor.enter()
  stage.model.script([{ text: '**Hello** there. How are you?\n\n```js\nconst a = 1\n```' }])
  await visitor.ask('slow')
  await visitor.button('Read aloud').click()
  await visitor.button('Stop reading aloud').click()
  await visitor.button('Read aloud').waitFor()
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said)
  expect(said).toEqual(['stop', 'en-US: Hello there.', 'en-US: How are you?', 'en-US: Code block.', 'stop'])
})
