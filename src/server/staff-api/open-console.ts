import type { FastifyRequest } from 'fastify'
import { API_HEADERS, OWN_FILES } from '../platform/security-headers.ts'
import type { AddressInfo } from 'node:net'
import { type ConsoleSettings, consoleOriginOf } from '../config/console-settings.ts'
import type { Outage } from '../platform/outage.ts'
import { type Server, createServer, withMethodsRejected } from '../platform/server.ts'
import { staticFiles } from '../platform/static-files.ts'
import { OPERATOR } from '../staff/audit.ts'
import { Challenges } from '../staff/challenges.ts'
import { Passkeys } from '../staff/passkeys.ts'
import type { ProviderSignIn } from '../staff/provider-sign-in.ts'
import { StaffTokens } from '../staff/staff-tokens.ts'
import { FIRST_OWNER, StaffAccess } from '../staff/staff-access.ts'
import { hasStaff } from '../store/staff/staff.ts'
import { authorizeStaff, staffOf } from './authorize.ts'
import type { ConsoleRouteOptions } from './console-options.ts'
import { enterUrl } from './enter-url.ts'
import { Evaluations } from './evaluations.ts'
import { agentRoutes } from './content/agents.ts'
import { approvedAnswerRoutes } from './content/approved-answers.ts'
import { embedRoutes } from './content/embeds.ts'
import { evaluationRoutes } from './content/evaluations.ts'
import { figureRoutes } from './routes/figures.ts'
import { bannerRoutes } from './routes/banner.ts'
import { chatRoutes } from './routes/chats.ts'
import { limitRoutes } from './routes/limits.ts'
import { auditRoutes, peopleRoutes } from './routes/people.ts'
import { modelRoutes } from './routes/model.ts'
import { correctionRoutes, reportRoutes } from './routes/reports.ts'
import { privacyRoutes } from './routes/privacy.ts'
import { questionRoutes } from './routes/questions.ts'
import { providerRoutes } from './routes/provider.ts'
import { passkeyRoutes, sessionRoutes } from './routes/session.ts'
import { statusRoute, stopRoutes } from './routes/stops.ts'
import { heldPageRoutes } from './content/held-pages.ts'
import { knowledgeRoutes } from './content/knowledge.ts'
import { documentRoutes } from './content/documents.ts'
import { uploadRoutes } from './content/uploads.ts'
import { trialAnswerRoutes } from './content/trial-answers.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { staffOpenApi, staffOpenApiRoute } from './staff-openapi.ts'
import { StaffCookie } from './staff-cookie.ts'

