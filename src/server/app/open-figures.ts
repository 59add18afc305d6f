import type { Settings } from '../config/config.ts'
import { type ChangedFeedback, type CountedTurn, Figures, filesOf, type FiguresOptions } from '../insights/figures/figures.ts'
import { rejectionCodeOf } from '../platform/problems.ts'
import { EndpointCounts } from './health/endpoint-health.ts'
import type { Server } from '../platform/server.ts'
import type { GivenFeedback } from '../store/turns/feedback.ts'
import { storedVersions } from '../store/turns/turn-versions.ts'
import type { EndedSession } from '../store/turns/turn-ends.ts'
import type { LocalEnd } from '../turns/started-turn.ts'
import { costOf, type createMetrics } from './optional-parts.ts'

type FeedbackFrom = Pick<ChangedFeedback, 'owner' | 'embed'>
type OpenMetrics = Awaited<ReturnType<typeof createMetrics>>

/** Counts what happens: for the daily figures, if there is a console that shows them, and for metrics. */
export function openFigures(settings: Settings, app: Server, { metrics, ...options }: FiguresOptions & { metrics: OpenMetrics }) {
  const figures = settings.console && new Figures(options)
  if (figures)
    app.addHook('onResponse', (request, _, done) => {
      const isPrompt = request.method === 'POST' && request.routeOptions.config.takesPrompt === true
      const code = isPrompt && rejectionCodeOf(request)
      if (code) figures.rejected(code)
      done()
    })
  const endpoints = new EndpointCounts(options.now)
  return {
    endpoints: () => endpoints.recent,
    turnEnded(ended: LocalEnd) {
      const { provider, name } = ended.agent.modelOf(ended.model)
      // A fixed reply, or the built-in assistant, used no endpoint.
      if (provider !== null && (ended.end.code || ended.end.versions?.model)) endpoints.turnEnded(name, ended.end.code)
      metrics?.turnEnded(ended)
      figures?.turnEnded(figuresOf(settings, ended))
    },
    turnAbandoned: (session: EndedSession) => figures?.turnAbandoned(session),
    feedbackGiven(given: GivenFeedback, from: FeedbackFrom) {
      if (given.after) metrics?.metrics.feedbackGiven(given.after)
      if (given.turn)
        figures?.feedbackChanged({ ...given.turn, ...from, before: given.before, after: given.after, files: filesOf(given.turn) })
    },
    visitorSeen: (owner: string, network: string) => figures?.visitorSeen(owner, network),
    close: async () => figures?.close(),
  }
}

function figuresOf(settings: Settings, ended: LocalEnd): CountedTurn {
  const { turn, end, agent, embed = 'unknown', owner, messages } = ended
  return {
    ...turn.usage,
    state: end.state,
    agent: agent.id,
    embed,
    model: end.versions ? storedVersions(end.versions).model : null,
    cost: costOf(settings, ended),
    firstTextMs: turn.firstTextMs,
    wholeMs: turn.elapsedMs,
    owner,
    messages,
    answer: end.answer,
  }
}
