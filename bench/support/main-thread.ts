import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** Seconds of the main thread: in scripts, and in all of its tasks. */
export interface MainThread {
  script: number
  all: number
}

/** What the page's main thread does while `act` runs. */
export async function duringMainThread(page: Page, context: BrowserContext, act: () => Promise<void>): Promise<MainThread> {
  const devTools = await context.newCDPSession(page)
  await devTools.send('Performance.enable')
  const before = await mainThread(devTools)
  await act()
  const after = await mainThread(devTools)
  return { script: after.script - before.script, all: after.all - before.all }
}

async function mainThread(devTools: CDPSession): Promise<MainThread> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { script: value('ScriptDuration'), all: value('TaskDuration') }
}
