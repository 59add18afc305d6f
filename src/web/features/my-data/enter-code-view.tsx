import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import type { FailureCode } from '../../api/failure.ts'
import { takeTransferCode } from '../../api/rights-calls.ts'
import { t, useTranslate } from '../../language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ExportLink } from './export-link.tsx'
import { dataFailureSentence } from './failure-sentences.ts'

interface EnterCodeViewProps {
  /** Code from the link, or empty. It is sent only after confirmation. */
  code: string
  onMoved(): void
  onOpenNotice(): void
  onDone(): void
}

type Progress = { status: 'asking' } | { status: 'moving' } | { status: 'moved' } | { status: 'refused'; code: FailureCode }

/** Transfers the chats of another device by its code. */
export function EnterCodeView({ code, onMoved, onOpenNotice, onDone }: EnterCodeViewProps): ReactNode {
  useTranslate()
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const isShared = useApplication((state) => state.isSharedComputer)
  const [words, setWords] = useState(code.replaceAll('-', ' '))
  const [progress, setProgress] = useState<Progress>({ status: 'asking' })
  const take = async (replace: boolean) => {
    setProgress({ status: 'moving' })
    const outcome = await takeTransferCode({ code: words, ...(replace && { replace }), ...(isShared && { device: 'shared' }) })
    setProgress(outcome.ok ? { status: 'moved' } : { status: 'refused', code: outcome.code })
    if (outcome.ok) onMoved()
  }
  const begin = (replace: boolean) => {
    take(replace).catch(console.error)
  }
  if (!accepts) return <ConsentFirst onOpenNotice={onOpenNotice} />
  if (progress.status === 'moved') return <Done onDone={onDone} />
  if (progress.status === 'refused' && progress.code === 'device_in_use') {
    return <InUse onReplace={() => begin(true)} onKeep={() => setProgress({ status: 'asking' })} />
  }
  return (
    <>
      <p>
        {t(
          'This browser will open the chats of your other device, and both show the same from then on. Use only a code from a device of your own.',
        )}
      </p>
      <CodeForm words={words} onWords={setWords} isMoving={progress.status === 'moving'} onSend={() => begin(false)} />
      {progress.status === 'refused' && (
        <p role="alert" className="bad">
          {refusal(progress.code)}
        </p>
      )}
    </>
  )
}

interface CodeFormProps {
  words: string
  onWords(words: string): void
  isMoving: boolean
  onSend(): void
}

function CodeForm({ words, onWords, isMoving, onSend }: CodeFormProps): ReactNode {
  useTranslate()
  const id = useId()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <form className="code-to-take" onSubmit={submit}>
      <label htmlFor={id}>{t('The six words of the code')}</label>
      <input
        id={id}
        dir="ltr"
        value={words}
        maxLength={200}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={({ target }) => onWords(target.value)}
      />
      <Button type="submit" look="solid" disabled={isMoving || words.trim() === ''}>
        {isMoving ? t('Taking over…') : t('Take over my chats')}
      </Button>
    </form>
  )
}

function ConsentFirst({ onOpenNotice }: { onOpenNotice(): void }): ReactNode {
  useTranslate()
  return (
    <>
      <p>{t('To take your chats over to this browser, read and accept the privacy notice first. Your code waits here.')}</p>
      <Button look="solid" onClick={onOpenNotice}>
        {t('Open the notice')}
      </Button>
    </>
  )
}

function InUse({ onReplace, onKeep }: { onReplace(): void; onKeep(): void }): ReactNode {
  useTranslate()
  return (
    <>
      <p role="alert">
        <strong>{t('This browser has chats of its own.')}</strong>{' '}
        {t(
          'They can’t be put together with those of the other device: if you go on, they are deleted, unless another device opens them too. You can take them along as a file and bring that in afterwards.',
        )}
      </p>
      <p>
        <ExportLink />
      </p>
      <div className="choices">
        <Button look="outline" onClick={onKeep}>
          {t('Keep these chats')}
        </Button>
        <Button look="solid" className="danger" onClick={onReplace}>
          {t('Give them up and go on')}
        </Button>
      </div>
    </>
  )
}

function Done({ onDone }: { onDone(): void }): ReactNode {
  useTranslate()
  return (
    <>
      <p role="status" className="done">
        <Icon name="check" /> {t('Your chats are here.')}
      </p>
      <p>{t('Both devices now show the same chats. The code is used up.')}</p>
      <Button look="solid" onClick={onDone}>
        {t('Go to the chats')}
      </Button>
    </>
  )
}

function refusal(code: FailureCode): string {
  if (code === 'transfer_code_unknown') {
    return t(
      'This code opens nothing. It may be mistyped, used already, or older than 10 minutes. Check the words, or make a new one on the other device.',
    )
  }
  if (code === 'too_many_tries') return t('There were too many wrong codes from here. Nothing changed; try again in an hour.')
  return dataFailureSentence(code)
}
