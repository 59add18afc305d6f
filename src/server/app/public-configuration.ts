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
  { agents, notice, logo, language }: { agents: Agents; notice: PrivacyNotices; logo: Logo | null; language: string | undefined },
): PublicConfiguration {
  const { colors, welcomeLine, links } = look
  return {
    name,
    look: { colors, logo: logo && `/api/v1/logo?version=${logo.version}`, welcomeLine, links },
    agent: publicAgent(agents.first, language),
    agents: agents.all.map((agent) => publicAgent(agent, language)),
    signIn: signIn && { label: signIn.label },
    sharing,
    voiceInput,
    privacy: { noticeVersion: notice.version, retentionDays, contact },
  }
}

function publicAgent(agent: Agent, language: string | undefined): PublicAgent {
  const { id, picture, model } = agent
  return { id, picture, model, ...agent.textsIn(language) }
}
