import { type ReactNode, useEffect, useState } from 'react'
import type { SharedChat, SharedMessage } from '../../contract/chat/shares.ts'
import { failureSentence } from '../api/failure.ts'
import type { Outcome } from '../api/request.ts'
import { fetchSharedChat } from '../api/share-calls.ts'
import '../features/chat/message/messages.css'
import { useCitations } from '../features/chat/answer/sources/use-citations.tsx'
import { useTranslate } from '../../ui/language/translate.ts'
import { useConfiguration } from '../state/configuration.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CitationContext } from '../../ui/markdown/citations.ts'
import { BlocksContext, Markdown } from '../../ui/markdown/markdown.tsx'
import { RICH_BLOCKS } from '../../ui/markdown/rich-blocks.ts'
import { chatAddress } from './location.ts'
import { Wordmark } from './wordmark.tsx'
import './shared-page.css'

const Corrections = lazyPart(() => import('../features/chat/answer/corrections.tsx'))
const Sources = lazyPart(() => import('../features/chat/answer/sources/sources.tsx'))

export default function SharedPage({ id }: { id: string }): ReactNode {
  const t = useTranslate()
  const name = useConfiguration()?.name ?? 'Parley'
  const shared = useShared(id)
  useUnlisted()
  const title = shared?.ok ? shared.value.title || t('Untitled') : t('Shared chat')
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <main className="shared">
      <header>
        <Wordmark name={name} />
        <h1 dir="auto">{title}</h1>
        {!shared && <p className="muted">{t('Loading…')}</p>}
        {shared?.ok === false && (
          <p role="alert">
            {shared.code === 'not_found' || shared.code === 'invalid_id'
              ? t('This link no longer works. It expired or was revoked.')
              : failureSentence(shared.code)}
          </p>
        )}
        {shared?.ok && (
          <p className="muted">
            {t('Shared on {day}. AI can make mistakes. Check important information. The link expires on {end}.', {
              day: t.time(shared.value.createdAt, { dateStyle: 'long' }),
              end: t.time(shared.value.expiresAt, { dateStyle: 'long' }),
            })}
          </p>
        )}
      </header>
      {shared?.ok && (
        <div className="thread">
          {shared.value.messages.map((message, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they never change
            <Message key={index} message={message} agentName={name} />
          ))}
        </div>
      )}
      <a className="button outline" href={chatAddress()}>
        {t('Start your own chat')}
      </a>
    </main>
  )
}

function Message({ message, agentName }: { message: SharedMessage; agentName: string }): ReactNode {
  const t = useTranslate()
  const citations = useCitations(message.parts)
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (message.role === 'user') {
    return (
      <article className="message human" aria-label={t('Visitor')}>
        <div className="bubble" dir="auto">
          {texts.join('')}
        </div>
      </article>
    )
  }
  return (
    <article className="message agent" aria-label={agentName}>
      <BlocksContext value={RICH_BLOCKS}>
        <CitationContext value={citations}>
          {texts.map((text, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they never change
            <Markdown key={index} text={text} />
          ))}
        </CitationContext>
      </BlocksContext>
      {message.corrections && <Corrections corrections={message.corrections} />}
      {message.parts.some(({ type }) => type.startsWith('source-')) && <Sources parts={message.parts} />}
    </article>
  )
}

function useShared(id: string): Outcome<SharedChat> | undefined {
  const [shared, setShared] = useState<Outcome<SharedChat>>()
  useEffect(() => {
    const leaving = new AbortController()
    fetchSharedChat(id, leaving.signal)
      .then(setShared)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) console.error(error)
      })
    return () => leaving.abort()
  }, [id])
  return shared
}

/** Keeps shared chats out of search engines that run scripts; others never see what follows the `#`. */
function useUnlisted(): void {
  useEffect(() => {
    const robots = document.createElement('meta')
    robots.name = 'robots'
    robots.content = 'noindex'
    document.head.append(robots)
    return () => robots.remove()
  }, [])
}
