import { type ReactNode, useState } from 'react'
import type { UploadDetails } from '../../../contract/staff/content/knowledge.ts'
import { t } from '../../../ui/language/translate.ts'
import { call } from '../../api.ts'
import { Conflict } from '../../managed/draft-editor.tsx'
import { useDraft } from '../../managed/use-draft.ts'
import { MarkdownPreview } from '../../parts/markdown-preview.tsx'
import { ActionButton, Field, Form, Submit } from '../../parts/parts.tsx'
import { useForm } from '../../use-call.ts'
import { type DocumentFacts, FactFields, factMistakes } from './document-facts.tsx'

interface FormProps {
  document: UploadDetails
}

const storedText = ({ text, revision }: UploadDetails) => ({ content: text ?? '', revision, by: null, problems: [] })

export function TextForm({ document }: FormProps): ReactNode {
  const { id, name } = document
  const draft = useDraft<string>({
    stored: storedText(document),
    write(text, base) {
      const query = new URLSearchParams({ base: String(base), name })
      return call('POST', `knowledge/uploads/${id}/versions?${query.toString()}`, new Blob([text]))
    },
    read: async () => storedText(await call<UploadDetails>('GET', `knowledge/uploads/${id}`)),
  })
  const { content, theirs, isChanged, isBusy } = draft
  const isMarkdown = name.toLowerCase().endsWith('.md')
  return (
    <Form onSubmit={() => draft.save()} name={t('Edit the text')}>
      <h2>{t('Text')}</h2>
      <Field label={isMarkdown ? t('Markdown') : t('Text of the document')}>
        {(ids) => <textarea {...ids} dir="auto" rows={14} value={content} onChange={({ target }) => draft.setContent(target.value)} />}
      </Field>
      <Conflict draft={draft} textOf={(text) => text} />
      {isMarkdown && (
        <details>
          <summary>{t('Preview')}</summary>
          <MarkdownPreview text={content} />
        </details>
      )}
      <Submit
        text={theirs ? t('Replace theirs') : t('Save as a new version')}
        isDisabled={isBusy || (!isChanged && !theirs) || content.trim() === ''}
        done={draft.isSaved && t('Saved. It’s used in answers within a second.')}
        error={draft.error}
      />
    </Form>
  )
}

const storedFacts = ({ owner, title, language, validUntil, revision }: UploadDetails) => ({
  content: { owner, title: title ?? '', language: language ?? '', validUntil: validUntil ?? '' },
  revision,
  by: null,
  problems: [],
})
const trimmed = (facts: DocumentFacts) => ({
  ...facts,
  owner: facts.owner.trim(),
  title: facts.title.trim(),
  language: facts.language.trim(),
})
const textOfFacts = ({ owner, title, language, validUntil }: DocumentFacts) =>
  [`${t('Owner')}: ${owner}`, `${t('Title')}: ${title}`, `${t('Language')}: ${language}`, `${t('Valid until')}: ${validUntil}`].join('\n')

/** Publishes a document that a script has pushed as a draft. */
export function PublishForm({ document: { id, revision, owner, title, language, validUntil } }: FormProps): ReactNode {
  const facts = { base: revision, owner, title, language, validUntil }
  return <ActionButton act={() => call('POST', `knowledge/uploads/${id}`, facts)}>{t('Publish')}</ActionButton>
}

export function FactsForm({ document }: FormProps): ReactNode {
  const path = `knowledge/uploads/${document.id}`
  const draft = useDraft<DocumentFacts>({
    stored: storedFacts(document),
    isSame: (one, other) => textOfFacts(trimmed(one)) === textOfFacts(trimmed(other)),
    write: (facts, base) => call('POST', path, { ...trimmed(facts), base, isDraft: document.isDraft }),
    read: async () => storedFacts(await call<UploadDetails>('GET', path)),
  })
  const { content: facts, theirs, isBusy } = draft
  const { submit, mistakes } = useForm(factMistakes(facts), async () => draft.save())
  return (
    <Form onSubmit={submit} name={t('About the document')}>
      <h2>{t('About the document')}</h2>
      <FactFields facts={facts} mistakes={mistakes} change={(part) => draft.setContent({ ...facts, ...part })} />
      <Conflict draft={draft} textOf={textOfFacts} />
      <Submit text={theirs ? t('Replace theirs') : t('Save')} isDisabled={isBusy} done={draft.isSaved && t('Saved.')} error={draft.error} />
    </Form>
  )
}

export function ReplaceForm({ document: { id, name, revision } }: FormProps): ReactNode {
  const [file, setFile] = useState<File | null>(null)
  const [done, setDone] = useState('')
  const { submit, isBusy, error, mistakes } = useForm({ file: !file && t('Choose a file.') }, async () => {
    if (!file) return
    setDone('')
    const query = new URLSearchParams({ base: String(revision), name: file.name })
    await call('POST', `knowledge/uploads/${id}/versions?${query.toString()}`, file)
    setFile(null)
    setDone(t('Replaced. The new version is used in answers within a second.'))
  })
  return (
    <Form onSubmit={submit} name={t('Replace the document')}>
      <h2>{t('Replace')}</h2>
      <Field label={t('New file')} hint={t('It keeps the name {name}, so it needs the same ending.', { name })} error={mistakes.file}>
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
      <Submit text={t('Replace')} isDisabled={isBusy} done={done} error={error} />
    </Form>
  )
}
