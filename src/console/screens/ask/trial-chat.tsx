import { createParser } from 'eventsource-parser'
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { citationOf, sourcesOf } from '../../../contract/chat/citation.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import { Rejected, request, unreachable } from '../../api.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { MarkdownPreview } from '../../parts/markdown-preview.tsx'
import { stateName } from '../../names.ts'
import { t } from '../../../ui/language/translate.ts'
import { joined } from '../../format.ts'
import { MAX_TRIAL_MESSAGES } from '../../../contract/size-limits.ts'
import { Button } from '../../../ui/button.tsx'
import { ActionError, TextAreaField } from '../../parts/parts.tsx'
import { useAction } from '../../use-call.ts'

/** An answer to staff: its text, what it cites, and its state. Nothing of it is markup. */
function Answer({ answer, isWriting }: { answer: ChatMessage; isWriting: boolean }): ReactNode {
  const text = textOf(answer)
  const { state, code, model } = answer.metadata ?? {}
  return (
    <div className="turn" aria-busy={isWriting}>
      {text === '' ? <p className="muted">{isWriting ? t('Waiting for the answer') : t('No text.')}</p> : <MarkdownPreview text={text} />}
      {!isWriting && (
        <p className={state === 'failed' || state === 'interrupted' ? 'error' : 'muted'}>
          {joined(state ? stateName(state) : t('Stopped'), code, model)}
        </p>
      )}
      <Sources answer={answer} />
    </div>
  )
}

function Sources({ answer }: { answer: ChatMessage }): ReactNode {
  const sources = sourcesOf(answer.parts).flatMap((part) => (part.type === 'source-document' ? [part] : []))
  if (sources.length === 0) return null
  return (
    <details>
      <summary>{t.plural(sources.length, '{count} source', '{count} sources')}</summary>
      <ol className="sources">
        {sources.map((part) => (
          <li key={part.sourceId} dir="auto">
            [{part.sourceId}] {part.title} <span className="muted">{part.filename}</span>
            <p className="passage">{citationOf(part)?.quote}</p>
          </li>
        ))}
      </ol>
    </details>
  )
}

const EMPTY: ChatMessage = { id: '', role: 'assistant', parts: [] }

interface Exchange {
  prompt: string
  answer: ChatMessage
}

interface TrialChatProps {
  path: string
  /** Fields of the request beside the prompt. */
  body?: object
  label: string
  isDisabled?: boolean
  /** Asked at once; empty for nothing. */
  first?: string
  children?: (prompt: string) => ReactNode
}

/** A chat that exists on this page alone. */
export function TrialChat({ path, body, label, isDisabled = false, first = '', children }: TrialChatProps): ReactNode {
  const [prompt, setPrompt] = useState('')
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [mistake, setMistake] = useState('')
  const abort = useRef<AbortController>(null)
  const { run, isBusy, error } = useAction()
  const ask = (asked: string) => {
    const stopping = new AbortController()
    abort.current = stopping
    const before = exchanges
    const show = (answer: ChatMessage) => setExchanges([...before, { prompt: asked, answer }])
    show(EMPTY)
    setPrompt('')
    run(async () => {
      try {
        const sent = { ...body, prompt: asked, history: historyOf(before) }
        show(await askTrial(path, sent, { onAnswer: show, signal: stopping.signal }))
      } catch (cause) {
        setExchanges(before)
        setPrompt((typed) => typed || asked)
        throw cause
      }
    })
  }
  useEffect(() => {
    if (first !== '') ask(first)
    return () => abort.current?.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Another first question is another chat.
  }, [])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setMistake(prompt.trim() === '' ? t('Enter a question.') : '')
    if (prompt.trim() !== '') ask(prompt)
  }
  return (
    <>
      {exchanges.map(({ prompt: asked, answer }, at) => {
        const isWriting = isBusy && at === exchanges.length - 1
        return (
          // oxlint-disable-next-line react/no-array-index-key -- Only ever appended to.
          <div key={at} className="exchange">
            <p dir="auto" className="prompt">
              {asked}
            </p>
            <Answer answer={answer} isWriting={isWriting} />
            {!isWriting && children?.(asked)}
          </div>
        )
      })}
      <form onSubmit={submit} noValidate aria-label={label}>
        <TextAreaField
          label={label}
          error={mistake}
          dir="auto"
          rows={2}
          value={prompt}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && !isBusy && !isDisabled) submit(event)
          }}
          onChange={setPrompt}
        />
        <div className="check">
          <Button variant="outline" type="submit" disabled={isBusy || isDisabled}>
            {t('Ask')}
          </Button>
          {isBusy && (
            <Button variant="outline" onClick={() => abort.current?.abort()}>
              {t('Stop')}
            </Button>
          )}
          {!isBusy && exchanges.length > 0 && (
            <Button variant="outline" onClick={() => setExchanges([])}>
              {t('Start again')}
            </Button>
          )}
        </div>
        <ActionError message={error} />
      </form>
    </>
  )
}

/**
 * Asks at a path of the staff API. Calls `onAnswer` with the answer so far as it arrives, and resolves with the whole one; on abort,
 * with what there is.
 * @throws {Rejected}
 */
async function askTrial(
  path: string,
  prompt: object,
  { onAnswer, signal }: { onAnswer: (answer: ChatMessage) => void; signal: AbortSignal },
): Promise<ChatMessage> {
  const builder = new MessageBuilder()
  const parser = createParser({ onEvent: ({ data }) => builder.apply(JSON.parse(data) as ChatChunk) })
  try {
    const headers = { 'content-type': 'application/json' }
    const { body } = await request(path, { method: 'POST', headers, body: JSON.stringify(prompt), signal })
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.feed(read.value)
      onAnswer(builder.message)
    }
  } catch (error) {
    if (!signal.aborted) throw error instanceof Rejected ? error : unreachable()
  }
  return builder.finished()
}

/** The chat so far, without answers that have no text. */
function historyOf(exchanges: readonly Exchange[]): { role: 'user' | 'assistant'; text: string }[] {
  return exchanges
    .flatMap(({ prompt, answer }) => [
      { role: 'user' as const, text: prompt },
      { role: 'assistant' as const, text: textOf(answer) },
    ])
    .filter(({ text }) => text !== '')
    .slice(-MAX_TRIAL_MESSAGES)
}
