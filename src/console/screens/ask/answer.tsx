import type { ReactNode } from 'react'
import { citationOf, sourcesOf } from '../../../contract/chat/citation.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { MarkdownPreview } from '../../parts/markdown-preview.tsx'
import { stateName } from '../../state-names.ts'
import { t } from '../../../ui/language/translate.ts'
import { joined } from '../../format.ts'

/** An answer to staff: its text, what it cites, and its state. Nothing of it is markup. */
export function Answer({ answer, isWriting }: { answer: ChatMessage; isWriting: boolean }): ReactNode {
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
