import { memo, type ReactNode, Suspense, useRef } from 'react'
import { type ChatMessage, type ChatMessagePart, textOf } from '../../../../contract/message.ts'
import { topicsOf } from '../../../../contract/parts/topics.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import type { Retry } from '../../../state/application-store.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useGrowing } from './growing-answer.ts'
import type { MessagePlace } from '../message/message-place.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { GROWING } from '../../../ui/markdown/growing-markdown.ts'
import { CitationContext } from '../../../ui/markdown/citations.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { useCitations } from './sources/use-citations.tsx'

// Away from the network the text is shown without them.
const AnswerStep = lazyPart(() => import('./answer-step.tsx'))
const AnswerActions = lazyPart(() => import('./answer-actions.tsx'))
const Sources = lazyPart(() => import('./sources/sources.tsx'))

/** Where a step of an answer stands. */
export interface StepProps extends Pick<AgentMessageProps, 'onDecide'> {
  of: ChatMessage
  isGrowing: boolean
}

interface AgentMessageProps {
  /** Of one that is still being written, its beginning. */
  message: ChatMessage
  agentName: string
  /** Whether it is still being written. */
  isGrowing?: boolean
  /** Whether it is the last message: what is wrong with its end is said below it, by others. */
  isLast: boolean
  place: MessagePlace
  /** Sends a topic that the answer offers; without it, none are offered. */
  onTopic?: ((topic: string) => void) | undefined
  /** Says whether its tools may run, if it ends asking that; without it, nothing can be said. */
  onDecide?: ((way: Retry) => void) | undefined
}

/** An answer: its steps, its text, its sources and what it offers to ask next. */
export const AgentMessage = memo(function AgentMessage({
  message: begun,
  agentName,
  isGrowing = false,
  isLast,
  place,
  onTopic,
  onDecide,
}: AgentMessageProps): ReactNode {
  useTranslate()
  const message = useGrowing(begun, isGrowing)
  const text = textOf(message)
  const topics = topicsOf(message)
  const citations = useCitations(message.parts)
  const article = useRef<HTMLElement>(null)
  const hasSources = message.parts.some(({ type }) => type.startsWith('source-'))
  const copied = () =>
    hasSources ? import('./sources/copied-sources.ts').then(({ copiedSources }) => text + copiedSources(message.parts)) : text
  const formatted = () => import('./formatted-copy.ts').then(({ formattedCopy }) => formattedCopy(article.current, message.parts))
  return (
    <article ref={article} className="message agent" aria-label={agentName} aria-busy={isGrowing}>
      <h2 className="sr-only">{agentName}</h2>
      <CitationContext value={citations}>
        {message.parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts are only ever appended
          <Part key={index} part={part} of={message} isGrowing={isGrowing} onDecide={onDecide} />
        ))}
      </CitationContext>
      {isGrowing && text === '' && <TypingIndicator />}
      {!isGrowing && hasSources && (
        <Suspense fallback={null}>
          <Sources parts={message.parts} />
        </Suspense>
      )}
      {onTopic && topics.length > 0 && (
        <ul className="chips" aria-label={t('Ask about')}>
          {topics.map((topic) => (
            <li key={topic}>
              <button type="button" className="chip" onClick={() => onTopic(topic)} dir="auto">
                {topic}
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isGrowing && text !== '' && (
        <footer>
          <CopyButton text={copied} html={formatted} label={t('Copy answer')} />
          <Suspense fallback={null}>
            <AnswerActions message={message} place={place} />
          </Suspense>
          {message.metadata?.model && (
            <span className="muted">
              {message.metadata.isFallback
                ? t('{model} (the usual model isn’t available)', { model: message.metadata.model })
                : message.metadata.model}
            </span>
          )}
          {!isLast && <span className="muted">{endMark(message)}</span>}
        </footer>
      )}
    </article>
  )
})

/** How an answer ended that is not complete, and that others follow. */
function endMark({ metadata }: ChatMessage): string {
  if (!metadata?.status || metadata.status === 'done') return ''
  return metadata.status === 'stopped' ? t('Stopped') : t('Incomplete')
}

function Part(props: StepProps & { part: ChatMessagePart }): ReactNode {
  const { part, isGrowing } = props
  if (part.type === 'text') return <Markdown text={part.text} growing={isGrowing && part.state !== 'done' ? GROWING : undefined} />
  return 'toolCallId' in part || (part.type === 'reasoning' && part.text !== '') ? (
    <Suspense fallback={null}>
      <AnswerStep {...props} part={part} />
    </Suspense>
  ) : null
}

const TypingIndicator = (): ReactNode => (
  <p className="typing" role="img" aria-label={t('Answering')}>
    <i />
    <i />
    <i />
  </p>
)
