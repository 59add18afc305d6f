import type { PartViewProps } from './part-view-props.ts'
import { type ReactNode, memo, useRef } from 'react'
import { type PartKind, type PartTypes, kindOf } from '../../../../contract/chat/parts/part-kinds.ts'
import { unmask } from '../../../../personal-data/unmask.ts'
import { useApplication } from '../../../state/application-store.ts'
import { useValuesOf } from '../../../state/personal-values.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { completeMarkdown } from '../../../../ui/markdown/streaming-markdown.ts'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'
import type { ChatMessage, MessageMetadata, ChatMessagePart } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { topicsOf } from '../../../../contract/chat/parts/topics.ts'
import { modelName } from '../../../../ui/language/model-name.ts'
import { t, useTranslate } from '../../../../ui/language/translate.ts'
import { useConfiguration } from '../../../state/configuration.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import type { ScrollControls } from '../message/scroll-controls.ts'
import { CitationContext, type Cite } from '../../../../ui/markdown/citations.ts'
import { type SourcePart, sourceNumber, sourcesOf, splitCitations } from '../../../../contract/chat/citation.ts'
import { drawCitations } from '../../../../ui/markdown/draw-citations.tsx'

// Offline, the text is shown without them.
const ReasoningStep = lazyPart(() => import('./reasoning-step.tsx'))
const ToolStep = lazyPart(() => import('./tool-step.tsx'))

/** How an answer shows each kind of part among its parts; null for kinds that it shows below its text, or not at all. Functions without hooks. */
const PART_VIEWS = {
  text: (props) => <AnswerText {...props} />,
  reasoning: ({ part }) => (part.text === '' ? null : <ReasoningStep part={part} />),
  tool: (props) => <ToolStep {...props} />,
  'step-start': null,
  file: null,
  'source-url': null,
  'source-document': null,
  'data-topics': null,
} satisfies { [Kind in PartKind]: ((props: PartViewProps<PartTypes[Kind]>) => ReactNode) | null }

/** Text with the values of placeholders that this tab knows. */
function AnswerText({ part, isStreaming }: PartViewProps<PartTypes['text']>): ReactNode {
  const values = useValuesOf(useApplication(({ currentSession }) => currentSession?.key ?? ''))
  return <Markdown text={unmask(part.text, values)} complete={isStreaming && part.state !== 'done' ? completeMarkdown : undefined} />
}

function PartView(props: PartViewProps): ReactNode {
  const kind = kindOf(props.part)
  const render = kind && (PART_VIEWS[kind] as ((props: PartViewProps) => ReactNode) | null)
  return render?.(props)
}

// Offline, the text is shown without them.
const AnswerActions = lazyPart(() => import('./answer-actions.tsx'))
const Corrections = lazyPart(() => import('./corrections.tsx'))
const PersonOffer = lazyPart(() => import('./person-offer.tsx'))
const Sources = lazyPart(() => import('./sources/sources.tsx'))

interface AgentMessageProps extends Pick<PartViewProps, 'onDecide'> {
  message: ChatMessage
  agentName: string
  isStreaming?: boolean
  /** Whether it is the last message; below it, the thread shows how the answer ended. */
  isLast: boolean
  scroll: ScrollControls
  /** Its prompt, if a person is offered for it or was asked. */
  promptToAskAbout?: ChatMessage | undefined
  /** Sends an offered topic as a prompt; without it, no topics are shown. */
  onTopic?: ((topic: string) => void) | undefined
}

/** An answer: steps, text, sources and the topics that it offers. */
export const AgentMessage = memo(function AgentMessage({
  message,
  agentName,
  isStreaming = false,
  isLast,
  scroll,
  promptToAskAbout,
  onTopic,
  onDecide,
}: AgentMessageProps): ReactNode {
  useTranslate()
  const text = textOf(message)
  const topics = topicsOf(message)
  const citations = useCitations(message.parts)
  const hasSources = message.parts.some(({ type }) => type.startsWith('source-'))
  const copied = () =>
    hasSources ? import('./sources/copied-sources.ts').then(({ copiedSources }) => text + copiedSources(message.parts)) : text
  return (
    <article className="message agent" aria-label={agentName} aria-busy={isStreaming}>
      <h2 className="sr-only">{agentName}</h2>
      <CitationContext value={citations}>
        {message.parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts are only ever appended
          <PartView key={index} part={part} message={message} isStreaming={isStreaming} onDecide={onDecide} />
        ))}
      </CitationContext>
      {isStreaming && text === '' && <TypingIndicator />}
      {!isStreaming && <AnswerStateNote message={message} />}
      {message.metadata?.corrections && <Corrections corrections={message.metadata.corrections} />}
      {!isStreaming && hasSources && <Sources parts={message.parts} />}
      {promptToAskAbout && <PersonOffer message={message} prompt={promptToAskAbout} />}
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
      {!isStreaming && text !== '' && (
        <footer>
          <CopyButton text={copied} label={t('Copy answer')} />
          <AnswerActions message={message} isLast={isLast} scroll={scroll} />
          <OtherModel message={message} />
          {!isLast && <span className="muted">{endMark(message)}</span>}
        </footer>
      )}
    </article>
  )
})