/** The console makes no markup from text, and is in no frame. */
const PAGE_POLICY = [
  ...OWN_FILES,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const ONE_YEAR_S = 365 * 24 * 60 * 60

/** Selects the headers of a reply of the console: for its API, or for its page. */
function createConsoleHeaders(isHttps: boolean, chat: () => string): (request: FastifyRequest) => Readonly<Record<string, string>> {
  const secure = isHttps && { 'strict-transport-security': `max-age=${ONE_YEAR_S}` }
  // Passkeys need their feature; everything else that visitors' pages can't use stays off here too.
  const api = { ...API_HEADERS, ...secure }
  const { 'cache-control': _, ...common } = API_HEADERS
  const page = {
    ...common,
    ...secure,
    'permissions-policy': `${API_HEADERS['permissions-policy']}, publickey-credentials-create=(self), publickey-credentials-get=(self)`,
  }
  // Embeds are shown as they are.
  return ({ url }) =>
    url.startsWith('/api/') ? api : { ...page, 'content-security-policy': `${PAGE_POLICY}; frame-src ${new URL(chat()).origin}` }
}

const FIRST_LINK_MS = 10 * 60 * 1000
const MAX_CONNECTIONS = 500
/** A document takes long to arrive over a slow connection. Without a session, no body is read. */
const REQUEST_TIMEOUT_MS = 120_000

/** Parts that the console makes itself. */
type OwnParts = 'record' | 'access' | 'provider' | 'tokens' | 'cookie' | 'origin' | 'evaluations' | 'privateHosts' | 'passkeys'

export interface ConsoleOptions extends Omit<ConsoleRouteOptions, OwnParts> {
  settings: ConsoleSettings
  name: string
  logLevel: string
  directory: string
  outage: Outage | null
  /** Address of the page for visitors. */
  chat: () => string
  onWarning: (message: string) => void
  onFault: (message: string, cause: unknown) => void
}

/** Loaded only where staff sign in with a provider. */
async function openProvider({ settings, keys, now, onWarning }: ConsoleOptions): Promise<ProviderSignIn | null> {
  if (!settings.provider) return null
  const { ProviderSignIn } = await import('../staff/provider-sign-in.ts')
  return new ProviderSignIn({ settings: settings.provider, keys, now, onWarning })
}

export interface StaffConsole {
  /** Starts listening and returns the address: while nobody is on the staff, a link for the first owner, for ten minutes and one use. */
  listen(): Promise<{ address: string; isLink: boolean }>
  close(): Promise<void>
}

/** The listener for staff: the staff API and the console's page. */
export async function openConsole(options: ConsoleOptions): Promise<StaffConsole> {
  const { settings, name, logLevel, directory, database, audit, outage, keys, applyChanges, now } = options
  const isHttps = settings.url?.startsWith('https:') ?? false
  const app = createServer(
    {
      logLevel,
      host: settings.host,
      publicUrl: settings.url,
      trustedProxies: [],
      allowedOrigins: [],
      allowedHosts: [],
      frameAncestors: [],
      embeds: new Map(),
      proofOfWork: 'off',
      voiceInput: false,
    },
    { headersFor: createConsoleHeaders(isHttps, options.chat), asksConsent: false },
  )
  app.server.maxConnections = MAX_CONNECTIONS
  app.server.requestTimeout = REQUEST_TIMEOUT_MS
  app.storageOutage = outage
  // A port of 0 is known once it listens.
  const origin = () => consoleOriginOf({ ...settings, port: (app.server.address() as AddressInfo).port })
  let passkeys: Passkeys | null = null
  const access = new StaffAccess({ database, audit, now })
  const tokens = new StaffTokens({ database, audit, now })
  const cookie = new StaffCookie(isHttps)
  const evaluations = new Evaluations(options)
  const challenges = new Challenges({ database, keys, now })
  const routes: ConsoleRouteOptions = {
    ...options,
    record: (request, action, target) => (transaction) =>
      audit.append(transaction, { at: now(), actor: staffOf(request).member.id, action, target }),
    access,
    provider: await openProvider(options),
    tokens,
    cookie,
    origin,
    evaluations,
    privateHosts: settings.privateHosts,
    passkeys: () => (passkeys ??= new Passkeys({ name, origin: origin() }, challenges)),
  }
  authorizeStaff(app, { access, tokens, cookie, origin })
  app.addHook('onSend', async (request, reply) => {
    if (request.method !== 'GET' && reply.statusCode < 400) await applyChanges()
  })
  await staffOpenApi(app)
  withMethodsRejected(app, () => registerRoutes(app, routes))
  await staticFiles(app, directory)

  return {
    async listen() {
      await app.listen({ host: settings.host, port: settings.port })
      if (await hasStaff(database)) return { address: origin(), isLink: false }
      const address = enterUrl(
        origin(),
        await access.invite({ name: FIRST_OWNER, role: 'owner', lifetimeMs: FIRST_LINK_MS, actor: OPERATOR }),
      )
      return { address, isLink: true }
    },
    async close() {
      await evaluations.close()
      await app.close()
    },
  }
}

function registerRoutes(app: Server, routes: ConsoleRouteOptions): void {
  sessionRoutes(app, routes)
  providerRoutes(app, routes)
  passkeyRoutes(app, routes)
  peopleRoutes(app, routes)
  auditRoutes(app, routes)
  stopRoutes(app, routes)
  statusRoute(app, routes)
  privacyRoutes(app, routes)
  limitRoutes(app, routes)
  figureRoutes(app, routes)
  questionRoutes(app, routes)
  reportRoutes(app, routes)
  correctionRoutes(app, routes)
  if (routes.staffReading) chatRoutes(app, routes)
  modelRoutes(app, routes)
  tokenRoutes(app, routes)
  webhookRoutes(app, routes)
  bannerRoutes(app, routes)
  knowledgeRoutes(app, routes)
  heldPageRoutes(app, routes)
  uploadRoutes(app, routes)
  documentRoutes(app, routes)
  agentRoutes(app, routes)
  evaluationRoutes(app, routes)
  trialAnswerRoutes(app, routes)
  approvedAnswerRoutes(app, routes)
  embedRoutes(app, routes)
  staffOpenApiRoute(app)
}
