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

test('speaks the first language of the browser that it knows, the notice too, and keeps another choice only after consent', async () => {
  visitor = await stage.visitor({ locale: 'de-CH' })
  await visitor.open()
  const dialog = visitor.page.getByRole('dialog', { name: 'Bevor wir anfangen' })
  await dialog.getByText('Was erhoben wird').waitFor()
  expect(await root()).toEqual(['de', 'ltr'])
  await dialog.getByLabel('Sprache').selectOption('fr')
  await visitor.page.getByRole('dialog').getByText('Ce qui est recueilli').waitFor()
  expect(await root()).toEqual(['fr', 'ltr'])
  expect(await stored()).toBeNull()
  await visitor.button('Accepter').click()
  await visitor.button('Envoyer').waitFor()
  expect(await stored()).toBe('fr')
  await visitor.page.reload()
  await visitor.button('Envoyer').waitFor()
  await visitor.button('Confidentialité').click()
  await visitor.button('Retirer le consentement').click()
  await expect.poll(stored).toBeNull()
})

test('is laid out from right to left in Arabic, without a word of a visitor or of code turned round, the server’s words too', async () => {
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
