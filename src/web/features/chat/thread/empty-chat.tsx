import type { ReactNode } from 'react'
import type { PublicConfiguration } from '../../../../contract/config.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { retentionSentence } from '../../../state/retention-sentence.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'

// Only where there are several.
const AgentChoice = lazyPart(() => import('./agent-choice.tsx'))

/** Above the message box of an empty chat: the agent's greeting, or what a temporary chat is. */
export function EmptyChat({ configuration: { agent, agents, branding, privacy } }: { configuration: PublicConfiguration }): ReactNode {
  const isTemporary = useApplication((state) => state.isTemporary)
  // The notice says the same.
  const saysNotice = useApplication((state) => state.privacyNoticeDialog && !state.acceptsPrivacyPolicy)
  return (
    <section className="welcome">
      {agents.length > 1 && <AgentChoice agents={agents} chosen={agent.id} />}
      <h2 dir="auto">{isTemporary ? t('Temporary chat') : agent.greeting}</h2>
      {branding.welcomeLine && <p dir="auto">{branding.welcomeLine}</p>}
      {/* Whatever the operator's texts say, visitors learn before their first prompt that an AI answers. */}
      {!saysNotice && (
        <p className="muted">
          {t('You’re chatting with an AI.')}{' '}
          {isTemporary
            ? t('This chat won’t be in your history. It’s deleted within a minute after each answer.')
            : retentionSentence(privacy)}
        </p>
      )}
    </section>
  )
}

interface StartersProps {
  starters: readonly string[]
  /** `null` while sending is not possible. */
  onStarter: ((prompt: string) => void) | null
}

export function Starters({ starters, onStarter }: StartersProps): ReactNode {
  if (starters.length === 0) return null
  return (
    <ul className="chips starters" aria-label={t('Ask about')}>
      {starters.map((starter) => (
        <li key={starter}>
          <button type="button" className="button outline" disabled={!onStarter} onClick={() => onStarter?.(starter)}>
            <span dir="auto">{starter}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
