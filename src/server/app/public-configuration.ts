import type { PublicAgent, PublicConfiguration } from '../../contract/config.ts'
import type { Agent } from '../agent/agent.ts'
import type { Agents } from '../agent/agents.ts'
import { type Logo, NoLogo, readLogo } from '../branding/logo.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import type { PrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'

/** @throws {SettingsError} if `LOGO_FILE` cannot be used. */
export async function openLogo({ look }: Settings): Promise<Logo | null> {
  try {
    return look.logoFile === null ? null : await readLogo(look.logoFile)
  } catch (error) {
    throw error instanceof NoLogo ? new SettingsError(`LOGO_FILE cannot be used: ${error.message}.`) : error
  }
}

/** The configuration for the page. Built for each request, because agents' files can change. */
export function publicConfiguration(
  { name, look, signIn, sharing, voiceInput, retentionDays, contact }: Settings,
  { agents, notice, logo }: { agents: Agents; notice: PrivacyNotices; logo: Logo | null },
): PublicConfiguration {
  const { colors, welcomeLine, links } = look
  return {
    name,
    look: { colors, logo: logo && `/api/v1/logo?version=${logo.version}`, welcomeLine, links },
    agent: publicAgent(agents.first),
    agents: agents.all.map(publicAgent),
    signIn: signIn && { label: signIn.label },
    sharing,
    voiceInput,
    privacy: { noticeVersion: notice.version, retentionDays, contact },
  }
}

function publicAgent({ id, name, picture, greeting, starters, model }: Agent): PublicAgent {
  return { id, name, picture, greeting, starters, model }
}
