import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { UploadDetails } from '../../../contract/staff/knowledge.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call, Rejected } from '../../api.ts'
import { MarkdownPreview } from '../../markdown-preview.tsx'
import { ActionError, Field } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useAction } from '../../use-call.ts'
import { type DocumentFacts, FactFields, factMistakes } from './document-facts.tsx'
import { joined } from '../../format.ts'

const isConflict = (error: unknown) => error instanceof Rejected && error.code === 'changed_meanwhile'
const readAgain = (id: string) => call<UploadDetails>('GET', `knowledge/uploads/${id}`)

interface FormProps {
  document: UploadDetails
  onSaved(): Promise<void>
}

/** Changes the text, with a preview. If somebody else has changed it, both texts stand side by side. */
export function TextForm({ document, text: saved, onSaved }: FormProps & { text: string }): ReactNode {
  const { id, name } = document
  // What is typed is based on the revision that was loaded first, whatever is loaded meanwhile.
  const [base, setBase] = useState({ revision: document.revision, text: saved })
  const [text, setText] = useState(saved)
  const [theirs, setTheirs] = useState<string | null>(null)
  const [done, setDone] = useState('')
  const { run, isBusy, error } = useAction()
  const isMarkdown = name.toLowerCase().endsWith('.md')
  // A change of anything but the text keeps what is typed.
  if (document.revision > base.revision && (text === base.text || saved === base.text)) {
    setBase({ revision: document.revision, text: saved })
    if (text === base.text) setText(saved)
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setDone('')
    run(async () => {
      const query = new URLSearchParams({ base: String(base.revision), name })
      try {
        const stored = await confirmed(() =>
          call<UploadDetails>('POST', `knowledge/uploads/${id}/versions?${query.toString()}`, new Blob([text])),
        )
        setBase({ revision: stored.revision, text })
        setTheirs(null)
        setDone(t('Saved. It answers within a second.'))
      } catch (cause) {
        if (!isConflict(cause)) throw cause
        const other = await readAgain(id)
        setTheirs(other.text)
        setBase({ revision: other.revision, text: other.text ?? '' })
        throw cause
      }
      await onSaved()
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('Edit the text')}>
      <h2>{t('Text')}</h2>
      <Field label={isMarkdown ? t('Markdown') : t('Text of the document')}>
        {(ids) => <textarea {...ids} dir="auto" rows={14} value={text} onChange={({ target }) => setText(target.value)} />}
      </Field>
      {theirs !== null && (
        <Field
          label={t('What somebody else saved meanwhile')}
          hint={t('Take over what is missing in yours. Saving again replaces this text by yours.')}
        >
          {(ids) => <textarea {...ids} dir="auto" rows={14} value={theirs} readOnly />}
        </Field>
      )}
      {isMarkdown && (
        <details>
          <summary>{t('Preview')}</summary>
          <MarkdownPreview text={text} />
        </details>
      )}
      <Button variant="solid" type="submit" disabled={isBusy || text === base.text || text.trim() === ''}>
        {t('Save as a new version')}
      </Button>
      <p className="good" role="status">
        {done}
      </p>
      <ActionError message={error} />
    </form>
  )
}

const factsOf = ({ owner, title, language, validUntil }: UploadDetails): DocumentFacts => ({
  owner,
  title: title ?? '',
  language: language ?? '',
  validUntil: validUntil ?? '',
})

/** Changes what is said about a document. */
export function FactsForm({ document, onSaved }: FormProps): ReactNode {
  const { id } = document
  const [base, setBase] = useState({ revision: document.revision, facts: factsOf(document) })
  const [facts, setFacts] = useState(base.facts)
  const [theirs, setTheirs] = useState<DocumentFacts | null>(null)
  const [isChecked, setChecked] = useState(false)
  const [done, setDone] = useState('')
  const { run, isBusy, error } = useAction()
  const mistakes = isChecked ? factMistakes(facts) : {}
  if (JSON.stringify(facts) === JSON.stringify(base.facts) && document.revision > base.revision) {
    setBase({ revision: document.revision, facts: factsOf(document) })
    setFacts(factsOf(document))
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked(true)
    setDone('')
    if (Object.keys(factMistakes(facts)).length > 0) return
    run(async () => {
      const body = { ...facts, owner: facts.owner.trim(), language: facts.language.trim(), base: base.revision }
      try {
        const stored = await confirmed(() => call<UploadDetails>('POST', `knowledge/uploads/${id}`, body))
        setBase({ revision: stored.revision, facts })
        setTheirs(null)
        setDone(t('Saved.'))
      } catch (cause) {
        if (!isConflict(cause)) throw cause
        const other = await readAgain(id)
        setTheirs(factsOf(other))
        setBase({ revision: other.revision, facts: factsOf(other) })
        throw cause
      }
      await onSaved()
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('About the document')}>
      <h2>{t('About the document')}</h2>
      <FactFields facts={facts} mistakes={mistakes} change={(part) => setFacts((now) => ({ ...now, ...part }))} />
      {theirs && (
        <p className="notice" dir="auto">
          {t('Someone else saved: {facts}', { facts: joined(theirs.owner, theirs.title, theirs.language, theirs.validUntil) })}
        </p>
      )}
      <Button variant="solid" type="submit" disabled={isBusy}>
        {t('Save')}
      </Button>
      <p className="good" role="status">
        {done}
      </p>
      <ActionError message={error} />
    </form>
  )
}

/** Replaces the content by that of a file. */
export function ReplaceForm({ document: { id, name, revision }, onSaved }: FormProps): ReactNode {
  const [file, setFile] = useState<File | null>(null)
  const [mistake, setMistake] = useState('')
  const [done, setDone] = useState('')
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setDone('')
    setMistake(file ? '' : t('Choose a file.'))
    if (!file) return
    run(async () => {
      const query = new URLSearchParams({ base: String(revision), name: file.name })
      await confirmed(() => call('POST', `knowledge/uploads/${id}/versions?${query.toString()}`, file))
      setFile(null)
      setDone(t('Replaced. The new version answers within a second.'))
      await onSaved()
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('Replace the document')}>
      <h2>{t('Replace')}</h2>
      <Field label={t('New file')} hint={t('It keeps the name {name}, so it needs the same ending.', { name })} error={mistake}>
        {(ids) => (
          <input
            {...ids}
            key={revision}
            type="file"
            accept={/\.\w+$/.exec(name)?.[0]}
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        )}
      </Field>
      <Button variant="solid" type="submit" disabled={isBusy}>
        {t('Replace')}
      </Button>
      <p className="good" role="status">
        {done}
      </p>
      <ActionError message={error} />
    </form>
  )
}
