import type { FastifyReply } from 'fastify'

/** Matches text that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

type Cell = string | number | null

/** Sends records with the same keys as a CSV file of this name. */
export function sendCsv(reply: FastifyReply, name: string, records: readonly Record<string, Cell>[]): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv; charset=utf-8')
  return reply.serializer(String).send(csvOf(records))
}

/** Records as CSV (RFC 4180), with a header; empty without records. Texts can't become formulas. */
export function csvOf(records: readonly Record<string, Cell>[]): string {
  const [first] = records
  const lines = first ? [Object.keys(first), ...records.map((record) => Object.values(record))] : []
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: Cell): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
