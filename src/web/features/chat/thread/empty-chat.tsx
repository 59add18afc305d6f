import type { ReactNode } from 'react'
import type { PublicConfiguration } from '../../../../contract/config.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { retentionSentence } from '../../../state/retention-sentence.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'

// Only where there are several.
const AgentChoice = lazyPart(() => import('./agent-choice.tsx'))

interface EmptyChatProps {
  configuration: PublicConfiguration
  /** A prompt may be chosen soon. */
  onNear(): void
  /** `null` while sending is not possible. */
  onStarter: ((prompt: string) => void) | null
}

/** An empty chat: the agent's greeting and its starters. */
export function EmptyChat({ configuration: { agent, agents, branding, privacy }, onNear, onStarter }: EmptyChatProps): ReactNode {
  const t = useTranslate()
  // The notice says the same.
  const saysNotice = useApplication((state) => state.privacyNoticeDialog && !state.acceptsPrivacyPolicy)
  // Not entered: a pointer does so that lay where the page puts a prompt.
  const near = { onPointerMove: onNear, onPointerDown: onNear, onFocus: onNear }
  return (
    <section className="welcome">
      {agents.length > 1 && <AgentChoice agents={agents} chosen={agent.id} />}
      <h2 dir="auto">{agent.greeting}</h2>
      {/* Whatever the operator's texts say, visitors learn before their first prompt that an AI answers. */}
      {!saysNotice && <p>{t('You’re chatting with an AI.')}</p>}
      {branding.welcomeLine && <p dir="auto">{branding.welcomeLine}</p>}
      {agent.starters.length > 0 && (
        <ul className="starters">
          {agent.starters.map((starter) => (
            <li key={starter}>
              <button type="button" disabled={!onStarter} onClick={() => onStarter?.(starter)} {...near}>
                <span dir="auto">{starter}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {!saysNotice && <p className="muted">{retentionSentence(privacy)}</p>}
    </section>
  )
}
