import { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import {
  DataReport,
  DataReportQuery,
  DeviceSignedOut,
  DevicesSignedOut,
  NoBody,
  TransferReply,
  TransferCode,
  UseTransferBody,
} from '../../contract/rights.ts'
import { isAbandoned } from '../store/visitors/transfers.ts'
import { deleteOtherKeys, deleteVisitorKey } from '../store/visitors/visitors.ts'
import { reportData } from '../visitors/data-report.ts'
import { describeVisitor } from '../visitors/visitor-key.ts'
import { clearVisitorCookie, cookieNamesOf, setVisitorCookie } from '../platform/cookies.ts'
import { deviceOf } from './requests/device.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const tags = ['rights']
const querystring = z.strictObject({})

/** The visitor's data report, transfer codes and devices. */
export function deviceRoutes(app: Server, { database, rights, limits, settings }: RouteOptions): void {
  const data = { tags, querystring: DataReportQuery, response: { 200: DataReport, default: Problem } }
  app.get(
    '/api/v1/me/data',
    { schema: { summary: 'Retrieve the data report of the visitor', ...data }, config: { caller: 'query' } },
    async (request) => {
      const report = await reportData(database, rights.facts, request.caller, {
        cookies: cookieNamesOf(request),
        language: request.query.language,
      })
      return { ...report, today: await limits.today(request) }
    },
  )

  const begin = {
    tags,
    querystring,
    body: NoBody,
    response: { 200: TransferCode, default: Problem },
    description: 'The code is valid once, for ten minutes, and replaces any earlier code. It gives access to all chats.',
  }
  app.post(
    '/api/v1/me/transfer',
    {
      schema: { summary: 'Create a transfer code for another device', ...begin },
      config: { needsNoBody: true, caller: 'credential', needsOwner: true },
    },
    async (request) => {
      const { code, expiresAt } = await rights.transfers.begin(request.owner)
      return { code, expiresAt: new Date(expiresAt).toISOString() }
    },
  )

  const use = {
    tags,
    querystring,
    body: UseTransferBody,
    response: { 200: TransferReply, default: Problem },
    description:
      'Adds this device to the visitor who created the code and sets the visitor cookie. The page asks for confirmation before it sends ' +
      'a code from a link, because later messages are visible on the other device too.',
  }
  app.post(
    '/api/v1/transfer',
    { schema: { summary: 'Redeem a transfer code', ...use }, config: { caller: 'credential' } },
    async (request, reply) => {
      const { caller } = request
      const { code, replace = false } = request.body
      const device = deviceOf(request, settings.frameChats, request.body.device)
      const moved = await rights.transfers.use({ code, replace, device, from: caller.key })
      if (moved.kind === 'rejected') return reject(reply, moved)
      if (moved.abandoned !== null) await rights.eraser.everything({ ...caller.access, owner: moved.abandoned })
      setVisitorCookie(request, reply, moved.key, device)
      return { visitor: describeVisitor(moved.visitorId) }
    },
  )

  const forget = {
    tags,
    querystring,
    response: { 200: DeviceSignedOut, default: Problem },
    description: 'Revokes the key of this device. If it was the last key, all data of the visitor is deleted. Takes no body.',
  }
  app.delete(
    '/api/v1/me/device',
    { schema: { summary: 'Sign out this device and forget it', ...forget }, config: { caller: 'credential' } },
    async (request, reply) => {
      const { caller } = request
      const { key } = caller
      if (key) await rights.ledger.deleteAllRecorded(database, 'device', (transaction) => deleteVisitorKey(transaction, key.keyHash))
      const everything = key !== null && (await isAbandoned(database, key.visitorId))
      if (everything) await rights.eraser.everything(caller.access)
      clearVisitorCookie(request, reply)
      return { everything }
    },
  )

  const others = {
    tags,
    querystring,
    response: { 200: DevicesSignedOut, default: Problem },
    description: 'Revokes the keys of all other devices. Takes no body.',
  }
  app.delete(
    '/api/v1/me/devices',
    { schema: { summary: 'Sign out all other devices', ...others }, config: { caller: 'credential' } },
    async (request) => {
      const { key } = request.caller
      const devices = key && (await rights.ledger.deleteAllRecorded(database, 'device', (transaction) => deleteOtherKeys(transaction, key)))
      return { devices: devices ?? 0 }
    },
  )
}
