import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { pausedText, openStage, type Stage, type Visitor, words } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const openKey = () => new URL(visitor.page.url()).hash.match(/session=(\w+)/)?.[1]
const history = () => visitor.page.getByRole('navigation', { name: 'Chat history' })

test('opens the chat, sends a prompt and shows the answer', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  expect(new URL(visitor.page.url()).hash).toBe('#/chat')
  stage.model.script([{ text: 'Two words: **bold** and `code`.' }])
  await visitor.ask('Say two words')
  await expect.poll(() => visitor.promptTexts()).toEqual(['Say two words'])
  await expect.poll(() => visitor.answers.locator('strong').innerText()).toBe('bold')
  expect(openKey()).toMatch(/^[A-Za-z0-9]{21}$/)
  expect(await visitor.page.title()).toBe('Say two words · Parley')
  const stored = await visitor.page.evaluate(
    () => JSON.parse(sessionStorage.getItem('chat-session')!) as { key: string; messages: { type: string; data: { content: string } }[] },
  )
  expect(stored.key).toBe(openKey())
  expect(stored.messages.map(({ type, data }) => [type, data.content])).toEqual([
    ['human', 'Say two words'],
    ['agent', 'Two words: **bold** and `code`.'],
  ])
})

test('continues an answer after a reload, word for word', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const text = words(50)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await visitor.send('Count slowly')
  await visitor.answers.getByText('word8').waitFor()
  const before = (await visitor.answers.locator('.prose').innerText()).trim()
  await visitor.page.reload()
  await visitor.answers.locator('.prose').waitFor()
  const after = (await visitor.answers.locator('.prose').innerText()).trim()
  expect(after.startsWith(before)).toBe(true)
  expect(after).not.toBe(text)
  release()
  await visitor.button('Copy answer').waitFor()
  expect((await visitor.answers.locator('.prose').innerText()).trim()).toBe(text)
  await expect.poll(() => visitor.page.locator('article').count()).toBe(2)
})

test('opens an earlier session from the list, returns, and starts a new one', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.ask('The first chat')
  const first = openKey()
  await visitor.button('New chat').first().click()
  await visitor.page.locator('.starters').waitFor()
  await visitor.ask('The second chat')
  const second = openKey()
  expect(second).not.toBe(first)
  await history().getByRole('link', { name: 'The first chat' }).click()
  await visitor.page.locator('article.human', { hasText: 'The first chat' }).waitFor()
  expect(openKey()).toBe(first)
  await expect.poll(() => history().locator('[aria-current]').innerText()).toBe('The first chat')
  await visitor.page.goBack()
  await visitor.page.locator('article.human', { hasText: 'The second chat' }).waitFor()
  expect(openKey()).toBe(second)
})

test('shows a page for an unknown address, and a message for an unknown session', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.open('#/nowhere')
  await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await visitor.page.getByRole('link', { name: 'Go to the chat' }).click()
  await visitor.composer.waitFor()
  await visitor.open('#/chat?session=abcdefghijklmnopqrstu')
  await visitor.page.getByRole('heading', { name: 'Chat not found' }).waitFor()
  await visitor.button('Start a new chat').click()
  await visitor.page.locator('.starters').waitFor()
  expect(new URL(visitor.page.url()).hash).toBe('#/chat')
})

test('stops an answer and keeps what was written', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: words(2_000), tokensPerSecond: 30 }])
  await visitor.send('Go on without end')
  await visitor.answers.getByText('word5').waitFor()
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  await expect.poll(() => visitor.answers.locator('.prose').innerText()).toMatch(/^word0 .*word5/)
  expect(await stage.model.requests.at(-1)!.ended).toBe(true)
  await visitor.button('Send').waitFor()
  await visitor.page.reload()
  await visitor.page.getByText('You stopped this answer.').waitFor()
})

test('keeps what is typed while an answer is written, and sends it when that is complete', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const { script, release } = pausedText(words(50))
  stage.model.script(script)
  await visitor.send('Count slowly')
  await visitor.answers.getByText('word8').waitFor()
  await visitor.send('And now backwards')
  await visitor.page.getByText('You can send this when the answer is complete.').waitFor()
  expect(await visitor.composer.inputValue()).toBe('And now backwards')
  expect([await visitor.button('Stop answer').count(), await visitor.button('Send').count()]).toEqual([1, 0])
  release()
  await visitor.button('Copy answer').waitFor()
  expect(await visitor.promptTexts()).toEqual(['Count slowly'])
  stage.model.script([{ text: 'Five, four, three.' }])
  await visitor.composer.press('Enter')
  await visitor.answers.getByText('Five, four, three.').waitFor()
  expect(await visitor.promptTexts()).toEqual(['Count slowly', 'And now backwards'])
  await expect.poll(() => visitor.composer.inputValue()).toBe('')
})

