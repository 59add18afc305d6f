import { isLoopbackHost } from '../../config/host-names.ts'
import type { Settings } from '../../config/config.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { doctorToken } from '../../platform/bearer-token.ts'
import { localAddress } from '../../app/local-address.ts'
import { askDoctorRoute, get, readReadiness } from './ask-server.ts'
import { arrivesAsSent, checkEcho, forgingProblems } from './check-proxy.ts'
import { allOf, type Finding, findingsOf } from './finding.ts'

const address = findingsOf('address')
const tls = findingsOf('tls')
const installation = findingsOf('installation')
/** Codes of certificates that browsers reject too. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ALTNAME|EPROTO|SSL/

/** Checks the address that visitors use, and everything between it and the server. */
export async function checkAddress(settings: Settings, given: string | undefined, key: string | undefined): Promise<Finding[]> {
  const local = new URL(localAddress(settings.host, settings.port))
  const target = new URL(given ?? settings.publicUrl ?? local)
  const found: Finding[] = []
  const health = await healthOf(target)
  if (health) return [health]
  found.push(address.ok(`${target.origin} is the server.`))
  if (!given && !settings.publicUrl && !isLoopbackHost(settings.host))
    found.push(
      address.warning(
        'PUBLIC_URL is not set, so nothing in front of the server was checked.',
        'Set PUBLIC_URL to the address that visitors open, or pass it: parley doctor https://chat.example.org',
      ),
    )
  found.push(...(await checkTls(target)))
  found.push(...(await checkReadiness(target, settings.metricsToken)))
  if (key === undefined) return [...found, installation.skipped('The server has no key yet, so what it sees of requests was not checked.')]
  return [...found, ...(await checkWay(target, target.origin === local.origin, doctorToken(key)))]
}

/** The problem of an address that doesn't lead to the server; `undefined` if it does. */
async function healthOf(target: URL): Promise<Finding | undefined> {
  try {
    const { status, headers, text } = await get(new URL('/healthz', target))
    if (status === 200 && /"status"\s*:\s*"ok"/.test(text)) return undefined
    if (status >= 300 && status < 400)
      return address.problem(
        `${target.origin} redirects to ${headers.get('location')}.`,
        'Set PUBLIC_URL to the address that it redirects to.',
      )
    if (status >= 502 && status <= 504)
      return address.problem(
        `${target.origin} replies ${status}: the proxy does not reach the server.`,
        'Start the server, and have the proxy forward to its HOST and PORT.',
      )
    return address.problem(
      `${target.origin}/healthz replies ${status}, and not as Parley does.`,
      'Have the proxy forward every path of this host to the server, unchanged.',
    )
  } catch (error) {
    return unreachable(target, error)
  }
}

function unreachable({ origin, hostname, port }: URL, error: unknown): Finding {
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return address.problem(`The name ${hostname} has no address (${code}).`, 'Add a DNS record for it, or correct PUBLIC_URL.')
  if (CERTIFICATE.test(code))
    return tls.problem(
      `The certificate of ${origin} is not accepted (${code}).`,
      'Renew it, include the intermediate certificates, and check that it names this host.',
    )
  if (code === 'ECONNREFUSED')
    return address.problem(
      `Nothing listens at ${origin}.`,
      `Start the server, or what stands in front of it${port && `, on port ${port}`}.`,
    )
  return address.problem(
    `${origin} cannot be reached from here (${code}).`,
    'Check the firewall, and whether this machine may connect to its own public address.',
  )
}

async function checkTls(target: URL): Promise<Finding[]> {
  if (target.protocol === 'http:') {
    if (isLoopbackHost(target.hostname)) return [tls.skipped('The address is on this machine.')]
    return [
      tls.problem(
        `${target.origin} is not encrypted: browsers keep no secure cookies for it, and refuse the offline page and dictation.`,
        'Put a proxy with a certificate in front of it; deploy/Caddyfile gets one by itself.',
      ),
    ]
  }
  const found = [tls.ok('The certificate is valid.')]
  if (target.port !== '') return found
  const plain = new URL(`http://${target.hostname}/healthz`)
  const { status } = await get(plain).catch(() => ({ status: 0 }))
  if (status === 200) found.push(tls.warning(`${plain.origin} serves the page too, unencrypted.`, 'Have the proxy redirect http to https.'))
  return found
}

async function checkReadiness(target: URL, token: string | null): Promise<Finding[]> {
  const { status, code, problems, details } = await readReadiness(target, token)
  if (status !== 200)
    return [
      installation.problem(
        `The server accepts no prompts now (${code}).`,
        'Read the server’s log; free disk space or repair the database.',
      ),
    ]
  if (problems.length === 0) return [installation.ok('The server accepts prompts.')]
  if (!details)
    return [
      installation.warning(
        `The server has problems with: ${problems.join(', ')}.`,
        'Set METRICS_TOKEN to see what they are, or read the server’s log.',
      ),
    ]
  return details.map((detail) => installation.warning(detail, 'Correct it and run the doctor again.'))
}

async function checkWay(target: URL, isDirect: boolean, token: string): Promise<Finding[]> {
  try {
    const first = await askDoctorRoute(target, token)
    // A busy machine can read both events late; a proxy that buffers does it each time.
    const echo = 'status' in first || arrivesAsSent(first) ? first : await askDoctorRoute(target, token)
    if ('status' in echo) return [rejected(echo.status, target)]
    return [...(await checkEcho(echo, target, isDirect)), ...(isDirect ? [] : await allOf(forgingProblems(target, token)))]
  } catch (error) {
    return [
      findingsOf('streaming').problem(
        `The reply of the server broke off (${codeOf(error)}).`,
        'Raise the proxy’s read timeout to 720 s, and turn off its rewriting of replies.',
      ),
    ]
  }
}

function rejected(status: number, { hostname }: URL): Finding {
  if (status === 421)
    return address.problem(
      `The server does not serve the host name that reaches it for ${hostname}.`,
      `Set PUBLIC_URL or ALLOWED_HOSTS to ${hostname}, and have the proxy pass on Host unchanged (nginx: proxy_set_header Host $http_host).`,
    )
  if (status === 401)
    return installation.problem(
      'The server has another installation key, or the proxy removes Authorization.',
      'Run the doctor with the server’s environment (DATA_DIR, INSTALLATION_KEY), and have the proxy pass on Authorization.',
    )
  if (status === 404)
    return installation.problem(
      'The proxy does not forward /doctor, or the server is older than this command.',
      'Forward every path to the server, and restart it after an update.',
    )
  return installation.problem(`The server replies ${status} to the doctor.`, 'Read the server’s log, and run the doctor again.')
}

function codeOf(error: unknown): string {
  if (!(error instanceof EgressError)) return 'unexpected reply'
  return /\((.+)\)$/.exec(error.message)?.[1] ?? error.reason
}
