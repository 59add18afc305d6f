import type { PublicAgent, PublicConfiguration } from '../../contract/config.ts'
import type { Agent } from '../answering/agents/agent.ts'
import type { Agents } from '../answering/agents/agents.ts'
import { type Logo, NoLogo, readLogo } from '../branding/logo.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import { type Embed, embedTexts } from '../config/embeds-file.ts'
import { type PrivacyNotices, loadPrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import { describeModels, describeModel, type ModelDescription } from '../models/connect-model.ts'
import { retentionMsOf } from '../../contract/chat/retention.ts'
import { doctorToken } from '../platform/bearer-token.ts'
import { Cursors } from '../visitor-api/requests/cursors.ts'
import { createEmbedLimitOf, createEmbedOf } from '../visitor-api/requests/embed-of.ts'
import { RequestLimits } from '../visitor-api/requests/request-limits.ts'
import { doctorRoute } from '../visitor-api/installation/doctor.ts'
import { metricsRoute } from '../visitor-api/installation/metrics-route.ts'
import { registerRoutes } from '../visitor-api/routes.ts'
import { type Server, withMethodsRejected } from '../platform/server.ts'
import { staticFiles } from '../platform/static-files.ts'
import { mcpRoutes } from '../integrations/mcp/routes.ts'
import { openAiRoutes } from '../integrations/openai/routes.ts'
import { AuditLog } from '../staff/audit.ts'
import { StaffTokens } from '../staff/staff-tokens.ts'
import { bannerReader } from '../store/staff/banner.ts'
import { createResolver } from '../visitors/resolve.ts'
import { SessionFeed } from '../visitors/session-feed.ts'
import { createGuard } from './create-guard.ts'
import { type OpenAnswering, lookupsOf } from './open-answering.ts'
import type { OpenData } from './open-data.ts'
import { openStaffConsole, type StaffConsoleParts } from './open-staff-console.ts'
import { firstKey } from '../keys.ts'
import { createProofOfWork, levelsOf } from './optional-parts.ts'
import { readinessOf } from './health/readiness.ts'
import { limitConnections } from '../platform/connection-limit.ts'
import { capsOn } from '../limits/limit-settings.ts'
import type { Turns } from '../turns/turns.ts'
import { createRights, type Rights } from '../visitors/rights.ts'

async function openLogo({ branding }: Settings): Promise<Logo | null> {
  try {
    return branding.logoFile === null ? null : await readLogo(branding.logoFile)
  } catch (error) {
    throw error instanceof NoLogo ? new SettingsError(`LOGO_FILE cannot be used: ${error.message}.`) : error
  }
}

/** The configuration for the page. Built for each request, because agents' files can change. */
function publicConfiguration(
  settings: Settings,
  { agents, notice, logo }: { agents: Agents; notice: PrivacyNotices; logo: Logo | null },
  { language, embed: embedName }: { language?: string | undefined; embed?: string | undefined } = {},
): Omit<PublicConfiguration, 'banner'> {
  const { name, branding, voiceInput, retentionDays, frameChats, contact, staffReading } = settings
  const { colors, welcomeLine, links } = branding
  const embed = settings.embeds.get(embedName ?? '')
  const all = embed
    ? [embedAgent(embed, (embed.agent && agents.find(embed.agent)) || agents.first, language)]
    : agents.all.map((agent) => publicAgent(agent, language))
  return {
    name,
    branding: { colors, logo: logo && `/api/v1/logo?version=${logo.version}`, welcomeLine, links },
    agent: all[0] ?? publicAgent(agents.first, language),
    agents: all,
    voiceInput,
    privacy: { noticeVersion: notice.version, staffReading, retentionDays, frameChats, contact, recipients: recipientsOf(settings) },
  }
}

function publicAgent(agent: Agent, language: string | undefined): PublicAgent {
  const { id, picture, model, choices, personalData } = agent
  const handover = agent.policy.handoverIn(language)
  return { id, picture, model, choices: [...choices], handover, personalData, ...agent.textsIn(language) }
}

function embedAgent(embed: Embed, agent: Agent, language: string | undefined): PublicAgent {
  const shown = publicAgent(agent, language)
  const { greeting, starters = shown.starters } = embedTexts(embed, language)
  return { ...shown, greeting: greeting ?? shown.greeting, starters }
}

export interface HttpParts {
  app: Server
  release: string
  directories: { web: string; console: string }
  data: OpenData
  answering: OpenAnswering
  managed: Pick<StaffConsoleParts, 'embeds' | 'liveModel'>
}

/** Opens the routes of visitors and staff, with the limits before them. */
export async function openHttp(settings: Settings, { app, release, directories, data, answering, managed }: HttpParts) {
  const { database, keys, clock, pubsub, runtimeLimits, now, steadyNow, onFault } = data
  const { agents, moderator, sources, turns, figures, metrics } = answering
  const model = describeModels(settings.model, settings.fallback?.model ?? null)
  for (const [name, { agent }] of settings.embeds)
    if (agent && !agents.find(agent))
      app.log.warn(`embeds.yaml: ${name} names the agent "${agent}", which isn't there; the default agent answers`)
  const embedOf = createEmbedOf(settings)
  const notice = await openNotices(settings, model, agents)
  const logo = await openLogo(settings)
  const sessionFeed = new SessionFeed({ database, pubsub, now, onFault })
  const counting = { database, now: steadyNow, onFault }
  const proof = await createProofOfWork(settings.proofOfWork, keys, counting)
  const load = createGuard(settings, {
    ...counting,
    runtimeLimits,
    agents,
    proof,
    isModerated: moderator !== null,
    onWaited: metrics?.metrics.waited,
  })
  let ready = true
  const readiness = readinessOf(settings, { agents, sources, pubsub, clock, endpoints: figures.endpoints })
  metrics?.metrics.showLevels(() => levelsOf(settings, { app, database, pubsub, turns, load, endpoints: figures.endpoints, ...readiness }))
  await registerRoutes(app, {
    database,
    agents,
    turns,
    pubsub,
    sessionFeed,
    resolve: createResolver({
      database,
      installationKey: firstKey(keys),
      clientIds: settings.clientIds,
      retentionMs: retentionMsOf(settings.retentionDays),
      now: () => clock.accessTime(),
      isAgent: (id) => agents.find(id) !== undefined,
    }),
    limits: new RequestLimits(load.guard, steadyNow, createEmbedLimitOf(settings, embedOf)),
    cursors: new Cursors(keys),
    rights: rightsFor(settings, data, { model, turns }),
    settings,
    configuration: (wanted) => publicConfiguration(settings, { agents, notice, logo }, wanted),
    banner: bannerReader(database, () => performance.now()),
    logo,
    notice,
    embedOf,
    onFeedback: figures.feedbackGiven,
    onVisitor: figures.visitorSeen,
    isReady: () => ready,
    ...readiness,
  })
  const integrations = {
    database,
    agents,
    moderator,
    answers: answering.unstoredAnswers,
    tokens: new StaffTokens({ database, audit: new AuditLog(firstKey(keys)), now }),
    limits: load.tokens,
    guard: load.guard,
    name: settings.name,
    release,
    now,
  }
  withMethodsRejected(app, () => {
    openAiRoutes(app, integrations)
    mcpRoutes(app, integrations)
    doctorRoute(app, doctorToken(keys[0]))
    if (metrics) metricsRoute(app, metrics.metrics, metrics.token)
  })
  limitConnections(app.server, {
    caps: () => capsOn('connection', runtimeLimits.current.limits),
    trustedProxies: settings.trustedProxies,
    limitedNetwork: (address) => load.guard.limitedNetwork(address),
    now: () => performance.now(),
    warn: (message) => app.log.warn(message),
  })
  if (!(await staticFiles(app, directories.web))) app.log.warn('The page is not built; serving the API only. Run npm run build')
  const staffConsole = await openStaffConsole(settings, {
    ...data,
    ...answering,
    ...readiness,
    ...managed,
    app,
    release,
    directories,
  })
  return {
    staffConsole,
    sessionFeed,
    /** Says that it takes no more requests, and still does. */
    leave() {
      ready = false
    },
    closeDoor: () => load.close(),
  }
}

/**
 * The privacy notice of this installation, in each language. It says more while other sites can embed the chat, and while visitors can leave
 * the staff messages.
 */
export async function openNotices(settings: Settings, model: ModelDescription, agents: Agents): Promise<PrivacyNotices> {
  const { name, retentionDays, reportDays, staffReading, frameChats, contact, moderation, voiceInput, privacyNoticeFile } = settings
  const { provider: modelProvider, runsHere: modelRunsHere = false } = model
  const checkedBy = moderation?.checkedBy ?? null
  const lookups = lookupsOf(settings)
  const facts = {
    name,
    retentionDays,
    reportDays,
    staffReading,
    frameChats,
    contact,
    modelProvider,
    modelRunsHere,
    checkedBy,
    lookups,
    voiceInput,
  }
  const noticesFor = async (isEmbedded: boolean) => ({
    plain: await loadPrivacyNotices({ ...facts, isEmbedded, takesMessages: false }, privacyNoticeFile),
    messages: await loadPrivacyNotices({ ...facts, isEmbedded, takesMessages: true }, privacyNoticeFile),
  })
  const [own, embedded] = await Promise.all([noticesFor(false), noticesFor(true)])
  const current = () => {
    const notices = settings.frameAncestors.length > 0 || settings.embeds.size > 0 ? embedded : own
    return agents.all.some(({ policy }) => policy.definition.handover?.messages) ? notices.messages : notices.plain
  }
  return {
    get version() {
      return current().version
    },
    in: (language) => current().in(language),
  }
}

/** Who receives visitors' messages or parts of them: providers of models, and hosts that check or search. */
export function recipientsOf(settings: Pick<Settings, 'model' | 'fallback' | 'moderation' | 'embedding'>): string[] {
  const { model, fallback, moderation } = settings
  const providers = [model, ...(fallback ? [fallback.model] : [])].map((one) => describeModel(one).provider)
  const recipients = [...providers, moderation?.checkedBy, lookupsOf(settings)]
  return [...new Set(recipients.filter((recipient) => typeof recipient === 'string'))]
}

/** Data report, transfer, export and erasure, with the facts of this installation. */
function rightsFor(
  settings: Settings,
  { database, ledger, keys, now }: OpenData,
  { model, turns }: { model: ModelDescription; turns: Turns },
): Rights {
  const { name, retentionDays, contact, logLevel } = settings
  return createRights({
    database,
    ledger,
    installation: name,
    keys,
    stopTurn: (access, turnId) => turns.stop(access, turnId),
    facts: {
      storage: settings.database.kind,
      retentionDays,
      model,
      contact,
      logLevel,
      redis: settings.redis !== null,
      checkedBy: settings.moderation?.checkedBy ?? null,
      lookups: lookupsOf(settings),
      staffReading: settings.staffReading,
    },
    now,
  })
}
