import type { FastifyContextConfig } from 'fastify'
import { z } from 'zod'
import { StaffProblem } from '../../contract/staff/problems.ts'

const NO_QUERY = z.strictObject({})

/** Schema of a route. `reply` is the body of a 200. */
export interface RouteSchema {
  summary: string
  tags: readonly string[]
  description?: string
  querystring?: z.ZodType
  params?: z.ZodType
  body?: z.ZodType
  reply?: z.ZodType
  consumes?: readonly string[]
}

type Completed<Given extends RouteSchema> = Omit<Given, 'reply' | 'querystring'> & {
  querystring: Given extends { querystring: infer Query } ? Query : typeof NO_QUERY
  response: (Given extends { reply: infer Reply } ? { 200: Reply } : unknown) & { default: typeof StaffProblem }
}

/** A route of the staff API: its schema, with no query where none is given, and who may call it. */
export function staffRoute<const Given extends RouteSchema>({ reply, ...schema }: Given, config: FastifyContextConfig) {
  const completed = { querystring: NO_QUERY, ...schema, response: { ...(reply && { 200: reply }), default: StaffProblem } }
  return { schema: completed as unknown as Completed<Given>, config }
}
