import { setTimeout as pause } from 'node:timers/promises'
import type { ModelDescription } from '../agent/model/connect-model.ts'
import type { Settings } from '../config/config.ts'
import type { Database } from '../store/database.ts'
import { newMessageId, newSessionId } from '../turns/ids.ts'
import type { Turns } from '../turns/turns.ts'
import { loadPrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import { createRights, type Rights } from '../visitors/rights.ts'
import { lookupsOf } from './open-answering.ts'

/** The privacy notice of this installation, in each language. */
export function openNotices(settings: Settings, model: ModelDescription) {
  const { name, retentionDays, contact, moderation, voiceInput, signIn, privacyNoticeFile } = settings
  const { provider: modelProvider, runsHere: modelRunsHere = false } = model
  const checkedBy = moderation?.checkedBy ?? null
  return loadPrivacyNotices(
    { name, retentionDays, contact, modelProvider, modelRunsHere, checkedBy, lookups: lookupsOf(settings), voiceInput, signIn },
    privacyNoticeFile,
  )
}

interface RightsParts {
  database: Database
  model: ModelDescription
  turns: Turns
  key: string
  now: () => number
}

/** Data report, transfer, export, import and erasure, with the facts of this installation. */
export function rightsFor(settings: Settings, { database, model, turns, key, now }: RightsParts): Rights {
  const { name, retentionDays, contact, logLevel } = settings
  return createRights({
    database,
    installation: name,
    installationKey: key,
    stopTurn: (access, turnId) => turns.stop(access, turnId),
    newSessionId,
    newMessageId,
    pause,
    facts: {
      storage: settings.database.kind,
      retentionDays,
      model,
      contact,
      logLevel,
      signIn: settings.signIn !== null,
      redis: settings.redisUrl !== null,
      checkedBy: settings.moderation?.checkedBy ?? null,
      lookups: lookupsOf(settings),
    },
    now,
  })
}
