import type { FastifyReply } from 'fastify'
import { PROBLEM_TYPE_PREFIX } from '../../contract/problem.ts'
import { STAFF_PROBLEMS, type StaffProblem, type StaffProblemCode } from '../../contract/staff/problems.ts'

/** Sends a rejection of the staff API, with a sentence on what exactly is wrong, if any. What both APIs have in common is rejected with `reject`. */
export function rejectStaff(reply: FastifyReply, code: StaffProblemCode, detail?: string): FastifyReply {
  const { status, title } = STAFF_PROBLEMS[code]
  const problem: StaffProblem = { type: PROBLEM_TYPE_PREFIX + code, title, status, code, detail }
  return reply.code(status).type('application/problem+json; charset=utf-8').serializer(JSON.stringify).send(problem)
}
