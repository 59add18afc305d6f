import { type ReactNode, useState } from 'react'
import { MAX_CORRECTION_CHARACTERS } from '../../contract/size-limits.ts'
import type { CorrectionStored, OpenedReport } from '../../contract/staff/reports.ts'
import { isApprovedAnswer } from '../../contract/chat/approved-folder.ts'
import { VERDICTS, type Verdict } from '../../contract/staff/content/verdicts.ts'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { ActionButton, ActionError, ConfirmButton, Field, Form, option, SelectField, Submit, TextAreaField } from '../parts/parts.tsx'
import { useAction, useForm } from '../use-call.ts'

export const VERDICT_NAMES: Record<Verdict, MessageText> = {
  wrong: defineMessage('Wrong'),
  outdated: defineMessage('Outdated'),
  unsafe: defineMessage('Unsafe'),
  fine: defineMessage('Fine'),
}

interface DetailsProps {
  report: OpenedReport
}

/** Shows a report as plain text, with the actions of staff. */
export function ReportDetails({ report }: DetailsProps): ReactNode {
  const isQuestion = report.kind === 'question'
  const reason = (
    <>
      <h3>{isQuestion ? t('Message') : t('Reason')}</h3>
      <p className="passage" dir="auto">
        {report.reason ?? t('None given')}
      </p>
    </>
  )
  return (
    <>
      <p className="muted">{t('As the visitor sent it; they may have shortened or changed it.')}</p>
      {isQuestion && reason}
      {report.messages.map(({ role, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
        <section key={index} aria-label={role === 'user' ? t('Visitor') : t('Answer')}>
          <h3>{role === 'user' ? t('Visitor') : t('Answer')}</h3>
          <p className="passage" dir="auto">
            {text || t('(cleared by the visitor)')}
          </p>
        </section>
      ))}
      {!isQuestion && reason}
      {isQuestion ? <CloseButton report={report} /> : <VerdictForm report={report} />}
      <CorrectionForm report={report} />
    </>
  )
}

/** For a question that needs no reply in the chat. */
function CloseButton({ report: { id, revision, verdict } }: DetailsProps): ReactNode {
  if (verdict) return null
  const close = async () => void (await call('POST', `reports/${id}/verdict`, { verdict: 'fine', revision }))
  return <ActionButton act={close}>{t('Close without a reply')}</ActionButton>
}

function VerdictForm({ report }: DetailsProps): ReactNode {
  const [verdict, setVerdict] = useState<Verdict>(report.verdict ?? 'wrong')
  const [fix, setFix] = useState(report.fix ?? '')
  const { run, isBusy, error } = useAction()
  const submit = () => {
    // After somebody else's verdict, the list shows theirs, and what was entered here stays.
    run(() => call('POST', `reports/${report.id}/verdict`, { verdict, fix, revision: report.revision }))
  }
  return (
    <Form onSubmit={submit} name={t('Decide')}>
      <SelectField label={t('The answer is')} value={verdict} onChange={(value) => setVerdict(value as Verdict)}>
        {VERDICTS.map((one) => option(one, t(VERDICT_NAMES[one])))}
      </SelectField>
      <Field label={t('Note (optional)')} hint={t('For your colleagues. Visitors don’t read it.')}>
        {(ids) => <input {...ids} dir="auto" maxLength={500} value={fix} onChange={({ target }) => setFix(target.value)} />}
      </Field>
      <Submit variant="outline" isDisabled={isBusy} error={error} text={t('Save')} />
    </Form>
  )
}

function CorrectionForm({ report }: DetailsProps): ReactNode {
  const isQuestion = report.kind === 'question'
  const [text, setText] = useState(report.correction?.text ?? '')
  const [source, setSource] = useState('')
  const [done, setDone] = useState('')
  // Of the correction at this answer alone.
  const [own, setOwn] = useState(report.correction?.id ?? null)
  const { submit, isBusy, error, mistakes } = useForm({ text: text.trim() === '' && t('Enter a text.') }, async () => {
    setDone('')
    const { id } = await call<CorrectionStored>('POST', `reports/${report.id}/correction`, { text, source: source || null, replaces: own })
    setOwn(source === '' ? id : null)
    setDone(isQuestion ? t('The visitor sees the reply in the chat.') : t('Visitors see the correction when they return.'))
  })
  const removed = () => {
    setOwn(null)
    setDone(isQuestion ? t('The reply is removed.') : t('The correction is removed.'))
  }
  return (
    <Form onSubmit={submit} name={isQuestion ? t('Reply') : t('Correct')}>
      <TextAreaField
        label={isQuestion ? t('Reply') : t('Correction')}
        hint={isQuestion ? t('Markdown. The visitor reads it below the answer.') : t('Markdown. Repeat nothing that the visitor wrote.')}
        error={mistakes.text}
        dir="auto"
        rows={3}
        maxLength={MAX_CORRECTION_CHARACTERS}
        value={text}
        onChange={setText}
      />
      {report.sources.length > 0 && (
        <SelectField label={t('Where visitors see it')} value={source} onChange={setSource}>
          <option value="">{t('At this answer')}</option>
          {report.sources.map((file) =>
            option(
              file,
              isApprovedAnswer(file)
                ? t('At every answer with this text of {file}', { file })
                : t('At every answer that names this version of {file}', { file }),
            ),
          )}
        </SelectField>
      )}
      <div className="actions">
        {own && (
          <RemoveCorrection
            id={own}
            name={isQuestion ? t('Remove the reply') : t('Remove the correction')}
            isReply={isQuestion}
            onRemoved={removed}
          />
        )}
        <Button variant="solid" type="submit" disabled={isBusy}>
          {isQuestion ? t('Send the reply') : t('Publish the correction')}
        </Button>
      </div>
      <p role="status">{done}</p>
      <ActionError message={error} />
    </Form>
  )
}

interface RemoveCorrectionProps {
  id: string
  name: string
  isReply?: boolean
  onRemoved?: () => void
}

export function RemoveCorrection({ id, name, isReply = false, onRemoved }: RemoveCorrectionProps): ReactNode {
  return (
    <ConfirmButton
      text={name}
      question={isReply ? t('Remove this reply?') : t('Remove this correction?')}
      explanation={isReply ? t('The visitor no longer sees it, and the message waits again.') : t('Visitors no longer see it.')}
      action={t('Remove')}
      act={() => call('DELETE', `corrections/${id}`).then(onRemoved)}
    />
  )
}
