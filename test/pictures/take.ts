// `npm run pictures` takes a picture of every screen and state of the page, in three widths and both themes, into docs/pictures;
// `npm run pictures -- answer approval` those of some screens.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launchOwnBrowser } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { openConsoleTour } from '../e2e/console-tour-pages.ts'
import { tourConsole } from '../e2e/tour-console.ts'
import { openTourStage } from '../e2e/tour-stage.ts'
import { type Look, tourChat, tourEmbedded, tourInArabic, tourMyData } from '../e2e/tour.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const SIZES = [
  { width: 375, height: 720 },
  { width: 768, height: 900 },
  { width: 1440, height: 900 },
]
const THEMES = ['light', 'dark'] as const
/** Image quality without visible artefacts around letters. */
const QUALITY = 0.82
/** Time for diagrams to be drawn in the colours of another theme. */
const REDRAWN_MS = 1_000

const wanted = process.argv.slice(2)
await mkdir(FOLDER, { recursive: true })
const stage = await openTourStage(await launchOwnBrowser())
const darkroom = await stage.browser.newPage()
try {
  for (const viewport of SIZES) {
    await takeAll(viewport)
    await takeConsole(viewport)
  }
} finally {
  await stage.close()
}

async function takeAll(viewport: (typeof SIZES)[number]): Promise<void> {
  if (wanted.length > 0 && wanted.every((screen) => screen.startsWith('console-'))) return
  for (const tour of [tourChat, tourMyData, tourEmbedded, tourInArabic]) {
    const visitor = await stage.visitor({ viewport, reducedMotion: 'reduce', hasTouch: viewport.width < 768, serviceWorkers: 'allow' })
    await tour({ stage, visitor, look: lookAt(visitor.page, viewport.width) })
    await visitor.leave()
  }
}

/** The walk of somebody who has never seen the console, on a new server. */
async function takeConsole(viewport: (typeof SIZES)[number]): Promise<void> {
  if (wanted.length > 0 && !wanted.some((screen) => screen.startsWith('console-'))) return
  const server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    const { staff, visitor } = await openConsoleTour(stage.browser, viewport)
    const [look, lookAtVisitor] = [lookAt(staff, viewport.width), lookAt(visitor, viewport.width)]
    await tourConsole({ server, ...(await consoleOf(server)), staff, visitor, look, lookAtVisitor })
    await Promise.all([staff.context().close(), visitor.context().close()])
  } finally {
    await server.stop()
  }
}

function lookAt(page: Page, width: number): Look {
  return async (screen) => {
    if (wanted.length === 0 || wanted.includes(screen)) await take(page, `${screen}-${width}`)
  }
}

async function take(page: Page, name: string): Promise<void> {
  // The hovered element would look selected.
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.documentElement.style.setProperty('caret-color', 'transparent'))
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    if ((await page.locator('.drawing').count()) > 0) await setTimeout(REDRAWN_MS)
    await writeFile(join(FOLDER, `${name}-${colorScheme}.webp`), await asWebp(darkroom, await page.screenshot()))
  }
  process.stdout.write(`${name}\n`)
}

/**
 * A third of what a PNG takes. Another page writes it: a session of DevTools, which could take it so at once, has the page believe that it is
 * online.
 */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(
    async ([content, quality]) => {
      const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${content}`)).blob())
      const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
      canvas.getContext('2d')!.drawImage(picture, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    [png.toString('base64'), QUALITY] as const,
  )
  return Buffer.from(url.split(',')[1]!, 'base64')
}
