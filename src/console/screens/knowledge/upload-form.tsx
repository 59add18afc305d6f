import { type DragEvent, type ReactNode, type SyntheticEvent, useState } from 'react'
import type { KnowledgeView, UploadDetails } from '../../../contract/staff/content/knowledge.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call, messageOf, Rejected } from '../../api.ts'
import { Field } from '../../parts/parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useStaff } from '../../staff-context.ts'
import { FactFields, factMistakes, NO_FACTS, uploadQuery } from './document-facts.tsx'
import { sizeOf } from './size.ts'

/** Accepted file name extensions. */
export const ACCEPTED = '.md,.txt,.html,.htm,.csv,.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.rtf,.epub'
const MAX_FILES = 50

/** A file to upload, and what became of it. */
interface Chosen {
  file: File
  outcome: { kind: 'waiting' | 'sending' | 'stored' } | { kind: 'failed'; message: string }
}

/** Uploads files, chosen with the button or dropped on the form. What failed stays, with the reason. */
export function UploadForm({ limits, onUploaded }: { limits: KnowledgeView['uploadLimits']; onUploaded: () => Promise<void> }): ReactNode {
  const { onSessionEnd } = useStaff()
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [facts, setFacts] = useState(NO_FACTS)
  const [isChecked, setChecked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const mistakes = isChecked ? factMistakes(facts) : {}
  const left = chosen.filter(({ outcome }) => outcome.kind !== 'stored')
  const add = (files: readonly File[]) => {
    const fresh = files.map((file): Chosen => ({ file, outcome: checked(file, limits.bytes) }))
    setChosen((now) => [...now.filter(({ outcome }) => outcome.kind !== 'stored'), ...fresh].slice(0, MAX_FILES))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }
  const settle = (one: Chosen, outcome: Chosen['outcome']) =>
    setChosen((now) => now.map((other) => (other.file === one.file ? { ...other, outcome } : other)))
  const send = async () => {
    for (const one of left) {
      if (checked(one.file, limits.bytes).kind === 'failed') continue
      settle(one, { kind: 'sending' })
      try {
        await confirmed(() => call<UploadDetails>('POST', `knowledge/uploads?${uploadQuery(one.file.name, facts)}`, one.file))
        settle(one, { kind: 'stored' })
      } catch (error) {
        if (error instanceof Rejected && error.code === 'sign_in_required') return onSessionEnd()
        settle(one, { kind: 'failed', message: messageOf(error) })
      }
    }
    await onUploaded()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked(true)
    if (left.length === 0 || Object.keys(factMistakes(facts)).length > 0) return
    setBusy(true)
    send()
      .catch(console.error)
      .finally(() => setBusy(false))
  }
  return (
    // The button does the same as dropping.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={isOver ? 'upload over' : 'upload'}
      aria-label={t('Upload documents')}
      noValidate
      onSubmit={submit}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2>{t('Upload documents')}</h2>
      <Field
        label={t('Files')}
        hint={t('Markdown, text, HTML, CSV, PDF or Office, up to {size} each. You can also drop them here.', {
          size: sizeOf(limits.bytes),
        })}
        error={isChecked && left.length === 0 ? t('Choose a file.') : undefined}
      >
        {(ids) => (
          <input
            {...ids}
            type="file"
            multiple
            accept={ACCEPTED}
            onChange={({ target }) => {
              add([...(target.files ?? [])])
              target.value = ''
            }}
          />
        )}
      </Field>
      <ChosenFiles chosen={chosen} onRemove={(gone) => setChosen((now) => now.filter(({ file }) => file !== gone))} />
      <FactFields facts={facts} mistakes={mistakes} change={(part) => setFacts((now) => ({ ...now, ...part }))} />
      <Button variant="solid" type="submit" disabled={isBusy}>
        {t('Upload')}
      </Button>
    </form>
  )
}

function ChosenFiles({ chosen, onRemove }: { chosen: readonly Chosen[]; onRemove(file: File): void }): ReactNode {
  return (
    <ul className="chosen" aria-live="polite" aria-label={t('Chosen files')} hidden={chosen.length === 0}>
      {chosen.map((one) => (
        <li key={`${one.file.name} ${one.file.lastModified} ${one.file.size}`}>
          <span>
            <bdi>{one.file.name}</bdi>
            {t(', ')}
            {sizeOf(one.file.size)}
          </span>{' '}
          <Outcome chosen={one} />
          {one.outcome.kind !== 'stored' && one.outcome.kind !== 'sending' && (
            <Button
              variant="outline"
              className="small"
              aria-label={t('Remove {name}', { name: one.file.name })}
              onClick={() => onRemove(one.file)}
            >
              {t('Remove')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Outcome({ chosen: { outcome } }: { chosen: Chosen }): ReactNode {
  if (outcome.kind === 'failed') return <span className="error">{outcome.message}</span>
  if (outcome.kind === 'stored') return <span className="good">{t('Uploaded')}</span>
  return <span className="muted">{outcome.kind === 'sending' ? t('Uploading') : t('Not uploaded yet')}</span>
}

function checked({ name, size }: File, maxBytes: number): Chosen['outcome'] {
  const isAccepted = ACCEPTED.split(',').some((ending) => name.toLowerCase().endsWith(ending))
  if (!isAccepted) return { kind: 'failed', message: t('Files of this type can’t be read.') }
  if (size === 0) return { kind: 'failed', message: t('The file is empty.') }
  return size > maxBytes
    ? { kind: 'failed', message: t('The file is larger than {size}.', { size: sizeOf(maxBytes) }) }
    : { kind: 'waiting' }
}
