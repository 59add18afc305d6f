import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** CPU seconds of the main thread: in scripts, and in all of its tasks. */
export interface MainThread {
  script: number
  all: number
}

/** CPU time of the page's main thread while `act` runs. Not wall time, which other processes affect. */
export async function duringMainThread(page: Page, context: BrowserContext, act: () => Promise<void>): Promise<MainThread> {
  const devTools = await context.newCDPSession(page)
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
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

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of the thread's own CPU time. */
  tdur?: number
}

/**
 * CPU milliseconds of each task of the page's main thread while something happens, the longest first.
 * Not wall time, which other processes affect.
 */
export async function tasksDuring(page: Page, act: () => Promise<unknown>): Promise<number[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser to be traced.')
  const devTools = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  devTools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await devTools.send('Tracing.start', { traceConfig: { includedCategories: ['devtools.timeline', 'toplevel'] } })
  await act()
  const complete = new Promise((resolve) => devTools.once('Tracing.tracingComplete', resolve))
  await devTools.send('Tracing.end')
  await complete
  await devTools.detach()
  const threads = Object.values(Object.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`)) as TraceEvent[][]
  // The page's main thread is the one that calls the most functions.
  const calls = (thread: TraceEvent[]) => thread.filter(({ name }) => name === 'FunctionCall').length
  const main = threads.reduce((most, thread) => (calls(thread) > calls(most) ? thread : most), [])
  const tasks = main.filter(({ name }) => name.includes('RunTask')).map(({ tdur }) => (tdur ?? 0) / 1000)
  if (tasks.length === 0) throw new Error('The trace holds no tasks.')
  return tasks.sort((one, other) => other - one)
}
