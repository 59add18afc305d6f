import type { Agents } from '../agent/agents.ts'
import { describeModel } from '../agent/model/connect-model.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import type { OperatorProblem } from '../http/routes/route-options.ts'
import type { Server } from '../http/server.ts'
import { moneyUsed } from '../limits/money-used.ts'
import { AuditLog } from '../staff/audit.ts'
import type { Database } from '../store/database.ts'
import type { GroupMember } from './group-member.ts'

export interface StaffConsoleParts {
  /** The listener for visitors. */
  app: Server
  database: Database
  agents: Agents
  /** The installation key. */
  key: string
  release: string
  /** Where the built page is. */
  directories: { console: string }
  group: GroupMember | null
  problemsNow: () => readonly OperatorProblem[]
}

/** The staff console of an app, or its absence. */
export interface StaffConsole {
  /**
   * Starts listening. A port that nobody chose may be in use: then there is no console, which the log says.
   * @throws {SettingsError} if the chosen address can't be listened on.
   */
  listen(): Promise<void>
  /** Says where the console is; empty if nowhere. */
  announcement: string[]
  close(): Promise<void>
}

const NO_CONSOLE: StaffConsole = { listen: async () => undefined, announcement: [], close: async () => undefined }

const CANNOT_LISTEN = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']

/** The staff console, unless it is turned off or another process of the group has it. */
export async function openStaffConsole(settings: Settings, parts: StaffConsoleParts): Promise<StaffConsole> {
  const { console: chosen, name, logLevel } = settings
  const { app, database, key, directories, group } = parts
  if (!chosen || group?.hasConsole === false) return NO_CONSOLE
  const { openConsole } = await import('../console/open-console.ts')
  const audit = new AuditLog(key)
  const { storageOutage: outage } = app
  const status = () => readInstallation(settings, parts)
  const opened = await openConsole({
    settings: chosen,
    name,
    logLevel,
    directory: directories.console,
    database,
    audit,
    outage,
    now: Date.now,
    status,
  })
  const announcement: string[] = []
  return {
    announcement,
    async listen() {
      try {
        announcement.push(`Console: ${await opened.listen()}`)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined || !CANNOT_LISTEN.includes(code)) throw error
        if (chosen.isChosen) throw new SettingsError(`The console cannot listen (${code}): change CONSOLE_PORT or CONSOLE_HOST.`)
        app.log.warn({ code }, `There is no staff console, because port ${chosen.port} cannot be used. Set CONSOLE_PORT to another one`)
      }
    },
    close: () => opened.close(),
  }
}

async function readInstallation(
  settings: Settings,
  { database, agents, release, problemsNow }: StaffConsoleParts,
): Promise<InstallationStatus> {
  const { name, model, fallback, budgets } = settings
  return {
    release,
    name,
    database: settings.database.kind,
    models: [describeModel(model).label, ...(fallback ? [describeModel(fallback.model).label] : [])],
    problems: [...problemsNow()],
    indexing: agents.indexing,
    budgets: await moneyUsed(database, budgets, Date.now()),
    agents: agents.all.map((agent) => ({ id: agent.id, name: agent.textsIn(undefined).name })),
  }
}
