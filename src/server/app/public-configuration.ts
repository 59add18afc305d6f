import type { PublicAgent, PublicConfiguration } from '../../contract/config.ts'
import type { Agent } from '../answering/agents/agent.ts'
import type { Agents } from '../answering/agents/agents.ts'
import { type Logo, NoLogo, readLogo } from '../branding/logo.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import type { PrivacyNotices } from '../visitors/privacy-notice/privacy-notice.ts'
import { recipientsOf } from './visitor-rights.ts'

/** @throws {SettingsError} if `LOGO_FILE` cannot be used. */
export async function openLogo({ branding }: Settings): Promise<Logo | null> {
  try {
    return branding.logoFile === null ? null : await readLogo(branding.logoFile)
  } catch (error) {
    throw error instanceof NoLogo ? new SettingsError(`LOGO_FILE cannot be used: ${error.message}.`) : error
  }
}

/** The configuration for the page. Built for each request, because agents' files can change. */
export function publicConfiguration(
  settings: Settings,
  { agents, notice, logo, language }: { agents: Agents; notice: PrivacyNotices; logo: Logo | null; language: string | undefined },
): Omit<PublicConfiguration, 'banner'> {
  const { name, branding, signIn, sharing, voiceInput, retentionDays, frameChats, contact, staffReading } = settings
  const { colors, welcomeLine, links } = branding
  return {
    name,
    branding: { colors, logo: logo && `/api/v1/logo?version=${logo.version}`, welcomeLine, links },
    agent: publicAgent(agents.first, language),
    agents: agents.all.map((agent) => publicAgent(agent, language)),
    signIn: signIn !== null,
    sharing,
    voiceInput,
    privacy: { noticeVersion: notice.version, staffReading, retentionDays, frameChats, contact, recipients: recipientsOf(settings) },
  }
}

function publicAgent(agent: Agent, language: string | undefined): PublicAgent {
  const { id, picture, model, choices, personalData } = agent
  const thorough = choices.includes('thorough') && { thoroughModel: agent.modelOf('thorough').label }
  return { id, picture, model, ...thorough, choices: [...choices], personalData, ...agent.textsIn(language) }
}
