import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { ManagedAgentView } from '../../../contract/staff/content/agents.ts'
import { MAX_TRIAL_MESSAGES } from '../../../contract/size-limits.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { ActionError, Field } from '../../parts/parts.tsx'
import { askTrial } from '../../trial-answer.ts'
import { useAction } from '../../use-call.ts'
import { Answer } from './answer.tsx'

const EMPTY: ChatMessage = { id: '', role: 'assistant', parts: [] }

interface Exchange {
  prompt: string
  answer: ChatMessage
}

/** A chat with the saved draft, which exists on this page alone. */
export function TrialChat({ view: { id, draft } }: { view: ManagedAgentView }): ReactNode {
  const [prompt, setPrompt] = useState('')
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [mistake, setMistake] = useState('')
  const abort = useRef<AbortController>(null)
  const { run, isBusy, error } = useAction()
  useEffect(() => () => abort.current?.abort(), [])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setMistake(prompt.trim() === '' ? t('Enter a question.') : '')
    if (prompt.trim() === '') return
    const stopping = new AbortController()
    abort.current = stopping
    const before = exchanges
    const show = (answer: ChatMessage) => setExchanges([...before, { prompt, answer }])
    show(EMPTY)
    setPrompt('')
    run(async () => {
      try {
        show(await askTrial(id, { version: 'draft', prompt, history: historyOf(before) }, { onAnswer: show, signal: stopping.signal }))
      } catch (cause) {
        setExchanges(before)
        setPrompt((typed) => typed || prompt)
        throw cause
      }
    })
  }
  return (
    <section aria-labelledby="trial" className="agents">
      <h2 id="trial">{t('Try the draft')}</h2>
      <p className="muted">
        {t(
          'It answers as visitors would be answered, from the saved draft. The chat isn’t stored; answers are counted in the budget. Tools are really called.',
        )}
      </p>
      {exchanges.map(({ prompt: asked, answer }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- Only ever appended to.
        <div key={at} className="exchange">
          <p dir="auto" className="prompt">
            {asked}
          </p>
          <Answer answer={answer} isWriting={isBusy && at === exchanges.length - 1} />
        </div>
      ))}
      <form onSubmit={submit} noValidate aria-label={t('Try the draft')}>
        <Field label={t('Ask the draft')} error={mistake}>
          {(ids) => <textarea {...ids} dir="auto" rows={2} value={prompt} onChange={({ target }) => setPrompt(target.value)} />}
        </Field>
        <div className="check">
          <Button variant="outline" type="submit" disabled={isBusy || draft.mistakes.length > 0}>
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
    </section>
  )
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
