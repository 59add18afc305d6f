import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { type Figure, kilobytes, withinBound } from './support/measurement.ts'
import { enter, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'
import { sum } from './support/statistics.ts'

/** Limit of the first load; everything else loads on demand. */
const BOUND_KB = 100

/** Scripts and styles that a browser requests on its first visit: the chat page and the short privacy notice. Compressed with gzip at level 9. */
export const pageSize: Figure = {
  name: 'page-size',
  measure: () =>
    withProcesses(async (processes) => {
      const parley = await processes.parley({ dataDirectory: processes.folder() })
      const responses = new Map<string, Response>()
      const watch = (response: Response) => {
        if (['script', 'stylesheet'].includes(response.request().resourceType())) responses.set(response.url(), response)
      }
      return withVisitor(
        async (page) => {
          await enter(page, parley.url)
          await page.waitForLoadState('networkidle')
          const sizes = await Promise.all([...responses.values()].map(compressedSize))
          if (sizes.length === 0) throw new Error('The page asked for no script: is it built?')
          return [withinBound('scripts and styles of the chat page, gz', sum(sizes) / 1000, BOUND_KB, kilobytes)]
        },
        (context) => context.on('response', watch),
      )
    }),
}

async function compressedSize(response: Response): Promise<number> {
  return gzipSync(await response.body(), { level: 9 }).length
}