test('leaves room for the text at a zoom of 400 %', async () => {
  visitor = await stage.visitor({ viewport: { width: 320, height: 256 } })
  await visitor.open()
  await visitor.button('Read the full notice').click()
  await visitor.page.getByText('What we collect').waitFor()
  const room = (of: string) =>
    visitor.page.locator(of).evaluate((element) => {
      element.scrollIntoView({ block: 'start' })
      const { x } = element.getBoundingClientRect()
      const isText = (y: number) => element.contains(document.elementFromPoint(x + 1, y))
      return [100, 180, 230].filter(isText).length
    })
  expect(await room('.notice-text')).toBe(3)
  await visitor.button('Accept and continue').click()
  stage.model.script([{ text: 'A paragraph to be read. '.repeat(40) }])
  await visitor.ask('Write much')
  expect(await room('article.agent .prose p')).toBe(3)
})

test('works with the keyboard alone', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.open()
  await visitor.button('Accept and continue').waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label'))
  const tabTo = async (name: string, key = 'Tab') => {
    for (let step = 0; step < 30 && (await focused()) !== name; step++) {
      await page.keyboard.press(key)
    }
    await expect.poll(() => focused()).toBe(name)
  }
  await tabTo('Decline')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await tabTo('Open the notice')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Before you start')
  await tabTo('Accept and continue')
  await page.keyboard.press('Enter')
  await visitor.composer.waitFor()
  await expect.poll(focused).toBe('Message Assistant')
  stage.model.script([{ text: 'On' }, { silence: true }])
  await page.keyboard.type('Begin')
  await page.keyboard.press('Enter')
  // An answer without text can't be continued.
  await visitor.answers.getByText('On').waitFor()
  await tabTo('Stop answer')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Message Assistant')
  await visitor.button('Continue').waitFor()
  await page.keyboard.type('First line')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second line')
  await page.keyboard.press('Enter')
  await visitor.button('Copy answer').nth(1).waitFor()
  expect((await visitor.promptTexts()).at(-1)).toBe('First line\nsecond line')
  await expect.poll(() => focused()).toBe('Message Assistant')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.evaluate(() => getSelection()?.setPosition(document.body, 0))
  await tabTo('Skip to the message box')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused()).toBe('Message Assistant')
})

test('does not send text that an input method is still composing', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.composer.fill('にほん')
  await visitor.composer.evaluate((area) => {
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))
    // oxlint-disable-next-line typescript/no-deprecated -- what Safari sends
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => visitor.composer.inputValue()).toBe('にほん')
  await expect.poll(() => visitor.page.locator('article').count()).toBe(0)
})

test('a new prompt goes to the top of the view, and its answer grows below it without being followed, until the reader asks', async () => {
  visitor = await stage.visitor({ viewport: { width: 600, height: 600 } })
  const { page } = visitor
  await visitor.enter()
  const long = words(300).replaceAll(/(word\d*9)/g, '$1\n\n')
  stage.model.script([{ text: long }])
  await visitor.ask('A first one')
  const isLong = Promise.withResolvers<void>()
  const isFollowed = Promise.withResolvers<void>()
  stage.model.script([{ text: 'Brief.\n\n' }, { until: isLong.promise }, { text: long }, { until: isFollowed.promise }, { text: long }])
  await visitor.send('A second one')
  await visitor.answers.nth(1).getByText('Brief').waitFor()
  const top = () => visitor.prompts.nth(1).evaluate((prompt) => prompt.getBoundingClientRect().top)
  const bar = await page.locator('.bar').evaluate((element) => element.getBoundingClientRect().bottom)
  const toEnd = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY)
  await expect.poll(async () => Math.abs((await top()) - bar - 16)).toBeLessThan(2)
  const before = await top()
  isLong.resolve()
  await visitor.answers.nth(1).getByText('word299').waitFor()
  await visitor.button('Jump to latest').waitFor()
  expect(await top()).toBe(before)
  await visitor.button('Jump to latest').click()
  await expect.poll(toEnd).toBeLessThan(8)
  isFollowed.resolve()
  await visitor.button('Copy answer').nth(1).waitFor()
  await expect.poll(toEnd).toBeLessThan(8)
  expect(await top()).toBeLessThan(0)
})

test('an answer that is followed stays where the reader scrolls up', async () => {
  visitor = await stage.visitor({ viewport: { width: 600, height: 500 } })
  const { page } = visitor
  await visitor.enter()
  stage.model.script([{ text: words(300).replaceAll(/(word\d*9)/g, '$1\n\n'), tokensPerSecond: 60 }])
  await visitor.send('A long one')
  await visitor.button('Jump to latest').click()
  await visitor.answers.getByText('word120').waitFor()
  const toEnd = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY)
  await expect.poll(toEnd).toBeLessThan(8)
  await page.mouse.move(300, 200)
  await page.mouse.wheel(0, -700)
  await visitor.button('Jump to latest').waitFor()
  const place = await page.evaluate(() => scrollY)
  await visitor.answers.getByText('word220').waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(place)
  await visitor.button('Jump to latest').click()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(toEnd).toBeLessThan(8)
})
