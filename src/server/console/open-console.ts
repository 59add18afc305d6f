import type { AddressInfo } from 'node:net'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { type ConsoleSettings, consoleOriginOf } from '../config/console-settings.ts'
import type { Outage } from '../http/outage.ts'
import { createServer, withMethodsRejected } from '../http/server.ts'
import { staticFiles } from '../http/static-files.ts'
import { type AuditLog, OPERATOR } from '../staff/audit.ts'
import { Passkeys } from '../staff/passkeys.ts'
import { StaffAccess } from '../staff/staff-access.ts'
import type { Database } from '../store/database.ts'
import { hasStaff } from '../store/staff.ts'
import { authorizeStaff } from './authorize.ts'
import { createConsoleHeaders } from './console-headers.ts'
import type { ConsoleRouteOptions } from './console-options.ts'
import { enterUrl } from './enter-url.ts'
import { auditRoutes, peopleRoutes } from './routes/people.ts'
import { passkeyRoutes, sessionRoutes } from './routes/session.ts'
import { statusRoute, stopRoutes } from './routes/stops.ts'
import { StaffCookie } from './staff-cookie.ts'

const FIRST_LINK_MS = 10 * 60 * 1000
const MAX_CONNECTIONS = 500

export interface ConsoleOptions {
  settings: ConsoleSettings
  /** Name of the installation. */
  name: string
  logLevel: string
  /** Folder of the built page. */
  directory: string
  database: Database
  audit: AuditLog
  outage: Outage | null
  status: () => Promise<InstallationStatus>
  now: () => number
}

export interface StaffConsole {
  /**
   * Starts listening. Resolves with the address to open: while nobody is on the staff, a link for the first owner that works once, in ten
   * minutes.
   */
  listen(): Promise<string>
  close(): Promise<void>
}

/** The listener for staff: the staff API and the console's page. */
export async function openConsole(options: ConsoleOptions): Promise<StaffConsole> {
  const { settings, name, logLevel, directory, database, audit, outage, status, now } = options
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
      proofOfWork: 'off',
      voiceInput: false,
    },
    { headersFor: createConsoleHeaders(isHttps), asksConsent: false },
  )
  app.server.maxConnections = MAX_CONNECTIONS
  app.storageOutage = outage
  // A port of 0 is known once it listens.
  const origin = () => consoleOriginOf({ ...settings, port: (app.server.address() as AddressInfo).port })
  let passkeys: Passkeys | null = null
  const access = new StaffAccess({ database, audit, now })
  const cookie = new StaffCookie(isHttps)
  const routes: ConsoleRouteOptions = {
    database,
    audit,
    access,
    cookie,
    origin,
    status,
    now,
    passkeys: () => (passkeys ??= new Passkeys({ name, origin: origin() }, now)),
  }
  authorizeStaff(app, { access, cookie, origin })
  withMethodsRejected(app, () => {
    sessionRoutes(app, routes)
    passkeyRoutes(app, routes)
    peopleRoutes(app, routes)
    auditRoutes(app, routes)
    stopRoutes(app, routes)
    statusRoute(app, routes)
  })
  await staticFiles(app, directory)

  return {
    async listen() {
      await app.listen({ host: settings.host, port: settings.port })
      if (await hasStaff(database)) return origin()
      return enterUrl(origin(), await access.invite({ name: 'First owner', role: 'owner', lifetimeMs: FIRST_LINK_MS, actor: OPERATOR }))
    },
    close: () => app.close(),
  }
}
