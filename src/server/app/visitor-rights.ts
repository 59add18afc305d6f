import { describeModel, type ModelDescription } from '../models/connect-model.ts'
import type { Settings } from '../config/config.ts'
import type { Turns } from '../turns/turns.ts'
import { loadPrivacyNotices, type PrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import { createRights, type Rights } from '../visitors/rights.ts'
import { lookupsOf } from './open-answering.ts'
import type { OpenData } from './open-data.ts'

/** The privacy notice of this installation, in each language. It says more while other sites can embed the chat. */
export async function openNotices(settings: Settings, model: ModelDescription): Promise<PrivacyNotices> {
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
  const plain = await loadPrivacyNotices({ ...facts, isEmbedded: false }, privacyNoticeFile)
  const embedded = await loadPrivacyNotices({ ...facts, isEmbedded: true }, privacyNoticeFile)
  const current = () => (settings.frameAncestors.length > 0 || settings.embeds.size > 0 ? embedded : plain)
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
export function rightsFor(
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
