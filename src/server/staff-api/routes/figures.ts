import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type FIGURE_TABLES, Figures, FiguresCsvQuery, FiguresQuery, MAX_FIGURE_DAYS, type Part } from '../../../contract/staff/figures.ts'
import { invalidField } from '../../../contract/rejection.ts'
import { dayOf } from '../../insights/figures/figures.ts'
import { readPublished } from '../../insights/figures/publish-figures.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { sendCsv } from '../send-csv.ts'
import { staffRoutes } from '../staff-route.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30

type Table = (typeof FIGURE_TABLES)[number]

export function figureRoutes(app: Server, { database, now }: ConsoleRouteOptions): void {
  const route = staffRoutes('figures')
  /** Tokens, which read at any time, get days that are over. Other processes may be a day ahead. */
  const lastDay = ({ signedIn }: FastifyRequest) => dayOf(now() + (signedIn ? DAY_MS : -DAY_MS))
  app.get(
    '/api/staff/v1/figures',
    route('read-figures', { summary: 'Retrieve figures of the last 30 days, or of others', querystring: FiguresQuery, reply: Figures }),
    async (request, reply) => {
      const range = rangeOf(request.query, now())
      return range ? readPublished(database, range, lastDay(request)) : reject(reply, invalidField('query', 'from'))
    },
  )

  app.get(
    '/api/staff/v1/figures.csv',
    route('read-figures', { summary: 'Download a table of the figures', querystring: FiguresCsvQuery, reply: z.string() }),
    async (request, reply) => {
      const { query } = request
      const range = rangeOf(query, now())
      if (!range) return reject(reply, invalidField('query', 'from'))
      const { table } = query
      const figures = await readPublished(database, range, lastDay(request))
      return sendCsv(reply, `${table}-${range.from}-${range.to}`, recordsOf(figures, table))
    },
  )
}

/** `null` for a range that ends before it begins, or is too long. */
function rangeOf({ from, to }: z.output<typeof FiguresQuery>, now: number): { from: string; to: string } | null {
  const last = to ?? dayOf(now)
  const first = from ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS)
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  return days >= 1 && days <= MAX_FIGURE_DAYS ? { from: first, to: last } : null
}

type CsvRecord = Record<string, string | number | null>

function recordsOf(figures: Figures, table: Table): CsvRecord[] {
  if (table === 'days') return figures.days
  if (table === 'rejections') return figures.rejections
  if (table === 'files') return figures.files.map(({ file, answers, up, down }) => ({ file, answers, ...partsOf({ up, down }) }))
  return (figures.breakdowns[table] ?? []).map(({ value, turns, inputTokens, outputTokens, cost, ...parts }) => ({
    [table]: value,
    turns,
    inputTokens,
    outputTokens,
    cost,
    ...partsOf(parts),
  }))
}

/** Two columns for each part: its count, and of how many turns it is. */
function partsOf(parts: Record<string, Part>): CsvRecord {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => [
      [name, part?.count ?? null],
      [`${name}Of`, part?.of ?? null],
    ]),
  )
}
