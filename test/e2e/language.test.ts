import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor
beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterEach(() => visitor.leave())
afterAll(() => stage.close())

const root = () => visitor.page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])
const stored = () => visitor.page.evaluate(() => localStorage.getItem('language'))
const languages = () => visitor.page.getByRole('combobox').filter({ visible: true })

test('uses the browser’s first supported language, for the notice too, and stores another choice only after consent', async () => {
  visitor = await stage.visitor({ locale: 'de-CH' })
  await visitor.open()
  const dialog = visitor.page.getByRole('dialog', { name: 'Bevor Sie anfangen' })
  await visitor.button('Ganzen Hinweis lesen').click()
  await dialog.getByText('Was wir erheben').waitFor()
  expect(await root()).toEqual(['de', 'ltr'])
  await dialog.getByLabel('Sprache').selectOption('fr')
  await visitor.page.getByRole('dialog').getByText('Ce que nous recueillons').waitFor()
  expect(await root()).toEqual(['fr', 'ltr'])
  expect(await stored()).toBeNull()
  await visitor.button('Accepter et continuer').click()
  await visitor.button('Envoyer').waitFor()
  expect(await stored()).toBe('fr')
  await visitor.page.reload()
  await visitor.button('Envoyer').waitFor()
  await visitor.button('Confidentialité').click()
  await visitor.button('Retirer le consentement').click()
  await expect.poll(stored).toBeNull()
})

test('lays out Arabic from right to left, without reversing visitors’ text, code or the server’s sentences', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: 'Use `npm run` here.' }])
  await visitor.ask('Which command?')
  await visitor.answers.getByText('npm run', { exact: true }).waitFor()
  await languages().first().selectOption('ar')
  await expect.poll(root).toEqual(['ar', 'rtl'])
  const sideOf = (name: string) =>
    visitor.page
      .locator(name)
      .first()
      .evaluate((element) => element.getBoundingClientRect().x)
  expect(await sideOf('.panel')).toBeGreaterThan(await sideOf('main'))
  const direction = (name: string) =>
    visitor.page
      .locator(name)
      .first()
      .evaluate((element) => getComputedStyle(element).direction)
  expect(await direction('.agent .prose')).toBe('ltr')
  await visitor.button('بياناتي').click()
  await visitor.page.getByText('في ملف قاعدة بيانات على هذا الخادم').waitFor()
  expect(await direction('.known > [lang]')).toBe('rtl')
})

test.each([
  ['ar', 'مرحبًا، كيف يمكنني مساعدتك؟', 'المساعد', 'الموافقة والمتابعة'],
  ['zh-CN', '您好，有什么可以帮您？', '助手', '接受并继续'],
  ['de-DE', 'Hallo, wie kann ich helfen?', 'Assistent', 'Akzeptieren und weiter'],
])(
  'a visitor whose browser prefers %s sees greeting and agent in it, and can begin with a suggestion',
  async (locale, greeting, agent, accept) => {
    visitor = await stage.visitor({ locale })
    await visitor.open()
    await visitor.button(accept).click()
    await visitor.page.getByRole('heading', { name: greeting }).waitFor()
    await visitor.page.locator('.starters button').first().click()
    await visitor.answers.first().waitFor()
    await expect.poll(() => visitor.page.getByRole('textbox', { name: agent }).count()).toBe(1)
  },
)

test('the agent’s texts follow a change of language, in the embedded chat too', async () => {
  visitor = await stage.visitor({ locale: 'de-DE' })
  await visitor.open('?embed')
  await visitor.page.locator('.welcome').getByText('Hallo, wie kann ich helfen?').waitFor()
  await visitor.page.goto(new URL('/', visitor.page.url()).href)
  await visitor.button('Akzeptieren und weiter').click()
  await visitor.page.getByRole('heading', { name: 'Hallo, wie kann ich helfen?' }).waitFor()
  await languages().first().selectOption('zh')
  await visitor.page.getByRole('heading', { name: '您好，有什么可以帮您？' }).waitFor()
  await languages().first().selectOption('en')
  await visitor.page.getByRole('heading', { name: 'Hi, how can I help?' }).waitFor()
  expect(visitor.faults).toEqual([])
})
