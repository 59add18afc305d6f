import type { ReactNode } from 'react'
import type { DataReport } from '../../../contract/rights.ts'
import type { Outcome } from '../../api/request.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { countIn, otherCounts } from './counts.ts'
import { dataFailureSentence } from './failure-sentences.ts'

interface KnownProps {
  /** Undefined while it is on its way. */
  report: Outcome<DataReport> | undefined
  onLookAgain(): void
}

/** What the server says that it knows about the visitor, counted now. */
export function Known({ report, onLookAgain }: KnownProps): ReactNode {
  return (
    <section aria-busy={!report}>
      <h3>What is known about me</h3>
      {!report && <p className="muted">Looking it up…</p>}
      {report?.ok === false && (
        <p role="alert">
          {dataFailureSentence(report.code)}{' '}
          <Button look="outline" className="small" icon="retry" onClick={onLookAgain}>
            Look again
          </Button>
        </p>
      )}
      {report?.ok && <Report report={report.value} />}
    </section>
  )
}

function Report({ report }: { report: DataReport }): ReactNode {
  const isShared = useApplication((state) => state.isSharedComputer)
  const { stored, where, kept, endsAt, model, today, cookies, address, logs, contact } = report
  return (
    <div className="known">
      {stored.length === 0 ? (
        <p>Nothing is stored about you.</p>
      ) : (
        <p>
          Stored now: <strong>{countIn(stored, 'chats')}</strong> with <strong>{countIn(stored, 'messages')}</strong>, opened by{' '}
          {countIn(stored, 'devices')}.
        </p>
      )}
      <p>
        {where} {kept}
      </p>
      {endsAt && <p>As it stands, everything goes on {inWords(endsAt)}.</p>}
      <p>
        <strong>{model.label}</strong> answers. {model.sees}
      </p>
      <p>
        {today.prompts === 0 ? 'You have sent all your messages of today.' : `You can send ${messages(today.prompts)} more today.`} A new
        day begins {inWords(today.resetsAt)}.
      </p>
      <details className="step">
        <summary>
          <Icon name="chevron" />
          Everything else: cookies, network address, logs
        </summary>
        <div className="known">
          {otherCounts(stored) && <p>Also stored, to make this work: {otherCounts(stored)}.</p>}
          <ul className="bullets">
            {cookies.map(({ name, purpose, lasts }) => (
              <li key={name}>
                Cookie <code>{name}</code>: {purpose} It lasts {lasts}.
              </li>
            ))}
            {!isShared && <li>This page also keeps the theme, which notice you accepted, and, until you close the tab, the open chat.</li>}
          </ul>
          <p>{address}</p>
          <p>{logs}</p>
          {contact && <p>Questions: {contact}</p>}
        </div>
      </details>
    </div>
  )
}

const messages = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`

const inWords = (time: string) => new Date(time).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short' })
