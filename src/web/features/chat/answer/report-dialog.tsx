import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import type { ReportedMessage, ReportScope } from '../../../../contract/reports.ts'
import { MAX_REASON_CHARACTERS, MAX_REPORTED_CHARACTERS, MAX_REPORTED_MESSAGES } from '../../../../contract/size-limits.ts'
import { failureSentence } from '../../../api/failure.ts'
import { dataFailureSentence } from '../../../api/data-failure.ts'
import { sendReport } from '../../../api/report-calls.ts'
import { syncOpenSession } from '../chat-actions.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { useConfiguration } from '../../../state/configuration.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { RadioGroup } from '../../../../ui/radio-group.tsx'
import { notify } from '../../../../ui/notification.tsx'
import './report-dialog.css'

interface ReportDialogProps {
  /** The answer. */
  message: ChatMessage
  /** The prompt that a person should answer; without it, the report is about a problem. */
  question?: string | undefined
  onClose(): void
}

/** Asks what of an answer or its chat to hand over to staff, and shows exactly that, to be edited. */
export default function ReportDialog({ message, question, onClose }: ReportDialogProps): ReactNode {
  const titleId = useId()
  const session = useApplication((state) => state.currentSession)
  const isShared = useApplication((state) => state.isSharedComputer)
  const isShortLived = useConfiguration((configuration) => configuration?.privacy.retentionDays === 0) || isShared
  const staffReads = useConfiguration((configuration) => configuration?.privacy.staffReading)
  const [scope, setScope] = useState<ReportScope>(() => usualScope(message, session?.messages ?? []))
  const [texts, setTexts] = useState(() => reportable(session?.messages ?? [], message))
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState('')
  const [isSending, setSending] = useState(false)
  const shown = scope === 'rating' ? [] : texts.filter(({ isOfAnswer }) => scope === 'chat' || isOfAnswer)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!session) return
    setSending(true)
    const messages: ReportedMessage[] = shown.map(({ role, text }) => ({ role, text }))
    const reasonGiven = reason.trim()
    sendReport(session.key, { message: question ?? message.id, scope, messages, ...(reasonGiven && { reason: reasonGiven }) })
      .then((outcome) => {
        if (!outcome.ok) return setFailure(isOfReports(outcome.code) ? failureSentence(outcome.code) : dataFailureSentence(outcome.code))
        onClose()
        // Shows the question below its answer.
        if (question) return syncOpenSession({ key: session.key, updatedAt: outcome.value.createdAt, runningTurn: null })
        return notify({ message: t('Report sent. You can see and withdraw it under “My data”.') })
      })
      .catch(console.error)
      .finally(() => setSending(false))
  }
  const labels: [ReportScope, string][] = [
    ['rating', question ? t('Only this message') : t('Only my rating')],
    ['answer', t('This answer')],
    ['chat', t('This chat')],
  ]
  const reasonField = (
    <Text
      label={question ? t('Your message') : t('What went wrong? (optional)')}
      value={reason}
      rows={question ? 4 : 2}
      maxLength={MAX_REASON_CHARACTERS}
      required={question !== undefined}
      onChange={setReason}
    />
  )
  return (
    <Dialog open onClose={onClose} labelledBy={titleId} className="report">
      <form onSubmit={submit}>
        <h2 id={titleId}>{question ? t('Leave the staff a message') : t('Report a problem with this answer')}</h2>
        {question && (
          <p>
            {isShortLived
              ? t('This chat is deleted soon. Say how the staff can reach you.')
              : t('Their reply appears in this chat. To be reached elsewhere, say how.')}
          </p>
        )}
        {question && reasonField}
        <p className="muted">
          {staffReads
            ? t('The operator’s staff can read what you send here. Shorten or clear what you don’t want to send.')
            : t('The operator’s staff can read what you send here, and nothing else. Shorten or clear what you don’t want to send.')}
        </p>
        <RadioGroup
          legend={question ? t('What do you want to send along?') : t('What do you want to send?')}
          options={labels}
          chosen={scope}
          onChoose={setScope}
        />
        {shown.length > 0 && (
          <div className="handed-over">
            {shown.map(({ id, role, text }) => (
              <Text
                key={id}
                label={role === 'assistant' ? t('Answer') : question ? t('Your question') : t('Your message')}
                value={text}
                rows={role === 'user' ? 2 : 5}
                maxLength={MAX_REPORTED_CHARACTERS}
                onChange={(value) => setTexts((all) => all.map((one) => (one.id === id ? { ...one, text: value } : one)))}
              />
            ))}
          </div>
        )}
        {!question && reasonField}
        {failure && (
          <p role="alert" className="bad">
            {failure}
          </p>
        )}
        <footer>
          <Button variant="solid" type="submit" disabled={isSending || (question !== undefined && reason.trim() === '')}>
            {question ? t('Send') : t('Send report')}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Their sentences mention no saved text, unlike those of prompts. */
const isOfReports = (code: string) => code === 'report_too_large' || code === 'too_many_reports'

/** A request for a person says nothing more, but the chat before it does. */
function usualScope({ metadata }: ChatMessage, { length }: readonly ChatMessage[]): ReportScope {
  if (metadata?.fixedReply !== 'person') return 'answer'
  return length > 2 ? 'chat' : 'rating'
}

interface TextProps {
  label: string
  value: string
  rows: number
  maxLength: number
  required?: boolean
  onChange(value: string): void
}

function Text({ label, onChange, ...rest }: TextProps): ReactNode {
  return (
    <label>
      {label}
      <textarea {...rest} dir="auto" onChange={({ target }) => onChange(target.value)} />
    </label>
  )
}

interface Reportable extends ReportedMessage {
  id: string
  /** Whether it is the answer or its prompt. */
  isOfAnswer: boolean
}

/** The newest messages of the chat as a report can contain them: those up to the answer always include it and its prompt. */
function reportable(messages: readonly ChatMessage[], answer: ChatMessage): Reportable[] {
  const place = messages.findIndex(({ id }) => id === answer.id)
  const prompt = messages.slice(0, Math.max(0, place)).findLast(({ role }) => role === 'user')
  const kept: Reportable[] = []
  let room = MAX_REPORTED_CHARACTERS
  for (const message of messages
    .slice(0, place + 1)
    .slice(-MAX_REPORTED_MESSAGES)
    .toReversed()) {
    const text = textOf(message).slice(0, room)
    room -= text.length
    kept.unshift({
      id: message.id,
      role: message.role === 'user' ? 'user' : 'assistant',
      text,
      isOfAnswer: message.id === answer.id || message.id === prompt?.id,
    })
    if (room <= 0) break
  }
  return kept
}
