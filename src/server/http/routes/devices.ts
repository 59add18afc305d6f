import { z } from 'zod'
import { Problem } from '../../../contract/problem.ts'
import {
  DataReport,
  DataReportQuery,
  DeviceForgotten,
  DevicesForgotten,
  Moved,
  TransferCode,
  UseTransferBody,
} from '../../../contract/rights.ts'
import { isAbandoned } from '../../store/transfers.ts'
import { deleteOtherKeys, deleteVisitorKey } from '../../store/visitors.ts'
import { reportData } from '../../visitors/data-report.ts'
import { describeVisitor } from '../../visitors/describe-visitor.ts'
import { clearVisitorCookie, cookieNamesOf, setVisitorCookie } from '../cookies.ts'
import { reject } from '../problems.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

const tags = ['rights']
const querystring = z.strictObject({})
const nothing = z.strictObject({})

/** What is known about a visitor, and on which devices. */
export function deviceRoutes(app: Server, { database, rights, limits }: RouteOptions): void {
  const data = { tags, querystring: DataReportQuery, response: { 200: DataReport, default: Problem } }
  app.get('/api/v1/me/data', { schema: { summary: 'What is known about me', ...data }, config: { caller: 'query' } }, async (request) => {
    const report = await reportData(database, rights.facts, request.caller, {
      cookies: cookieNamesOf(request),
      language: request.query.language,
    })
    return { ...report, today: await limits.today(request) }
  })

  const begin = {
    tags,
    querystring,
    body: nothing,
    response: { 200: TransferCode, default: Problem },
    description: 'A code that works once, within ten minutes; a new one replaces the one before. Whoever has it can open all chats.',
  }
  app.post(
    '/api/v1/me/transfer',
    { schema: { summary: 'Make a code for another device', ...begin }, config: { caller: 'credential', needsOwner: true } },
    async (request) => {
      const { code, expiresAt } = await rights.transfers.begin(request.owner)
      return { code, expiresAt: new Date(expiresAt).toISOString() }
    },
  )

  const use = {
    tags,
    querystring,
    body: UseTransferBody,
    response: { 200: Moved, default: Problem },
    description:
      'Makes this device one of the visitor whose code it is: the reply sets its cookie. The page asks before it sends a code that came ' +
      'with an address, since what is written afterwards is seen on the other device too.',
  }
  app.post(
    '/api/v1/transfer',
    { schema: { summary: 'Use a code on this device', ...use }, config: { caller: 'credential' } },
    async (request, reply) => {
      const { caller } = request
      const { code, replace = false, device } = request.body
      const moved = await rights.transfers.use({ code, replace, device, from: caller.key, network: limits.limitedNetwork(request) })
      if (moved.kind === 'rejected') return reject(reply, moved)
      if (moved.abandoned !== null) await rights.eraser.everything({ ...caller.access, owner: moved.abandoned })
      setVisitorCookie(request, reply, moved.key, device)
      return { visitor: await describeVisitor(database, moved.visitorId) }
    },
  )

  const forget = {
    tags,
    querystring,
    response: { 200: DeviceForgotten, default: Problem },
    description: 'Revokes the key of this device. When it was the only one, everything is deleted. Takes no body.',
  }
  app.delete(
    '/api/v1/me/device',
    { schema: { summary: 'Forget this device', ...forget }, config: { caller: 'credential' } },
    async (request, reply) => {
      const { caller } = request
      if (caller.key) await deleteVisitorKey(database, caller.key.keyHash)
      const everything = caller.key !== null && (await isAbandoned(database, caller.key.visitorId))
      if (everything) await rights.eraser.everything(caller.access)
      clearVisitorCookie(request, reply)
      return { everything }
    },
  )

  const others = {
    tags,
    querystring,
    response: { 200: DevicesForgotten, default: Problem },
    description: 'Revokes their keys. Takes no body.',
  }
  app.delete(
    '/api/v1/me/devices',
    { schema: { summary: 'Sign out all other devices', ...others }, config: { caller: 'credential' } },
    async (request) => {
      const { caller } = request
      return { devices: caller.key ? await deleteOtherKeys(database, caller.key) : 0 }
    },
  )
}
