import { type ReactNode, useState } from 'react'
import type { UploadDetails } from '../../../contract/staff/content/knowledge.ts'
import { t } from '../../../ui/language/translate.ts'
import { call, Rejected } from '../../api.ts'
import { MarkdownPreview } from '../../parts/markdown-preview.tsx'
import { Back, Details, Field, Form, Submit, TextField } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useForm } from '../../use-call.ts'
import { type DocumentFacts, FactFields, factMistakes, NO_FACTS, uploadQuery } from './document-facts.tsx'
import { documentAddress } from '../addresses.ts'
import { fileNameOf, hasContent, headingOf } from './typed-document.ts'
import { joined } from '../../format.ts'

interface NewDocumentProps {
  words: readonly string[]
  /** Languages of the topic, separated by commas. */
  languages: string
  /** A question that it answers. */
  question?: string
}

/** The form for a Markdown document that is typed instead of uploaded. */
export function NewDocument({ words, languages, question = headingOf(words) }: NewDocumentProps): ReactNode {
  const { session, may } = useStaff()
  const [text, setText] = useState(question === '' ? '' : `# ${question}\n\n`)
  // Follows the first heading until somebody types another one.
  const [typedName, setTypedName] = useState<string | null>(null)
  const [facts, setFacts] = useState<DocumentFacts>({
    ...NO_FACTS,
    owner: session.name,
    language: languages.includes(',') ? '' : languages,
  })
  const [taken, setTaken] = useState<{ name: string; message: string } | null>(null)
  const name = (typedName ?? fileNameOf(text)).trim()
  const found = {
    ...factMistakes(facts),
    text: !hasContent(text) && t('Write something below a heading.'),
    name: !/.\.md$/i.test(name) && t('Enter a name that ends in .md.'),
  }
  const { submit, isBusy, error, mistakes } = useForm(found, async () => {
    try {
      const stored = await call<UploadDetails>('POST', `knowledge/uploads?${uploadQuery(name, facts)}`, new Blob([text]))
      location.hash = documentAddress(stored.id)
    } catch (cause) {
      if (!(cause instanceof Rejected) || cause.code !== 'document_exists') throw cause
      setTaken({ name, message: cause.message })
    }
  })
  const nameMistake = taken?.name === name ? taken.message : mistakes.name
  if (!may('change-knowledge')) return <p className="notice">{t('Your role does not allow this. Ask an owner.')}</p>
  return (
    <>
      <Back to="#/knowledge">{t('All documents')}</Back>
      <Form onSubmit={submit} name={t('New document')} className="wide">
        <h2>{t('New document')}</h2>
        {words.length > 0 && (
          <p className="notice">
            {t.with('Visitors of the topic wrote: {words}. Keep their words in the heading, which counts most in the search.', {
              words: <bdi>{joined(...words)}</bdi>,
            })}
          </p>
        )}
        <Field label={t('Markdown')} hint={t('What visitors should read, with a heading for each subject.')} error={mistakes.text}>
          {(ids) => <textarea {...ids} dir="auto" rows={14} value={text} onChange={({ target }) => setText(target.value)} />}
        </Field>
        <details>
          <summary>{t('Preview')}</summary>
          <MarkdownPreview text={text} />
        </details>
        <Details isNeeded={Boolean(nameMistake || mistakes.owner || mistakes.language)}>
          <TextField
            label={t('Name')}
            hint={t('The file’s name, which answers and stops show. It can’t be changed later.')}
            error={nameMistake}
            dir="auto"
            autoComplete="off"
            value={typedName ?? fileNameOf(text)}
            onChange={setTypedName}
          />
          <FactFields facts={facts} mistakes={mistakes} change={(part) => setFacts((now) => ({ ...now, ...part }))} />
        </Details>
        <p className="muted">{t('It’s used in answers within a second after you have saved it.')}</p>
        <Submit isDisabled={isBusy} error={error} text={t('Save')} />
      </Form>
    </>
  )
}
