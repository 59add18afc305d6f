import type { FastifyContextConfig, FastifyReply } from 'fastify'
import { z } from 'zod'
import { StaffProblem } from '../../contract/staff/problems.ts'
import { reject } from '../platform/problems.ts'
import type { StaffAudience } from './authorize.ts'

/** A query or a body without fields. */
export const NOTHING = z.strictObject({})

/** Reply to a change that has nothing to tell. */
export const Done = z.object({ done: z.literal(true) })
export const DONE = { done: true } as const

/** Schema of a route. `reply` is the body of a 200. */
export interface RouteSchema {
  summary: string
  tags?: readonly string[]
  description?: string
  querystring?: z.ZodType
  params?: z.ZodType
  body?: z.ZodType
  reply?: z.ZodType
  consumes?: readonly string[]
}

type Completed<Given extends RouteSchema> = Omit<Given, 'reply' | 'querystring'> & {
  querystring: Given extends { querystring: infer Query } ? Query : typeof NOTHING
  response: (Given extends { reply: infer Reply } ? { 200: Reply } : unknown) & { default: typeof StaffProblem }
}

/** Makes the routes of the staff API that have a tag: who may call each, and its schema, with no query where none is given. */
export function staffRoutes(tag: string) {
  return <const Given extends RouteSchema>(who: StaffAudience | FastifyContextConfig, { reply, ...schema }: Given) => {
    const completed = { tags: [tag], querystring: NOTHING, ...schema, response: { ...(reply && { 200: reply }), default: StaffProblem } }
    return { schema: completed as unknown as Completed<Given>, config: typeof who === 'string' ? { staff: who } : who }
  }
}

/** The reply to a change, or that there was nothing to change. */
export function doneOrMissing(reply: FastifyReply, isDone: boolean | null): typeof DONE | FastifyReply {
  return isDone ? DONE : reject(reply, 'not_found')
}

/** For a route that only a recent sign-in opens. */
export const sensitive = <const Audience extends StaffAudience>(staff: Audience) => ({ staff, isSensitive: true }) as const
