import type { FastifyReply } from 'fastify'
import { csvOf } from '../../contract/csv.ts'

/** Sends a table as a CSV file of this name. */
export function sendCsv(reply: FastifyReply, name: string, table: Parameters<typeof csvOf>[0]): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv; charset=utf-8')
  return reply.serializer(String).send(csvOf(table))
}
