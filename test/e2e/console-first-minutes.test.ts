import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/chromium.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { sitePage, startWebsite } from '../support/website.ts'
import { openConsoleTour } from './console-tour-pages.ts'
import { type Hand, walkFirstMinutes } from './first-minutes.ts'
import { keyboardHand } from './keyboard-hand.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 320, height: 568 },
]

interface WalkOptions extends Pick<Parameters<typeof walkFirstMinutes>[0], 'website' | 'model'> {
  handOf?: (page: Page) => Hand
}

/** Walks on a new server; `env` are settings beside the usual ones. Returns what it found, and how many interactions it took. */
async function walk(env: Record<string, string>, options: WalkOptions = {}) {
  const server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, ...env } })
  try {
    const { origin, link } = await consoleOf(server)
    expect(server.output()).toContain('The console link works once, for 10 minutes.')
    return await withBrowser(async (browser) => {
      const { staff, visitor } = await openConsoleTour(browser)
      const faults: Record<string, string[]> = {}
      const look = async (screen: string) => {
        const found = await faultsOf(staff)
        if (found.length > 0) faults[screen] = found
      }
      const { handOf, ...rest } = options
      const hand = handOf && { hand: handOf(staff) }
      const place = { link: `${origin}/#/enter/${link}`, chat: `${server.url}/` }
      const count = await walkFirstMinutes({ staff, visitor, ...place, look, ...hand, ...rest })
      return { count, faults }
    })
  } finally {
    await server.stop()
  }
}

test('an unanswered question is mended in at most 20 interactions from the first link on, and each screen is accessible', async () => {
  const { count, faults } = await walk({})
  expect(count).toBeLessThanOrEqual(20)
  expect(faults).toEqual({})
})

test('the same with a website instead of a file, and with a model connected at the end', async () => {
  const site = await startWebsite()
  const model = await startScriptedModel({ fallback: [{ text: 'Passports are made on weekdays, says the model.' }] })
  const knowledge = mkdtempSync(join(tmpdir(), 'parley-first-minutes-'))
  try {
    site.pages.set('/', sitePage('the town hall', ['/passports', '/permits', '/empty']))
    site.pages.set('/passports', sitePage('passports'))
    site.pages.set('/permits', sitePage('parking permits'))
    site.pages.set('/empty', '<title>Empty</title>')
    const website = `${site.url}/`
    const answers = { website, model: { address: model.baseUrl, says: 'Passports are made' } }
    const { count, faults } = await walk({ CONSOLE_PRIVATE_HOSTS: '127.0.0.1', KNOWLEDGE_DIR: knowledge }, answers)
    expect(count).toBeLessThanOrEqual(28)
    expect(faults).toEqual({})
  } finally {
    await Promise.all([site.close(), model.close()])
    rmSync(knowledge, { recursive: true })
  }
})

test('the same with the keyboard alone: each stop of Tab is seen, and nothing holds it', async () => {
  const model = await startScriptedModel({ fallback: [{ text: 'Passports are made on weekdays, says the model.' }] })
  let stops = () => 0
  const handOf = (page: Page) => {
    const keyboard = keyboardHand(page)
    stops = keyboard.stops
    return keyboard.hand
  }
  try {
    const { faults } = await walk(
      { CONSOLE_PRIVATE_HOSTS: '127.0.0.1' },
      { model: { address: model.baseUrl, says: 'Passports are made' }, handOf },
    )
    expect(faults).toEqual({})
    expect(stops()).toBeGreaterThan(20)
  } finally {
    await model.close()
  }
})

/** Findings of axe and elements that are too wide, on a desk and on a small phone. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  const before = page.viewportSize()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    faults.push(...(await violationsIn(page)), ...(await overflowOf(page)))
  }
  if (before) await page.setViewportSize(before)
  return faults
}