/** Names the model of an answer, if it isn't the one that is named below the chat. */
function OtherModel({ message: { metadata } }: { message: ChatMessage }): ReactNode {
  const usual = useConfiguration((configuration) => configuration?.agent.model.label)
  if (!metadata?.model || metadata.fixedReply) return null
  if (!metadata.isFallback && metadata.model === usual) return null
  return (
    <span className="muted">
      {metadata.isFallback
        ? t('{model} (the usual model isn’t available)', { model: modelName(metadata.model) })
        : modelName(metadata.model)}
    </span>
  )
}

/** Marks an incomplete answer that other messages follow. */
function endMark({ metadata }: ChatMessage): string {
  if (!metadata?.status || metadata.status === 'done') return ''
  return metadata.status === 'stopped' ? t('Stopped') : t('Incomplete')
}

const TypingIndicator = (): ReactNode => (
  <p className="typing" role="img" aria-label={t('Answering')}>
    <i />
    <i />
    <i />
    <span className="muted">{t('Thinking…')}</span>
  </p>
)

/** Says below an answer that staff approved it, or that it leaves the question open and where else to ask; `null` for other answers. */
function AnswerStateNote({ message }: { message: ChatMessage }): ReactNode {
  const contact = useConfiguration((configuration) => configuration?.privacy.contact ?? null)
  // A fixed reply names the way on itself.
  const sentence = message.metadata?.fixedReply ? approvalOf(message.metadata) : sentenceOf(message.metadata?.state, contact)
  return sentence === null ? null : (
    <p className="answer-state muted" dir="auto">
      {sentence}
    </p>
  )
}

function approvalOf({ fixedReply, approvedOn = '' }: MessageMetadata): string | null {
  if (fixedReply !== 'approved' || Number.isNaN(Date.parse(approvedOn))) return null
  return t('Approved answer, {day}', { day: t.time(approvedOn, { dateStyle: 'long', timeZone: 'UTC' }) })
}

function sentenceOf(state: string | undefined, contact: string | null): string | null {
  switch (state) {
    case 'not_covered':
      return contact === null ? null : t('You can contact {contact}.', { contact })
    case 'out_of_scope':
      return contact === null
        ? t('This assistant can’t help with this topic.')
        : t('This assistant can’t help with this topic. You can contact {contact}.', { contact })
    default:
      return null
  }
}

// Offline the number is shown without its card.
const CitationMark = lazyPart(() => import('./sources/citation-mark.tsx'), PlainMark, PlainMark)

/** The sources that an answer can cite, for `CitationContext`; the same object until they change. `null` without sources. */
function useCitations(parts: readonly ChatMessagePart[]): Cite | null {
  const last = useRef<{ sources: SourcePart[]; cite: Cite | null }>({ sources: [], cite: null })
  const sources = sourcesOf(parts)
  const { current } = last
  const isSame = sources.length === current.sources.length && sources.every((source, index) => source === current.sources[index])
  if (!isSame) last.current = { sources, cite: citing(sources, parts) }
  return last.current.cite
}

function citing(sources: SourcePart[], parts: readonly ChatMessagePart[]): Cite | null {
  const numbers = new Set(sources.map(sourceNumber).filter((number) => number !== undefined))
  if (numbers.size === 0) return null
  const mark = (number: number): ReactNode | undefined => (numbers.has(number) ? <CitationMark number={number} parts={parts} /> : undefined)
  return drawCitations({ split: splitCitations, mark })
}

/** As large as the mark that replaces it. */
function PlainMark({ number }: { number: number }): ReactNode {
  return <span className="citation">{number}</span>
}
