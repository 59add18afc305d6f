import { withBrowser } from '../test/support/chromium.ts'
import { startServer } from '../test/support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../test/support/staff-client.ts'
import { openConsoleTour } from '../test/e2e/console-tour-pages.ts'
import { walkFirstMinutes } from '../test/e2e/first-minutes.ts'
import { count, type Figure, seconds, withinBound } from './support/measurement.ts'

const MOST_SECONDS = 180
const MOST_INTERACTIONS = 20

/** From starting an empty server to an answer that a visitor gets to a question that staff found without one. */
export const firstMinutes: Figure = {
  name: 'first-minutes',
  measure: async () => {
    const startedAt = performance.now()
    const server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
    try {
      const { origin, link } = await consoleOf(server)
      return await withBrowser(async (browser) => {
        const pages = await openConsoleTour(browser)
        const place = { link: `${origin}/#/enter/${link}`, chat: `${server.url}/` }
        const interactions = await walkFirstMinutes({ ...pages, ...place, look: async () => undefined })
        const took = (performance.now() - startedAt) / 1000
        return [
          withinBound('from the start to a published fix that a visitor gets: machine time', took, MOST_SECONDS, seconds),
          withinBound('the same: interactions of staff', interactions, MOST_INTERACTIONS, count),
        ]
      })
    } finally {
      await server.stop()
    }
  },
}
