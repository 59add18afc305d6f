import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { t } from '../../../ui/language/translate.ts'
import { useStaff } from '../../staff-context.ts'
import { questionAnswerAddress, questionDocumentAddress } from '../addresses.ts'
import { ForAgent, SearchedPassages } from './tested-passages.tsx'
import { TrialChat } from './trial-chat.tsx'

interface AskProps {
  /** Asked at once; empty for nothing. */
  question: string
  onClose(): void
}

/** A panel beside every screen: the answer that visitors get, and what was searched for it. */
export function AskPanel({ question, onClose }: AskProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  // Where the panel covers the screen, it makes room for what it leads to.
  const leave = () => matchMedia('(max-width: 71.99rem)').matches && onClose()
  return (
    <aside className="ask agents" aria-labelledby="ask">
      <div className="actions">
        <h2 id="ask" ref={heading} tabIndex={-1}>
          {t('Ask')}
        </h2>
        <IconButton icon="close" label={t('Close the chat')} onClick={onClose} />
      </div>
      <p className="muted">{t('You get the answer that visitors get. The chat isn’t stored, only questions that get no answer.')}</p>
      <ForAgent>
        {(agent) => (
          <TrialChat key={agent} path="trials" body={{ agent }} label={t('Question')} first={question}>
            {(asked) => <NextSteps agent={agent} question={asked} onLeave={leave} />}
          </TrialChat>
        )}
      </ForAgent>
    </aside>
  )
}

/** Passages that the search found for a question, and the ways to another answer. */
function NextSteps({ agent, question, onLeave }: { agent: string; question: string; onLeave(): void }): ReactNode {
  const { may } = useStaff()
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      {may('change-knowledge') && (
        <p className="links">
          <a href={questionAnswerAddress(question)} onClick={onLeave}>
            {t('Wrong? Write the answer')}
          </a>
          <a href={questionDocumentAddress(question)} onClick={onLeave}>
            {t('Add to the knowledge')}
          </a>
        </p>
      )}
      <details className="passages" onToggle={({ newState }) => newState === 'open' && setOpened(true)}>
        <summary>{t('What was searched')}</summary>
        {isOpened && <SearchedPassages agent={agent} query={question} heading="h3" />}
      </details>
    </>
  )
}
