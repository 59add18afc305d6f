import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { MAX_CORRECTION_CHARACTERS } from '../../contract/size-limits.ts'
import type { CorrectionStored, FixList, NamedFix, OpenedReport } from '../../contract/staff/reports.ts'
import { isApprovedAnswer } from '../../contract/approved-folder.ts'
import { FIX_KINDS, type FixKind, VERDICTS, type Verdict } from '../../contract/staff/verdicts.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Confirm, Field, Show } from '../parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction, useLoaded } from '../use-call.ts'

const VERDICT_NAMES: Record<Verdict, string> = { wrong: 'Wrong', outdated: 'Outdated', unsafe: 'Unsafe', fine: 'Fine' }
const KIND_NAMES: Record<FixKind, string> = { 'approved-answer': 'Approved answers', document: 'Documents', agent: 'Agents' }

interface DetailsProps {
  report: OpenedReport
  onChanged: () => Promise<void>
}

/** What the visitor handed over, as plain text, and what staff can do about it. */
export function ReportDetails({ report, onChanged }: DetailsProps): ReactNode {
  return (
    <>
      <p className="muted">As the visitor sent it; they may have shortened or changed it.</p>
      {report.messages.map(({ role, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
        <section key={index} aria-label={role === 'user' ? 'Visitor' : 'Answer'}>
          <h3>{role === 'user' ? 'Visitor' : 'Answer'}</h3>
          <p className="passage" dir="auto">
            {text || '(cleared by the visitor)'}
          </p>
        </section>
      ))}
      <h3>Reason</h3>
      <p className="passage" dir="auto">
        {report.reason ?? 'None given'}
      </p>
      <Verdicts report={report} onChanged={onChanged} />
      <CorrectionForm report={report} onChanged={onChanged} />
    </>
  )
}

function Verdicts(props: DetailsProps): ReactNode {
  const fixes = useLoaded<FixList>('reports/fixes')
  return <Show {...fixes}>{(list) => <VerdictForm {...props} fixes={list.fixes} />}</Show>
}

const keyOf = ({ kind, id }: Pick<NamedFix, 'kind' | 'id'>) => `${kind} ${id}`

function VerdictForm({ report, onChanged, fixes }: DetailsProps & { fixes: readonly NamedFix[] }): ReactNode {
  const [verdict, setVerdict] = useState<Verdict>(report.verdict ?? 'wrong')
  const [fix, setFix] = useState(report.fix ?? '')
  const [fixKey, setFixKey] = useState(report.fixedBy ? keyOf(report.fixedBy) : '')
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    // A record that is gone stays linked until another one is chosen.
    const chosen = fixes.find((one) => keyOf(one) === fixKey) ?? (fixKey === '' ? null : report.fixedBy)
    const fixedBy = chosen && { kind: chosen.kind, id: chosen.id }
    run(async () => {
      try {
        await call('POST', `reports/${report.id}/verdict`, { verdict, fix, fixedBy, revision: report.revision })
      } finally {
        // After somebody else's verdict, the list shows theirs, and what was entered here stays.
        await onChanged()
      }
    })
  }
  return (
    <form onSubmit={submit} aria-label="Decide">
      <Field label="The answer is">
        {(ids) => (
          <select {...ids} value={verdict} onChange={({ target }) => setVerdict(target.value as Verdict)}>
            {VERDICTS.map((one) => (
              <option key={one} value={one}>
                {VERDICT_NAMES[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Fixed by" hint="What is managed here and repairs it. Visitors don’t see it.">
        {(ids) => (
          <select {...ids} value={fixKey} onChange={({ target }) => setFixKey(target.value)}>
            <option value="">Nothing yet</option>
            {report.fixedBy?.name === null && <option value={keyOf(report.fixedBy)}>{report.fixedBy.id} (deleted)</option>}
            {FIX_KINDS.map((kind) => (
              <optgroup key={kind} label={KIND_NAMES[kind]}>
                {fixes
                  .filter((one) => one.kind === kind)
                  .map((one) => (
                    <option key={one.id} value={keyOf(one)}>
                      {one.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <Field label="Note (optional)" hint="Such as a file of the folder, or a sentence. Visitors don’t see it.">
        {(ids) => <input {...ids} dir="auto" maxLength={500} value={fix} onChange={({ target }) => setFix(target.value)} />}
      </Field>
      <Button look="outline" type="submit" disabled={isBusy}>
        Save
      </Button>
      <ActionError message={error} />
    </form>
  )
}

function CorrectionForm({ report, onChanged }: DetailsProps): ReactNode {
  const [text, setText] = useState(report.correction?.text ?? '')
  const [source, setSource] = useState('')
  const [mistake, setMistake] = useState('')
  const [done, setDone] = useState('')
  // Of the correction at this answer alone.
  const [own, setOwn] = useState(report.correction?.id ?? null)
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setDone('')
    setMistake(text.trim() === '' ? 'Enter a text.' : '')
    if (text.trim() === '') return
    run(async () => {
      const { id } = await confirmed(() =>
        call<CorrectionStored>('POST', `reports/${report.id}/correction`, { text, source: source || null }),
      )
      setOwn(source === '' ? id : null)
      setDone('Visitors see the correction when they return.')
      await onChanged()
    })
  }
  const removed = async () => {
    setOwn(null)
    setDone('The correction is removed.')
    await onChanged()
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Correct">
      <Field label="Correction" hint="Markdown. Repeat nothing that the visitor wrote." error={mistake}>
        {(ids) => (
          <textarea
            {...ids}
            dir="auto"
            rows={3}
            maxLength={MAX_CORRECTION_CHARACTERS}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {report.sources.length > 0 && (
        <Field label="Where visitors see it">
          {(ids) => (
            <select {...ids} value={source} onChange={({ target }) => setSource(target.value)}>
              <option value="">At this answer</option>
              {report.sources.map((file) => (
                <option key={file} value={file}>
                  {isApprovedAnswer(file)
                    ? `At every answer with this text of ${file}`
                    : `At every answer that names this version of ${file}`}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <div className="actions">
        {own && <RemoveCorrection id={own} name="Remove the correction" onRemoved={removed} />}
        <Button look="solid" type="submit" disabled={isBusy}>
          Publish the correction
        </Button>
      </div>
      <p role="status">{done}</p>
      <ActionError message={error} />
    </form>
  )
}

interface RemoveProps {
  id: string
  /** Label of the button. */
  name: string
  onRemoved: () => Promise<void>
}

/** Removes a correction, after asking. */
export function RemoveCorrection({ id, name, onRemoved }: RemoveProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const remove = () =>
    run(async () => {
      await confirmed(() => call('DELETE', `corrections/${id}`))
      setAsking(false)
      await onRemoved()
    })
  return (
    <>
      <Button look="outline" className="small" onClick={() => setAsking(true)}>
        {name}
      </Button>
      {isAsking && (
        <Confirm
          question="Remove this correction?"
          explanation="Visitors no longer see it."
          action="Remove"
          isBusy={isBusy}
          error={error}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
