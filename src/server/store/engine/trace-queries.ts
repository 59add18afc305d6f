import type { LogEvent, Logger } from 'kysely'
import { ATTRIBUTES } from '../../telemetry/tracing/names.ts'
import { isTracing, openSpan } from '../../telemetry/tracing/spans.ts'

const VERB = /^[\s(]*(\w+)/
const TABLE = /\b(?:from|into|update|table)\s+"?(\w+)/i

/** Kysely's logger for traces: a span for each statement, named by its verb and table. `undefined` without tracing. */
export function queryTracer(system: 'sqlite' | 'postgresql'): Logger | undefined {
  return isTracing() ? (event) => traceQuery(system, event) : undefined
}

/** Neither the statement nor its parameters are recorded. */
function traceQuery(system: string, { level, query, queryDurationMillis, ...event }: LogEvent): void {
  const [operation = 'statement', table] = [VERB.exec(query.sql)?.[1]?.toLowerCase(), TABLE.exec(query.sql)?.[1]]
  const summary = table ? `${operation} ${table}` : operation
  const attributes = {
    [ATTRIBUTES.databaseSystem]: system,
    [ATTRIBUTES.databaseOperation]: operation,
    [ATTRIBUTES.databaseSummary]: summary,
    ...(table && { [ATTRIBUTES.databaseTable]: table }),
  }
  const span = openSpan(summary, { kind: 'CLIENT', attributes, agoMs: queryDurationMillis })
  if (level === 'error') span.fail(codeOf(event))
  span.end()
}

function codeOf(event: object): string {
  const { code } = ('error' in event ? event.error : {}) as { code?: unknown }
  return typeof code === 'string' ? code : 'error'
}
