import { create } from 'zustand'
import { fetchConfiguration } from '../api/calls.ts'
import type { FailureCode } from '../api/failure.ts'
import { loadChat } from '../features/chat/chat-actions.ts'
import { loadThread } from '../features/chat/thread/loaded-thread.ts'
import { recallConsent } from '../features/privacy/consent.ts'
import { preferredLanguage, useLanguage } from '../../ui/language/language.ts'
import { changes } from '../state/application-store.ts'
import type { Language } from '../../ui/language/languages.ts'
import { localizeAgents, useConfiguration } from '../state/configuration.ts'
import { readOpenChat } from '../state/open-chat.ts'
import { chatAddress, navigate } from './location.ts'

export const useStartFailure = create<{ code: FailureCode | null }>(() => ({ code: null }))

/** Fetches the configuration, and opens the privacy notice if consent is missing. */
export async function start(): Promise<void> {
  useStartFailure.setState({ code: null })
  const openChat = readOpenChat()
  if (openChat && !location.hash) navigate(chatAddress(openChat), { replace: true })
  // A returning visitor sees the chat at once.
  const [outcome] = await Promise.all([fetchConfiguration(preferredLanguage()), location.hash.includes('session=') && loadOpenChat()])
  if (!outcome.ok) {
    console.error(`The application could not start: ${outcome.code}`)
    return useStartFailure.setState({ code: outcome.code })
  }
  const { colors } = outcome.value.branding
  if (colors) await import('../../ui/accent.ts').then(({ applyAccent }) => applyAccent(colors)).catch(console.error)
  useConfiguration.setState(outcome.value, true)
  followLanguage()
  recallConsent(outcome.value.privacy.noticeVersion)
  changes.initialized()
}

/** The page starts without them on failure and loads them again on demand. */
const loadOpenChat = () => Promise.allSettled([loadThread(), loadChat()])

let stopFollowing: (() => void) | undefined

/** Reloads the agents' texts when the language changes. Keeps the old ones on failure. */
function followLanguage(): void {
  stopFollowing?.()
  let shown = preferredLanguage()
  const update = async (language: Language) => {
    if (language === shown) return
    shown = language
    const outcome = await fetchConfiguration(language)
    if (outcome.ok && language === shown) localizeAgents(outcome.value)
  }
  stopFollowing = useLanguage.subscribe(({ language }) => {
    update(language).catch(console.error)
  })
}
