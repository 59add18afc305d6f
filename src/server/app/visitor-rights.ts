import { describeModel, type ModelDescription } from '../models/connect-model.ts'
import type { Settings } from '../config/config.ts'
import type { Database } from '../store/engine/database.ts'
import { newMessageId, newSessionId } from '../turns/ids.ts'
import type { Turns } from '../turns/turns.ts'
import { loadPrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import type { ErasureLedger } from '../visitors/erasure-ledger.ts'
import { createRights, type Rights } from '../visitors/rights.ts'
import { lookupsOf } from './open-answering.ts'

/** The privacy notice of this installation, in each language. */
export function openNotices(settings: Settings, model: ModelDescription) {
  const { name, retentionDays, reportDays, staffReading, frameChats, contact, moderation, voiceInput, privacyNoticeFile } = settings
  const { provider: modelProvider, runsHere: modelRunsHere = false } = model
  const checkedBy = moderation?.checkedBy ?? null
  return loadPrivacyNotices(
    {
      name,
      retentionDays,
      reportDays,
      staffReading,
      frameChats,
      isEmbedded: settings.frameAncestors.length > 0 || settings.embeds.size > 0,
      contact,
      modelProvider,
      modelRunsHere,
      checkedBy,
      lookups: lookupsOf(settings),
      voiceInput,
    },
    privacyNoticeFile,
  )
}

/** Who receives visitors' messages or parts of them: providers of models, and hosts that check or search. */
export function recipientsOf(settings: Pick<Settings, 'model' | 'fallback' | 'moderation' | 'embedding'>): string[] {
  const { model, fallback, moderation } = settings
  const providers = [model, ...(fallback ? [fallback.model] : [])].map((one) => describeModel(one).provider)
  const recipients = [...providers, moderation?.checkedBy, lookupsOf(settings)]
  return [...new Set(recipients.filter((recipient) => typeof recipient === 'string'))]
}

interface RightsParts {
  database: Database
  model: ModelDescription
  turns: Turns
  ledger: ErasureLedger
  key: string
  now: () => number
}

/** Data report, transfer, export, import and erasure, with the facts of this installation. */
export function rightsFor(settings: Settings, { database, model, turns, ledger, key, now }: RightsParts): Rights {
  const { name, retentionDays, contact, logLevel } = settings
  return createRights({
    database,
    ledger,
    installation: name,
    installationKey: key,
    stopTurn: (access, turnId) => turns.stop(access, turnId),
    newSessionId,
    newMessageId,
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
