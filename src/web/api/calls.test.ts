import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PageGlobals, stubPageGlobals } from '../../../test/support/page-globals.ts'
import * as calls from './calls.ts'
import { deleteFile } from './file-calls.ts'
import * as history from './history-calls.ts'
import * as messages from './message-calls.ts'
import * as reports from './report-calls.ts'
import * as rights from './rights-calls.ts'

let page: PageGlobals
beforeEach(() => {
  page = stubPageGlobals()
  page.respond(() => Response.json({}))
})
afterEach(() => vi.unstubAllGlobals())

const never = new AbortController().signal
const API = '/api/v1'
const STREAM = { Accept: 'text/event-stream' }

/** The request of each call: method and path, then body and headers beside the type of the body. */
test.each<[() => Promise<unknown>, string, unknown?, Record<string, string>?]>([
  [() => calls.fetchConfiguration('de'), `GET ${API}/config?language=de`],
  [() => calls.fetchPrivacyNotice('de'), `GET ${API}/privacy-notice?language=de`],
  [() => calls.fetchSessions(), `GET ${API}/sessions?limit=50`],
  [() => calls.fetchSessions('next'), `GET ${API}/sessions?limit=50&cursor=next`],
  [() => calls.fetchSession('a/b'), `GET ${API}/sessions/a%2Fb?limit=30`],
  [() => calls.deleteSession('a/b'), `DELETE ${API}/sessions/a%2Fb`],
  [
    () => calls.sendPrompt('an agent', 'a/b', { id: 'key', prompt: 'Hi', edits: 'm' }, { device: 'shared' }, never, { extra: 'yes' }),
    `POST ${API}/agent/chat/an%20agent?session_id=a%2Fb`,
    { prompt: 'Hi', edits: 'm', device: 'shared' },
    { ...STREAM, 'Accept-Language': 'en', 'Idempotency-Key': 'key', extra: 'yes' },
  ],
  [() => calls.followTurn('t', '', never), `GET ${API}/turns/t/stream`, undefined, STREAM],
  [() => calls.followTurn('t', '7', never), `GET ${API}/turns/t/stream`, undefined, { ...STREAM, 'Last-Event-ID': '7' }],
  [() => calls.fetchTurnEvents('t', '7', never), `GET ${API}/turns/t/events?after=7`],
  [() => calls.followSessions(never), `GET ${API}/me/events`, undefined, STREAM],
  [() => calls.stopTurn('t'), `POST ${API}/turns/t/stop`, {}],
  [
    () => calls.repeatTurn({ turn: 't', how: 'retry' }, { extra: 'yes' }),
    `POST ${API}/turns/t/retry`,
    {},
    { 'Accept-Language': 'en', extra: 'yes' },
  ],
  [
    () => calls.repeatTurn({ turn: 't', how: 'approve', body: { decisions: [] } }),
    `POST ${API}/turns/t/approve`,
    { decisions: [] },
    { 'Accept-Language': 'en' },
  ],
  [() => deleteFile('f'), `DELETE ${API}/files/f`],
  [() => history.fetchEarlier('a/b', 'm'), `GET ${API}/sessions/a%2Fb/messages?limit=50&before=m`],
  [() => history.searchChats('a b', '', never), `GET ${API}/search?q=a%20b`],
  [() => history.searchChats('a b', 'next', never), `GET ${API}/search?q=a%20b&cursor=next`],
  [
    () => messages.regenerateAnswer('a/b', 'm', 'key', { context: { page: 'Tea' } }, { extra: 'yes' }),
    `POST ${API}/sessions/a%2Fb/regenerate`,
    { message: 'm', context: { page: 'Tea' } },
    { 'Accept-Language': 'en', 'Idempotency-Key': 'key', extra: 'yes' },
  ],
  [() => messages.chooseBranch('a', 'm'), `POST ${API}/sessions/a/branch`, { message: 'm' }],
  [() => messages.giveFeedback('a', 'm', null), `POST ${API}/sessions/a/feedback`, { message: 'm', thumb: null }],
  [() => messages.giveFeedback('a', 'm', { thumb: 'up' }), `POST ${API}/sessions/a/feedback`, { message: 'm', thumb: 'up' }],
  [() => calls.withdrawNotices(), `DELETE ${API}/me/accepted-notices`],
  [
    () => reports.sendReport('a/b', { message: 'm', scope: 'rating' }),
    `POST ${API}/sessions/a%2Fb/reports`,
    { message: 'm', scope: 'rating' },
  ],
  [() => reports.fetchReports(), `GET ${API}/me/reports`],
  [() => reports.withdrawReport('r/s'), `DELETE ${API}/reports/r%2Fs`],
  [() => rights.deleteSessions(), `DELETE ${API}/sessions`],
  [() => rights.deleteEverything(), `DELETE ${API}/me`],
  [() => rights.fetchDataReport('de'), `GET ${API}/me/data?language=de`],
  [() => rights.makeTransferCode(), `POST ${API}/me/transfer`, {}],
  [() => rights.takeTransferCode({ code: 'c' }), `POST ${API}/transfer`, { code: 'c' }],
  [() => rights.signOutDevice(), `DELETE ${API}/me/device`],
  [() => rights.signOutOtherDevices(), `DELETE ${API}/me/devices`],
])('%s sends %s', async (call, asked, body, headers = {}) => {
  expect(await call()).toMatchObject({ ok: true })
  const [{ path, init } = expect.fail('nothing was asked')] = page.requests
  expect(`${init.method} ${path}`).toBe(asked)
  expect(init.body === undefined ? undefined : JSON.parse(init.body as string)).toEqual(body)
  expect(init.headers).toEqual({ ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers })
})

test.each([
  ['deletes a chat', () => calls.deleteSession('a')],
  ['deletes everything', () => rights.deleteEverything()],
  ['closes what staff can read', () => calls.withdrawNotices()],
  ['forgets this device', () => rights.signOutDevice()],
])('a request that %s outlives the page, and other requests do not', async (_, call) => {
  await call()
  await calls.fetchSessions()
  expect(page.requests.map(({ init }) => init.keepalive)).toEqual([true, false])
})
