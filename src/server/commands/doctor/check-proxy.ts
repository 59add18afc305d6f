import { DOCTOR_PAUSE_MS } from '../../../contract/chat/seen-request.ts'
import { askDoctorRoute, type Echo } from './ask-server.ts'
import { allOf, type Finding, findingsOf } from './finding.ts'

const proxy = findingsOf('proxy')
const streaming = findingsOf('streaming')
const cookies = findingsOf('cookies')
const clock = findingsOf('clock')

/** An address (RFC 5737) and a name that no client has. */
const FORGED = { address: '203.0.113.77', host: 'forged.invalid' }
/** The `Date` header counts seconds, and the reply takes some. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

export async function checkEcho(echo: Echo, target: URL, isDirect: boolean): Promise<Finding[]> {
  const headers = isDirect
    ? [proxy.skipped('Nothing is in front of this address.')]
    : await allOf(headerProblems(echo, target), proxy.ok('Host, protocol and client address arrive at the server.'))
  return [...headers, checkStreaming(echo), checkCookies(echo), checkDate(echo.headers)]
}

function* headerProblems({ seen }: Echo, target: URL): Generator<Finding> {
  const forwardsClient = seen.forwarded.includes('x-forwarded-for')
  if (!forwardsClient)
    yield proxy.problem(
      'The proxy does not forward the client’s address: all visitors share the limits of one network.',
      'Have it set X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $remote_addr).',
    )
  else if (!seen.isPeerTrusted)
    yield proxy.problem(
      `The server does not trust the headers of the proxy at ${seen.peer}: all visitors share the limits of one network.`,
      `Set TRUSTED_PROXIES=${seen.peer}`,
    )
  if (`${seen.protocol}:` !== target.protocol && (seen.isPeerTrusted || !forwardsClient))
    yield proxy.problem(
      `The server takes requests to ${target.origin} for ${seen.protocol}: cookies and links are not those of ${target.protocol.slice(0, -1)}.`,
      'Have the proxy set X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme).',
    )
  if (seen.host !== target.host)
    yield proxy.problem(
      `The proxy changes Host to ${seen.host}: browsers’ writes look like those of another site.`,
      'Have it pass on Host unchanged (nginx: proxy_set_header Host $http_host).',
    )
}

export function arrivesAsSent({ gapMs }: Echo): boolean {
  return (gapMs ?? 0) > DOCTOR_PAUSE_MS / 2
}

function checkStreaming(echo: Echo): Finding {
  if (arrivesAsSent(echo)) return streaming.ok('Events arrive as they are sent.')
  return streaming.problem(
    'Events are held back until the reply ends: answers appear all at once.',
    'Turn off buffering and compression of replies in everything in front of the server (nginx: proxy_buffering off).',
  )
}

function checkCookies({ seen, cookie }: Echo): Finding {
  if (cookie === null)
    return cookies.problem('Set-Cookie does not arrive: each prompt makes a new visitor.', 'Have the proxy pass on Set-Cookie.')
  if (!seen.hasCookie)
    return cookies.problem('Cookies do not reach the server: each prompt makes a new visitor.', 'Have the proxy pass on Cookie.')
  if (cookie === seen.cookie) return cookies.ok('Cookies pass in both directions.')
  return cookies.problem(
    `The proxy changes cookies: ${seen.cookie} arrives as ${cookie}.`,
    'Remove its rewriting of cookies (nginx: proxy_cookie_path, proxy_cookie_domain, proxy_cookie_flags).',
  )
}

function checkDate(headers: Headers): Finding {
  const there = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(there)) return clock.skipped('The reply has no date to compare with.')
  const differenceMs = Math.abs(there - Date.now())
  if (differenceMs < MAX_CLOCK_DIFFERENCE_MS) return clock.ok('This machine and the address agree on the time.')
  return clock.problem(
    `The clocks of this machine and of the address differ by ${Math.round(differenceMs / 1000)} s.`,
    'Synchronize both with NTP (timedatectl set-ntp true).',
  )
}

export async function* forgingProblems(target: URL, token: string): AsyncGenerator<Finding> {
  const byAddress = await askDoctorRoute(target, token, { headers: { 'x-forwarded-for': FORGED.address }, isBrief: true })
  const byHost = await askDoctorRoute(target, token, { headers: { 'x-forwarded-host': FORGED.host }, isBrief: true })
  if ('seen' in byAddress && byAddress.seen.client === FORGED.address)
    yield proxy.problem(
      'Clients can claim any address, and so avoid the limits of their network.',
      'Have the proxy replace X-Forwarded-For instead of passing it on, and name only proxies in TRUSTED_PROXIES.',
    )
  const isHostTaken = 'seen' in byHost ? byHost.seen.host === FORGED.host : byHost.status === 421
  if (isHostTaken)
    yield proxy.warning(
      'The proxy passes on X-Forwarded-Host of clients: a request can name another host.',
      'Have it remove or replace the header (nginx: proxy_set_header X-Forwarded-Host "").',
    )
}
