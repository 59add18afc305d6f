import { type ReactNode, useState } from 'react'
import type { KnowledgeView, UploadDetails } from '../../../contract/staff/content/knowledge.ts'
import { t } from '../../../ui/language/translate.ts'
import { call, messageOf } from '../../api.ts'
import { sizeOf } from '../../format.ts'
import { Field, SmallButton } from '../../parts/parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useStaff } from '../../staff-context.ts'
import { useAction } from '../../use-call.ts'
import { NO_FACTS, uploadQuery } from './document-facts.tsx'

const ACCEPTED = '.md,.markdown,.mdx,.txt,.html,.htm,.xhtml,.csv,.tsv,.pdf,.docx,.pptx,.xlsx,.odt,.ods,.odp,.rtf,.epub'
const MAX_FILES = 50

interface Chosen {
  file: File
  outcome: { kind: 'sending' } | { kind: 'stored'; id: string } | { kind: 'failed'; message: string }
}

/** Uploads files as they are chosen with the button or dropped on the form. Who uploads them is their owner. */
export function UploadForm({ view }: { view: KnowledgeView }): ReactNode {
  const { session } = useStaff()
  const { run } = useAction()
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [isOver, setOver] = useState(false)
  const { bytes: maxBytes } = view.uploadLimits
  const send = async (files: readonly File[]) => {
    setChosen(files.map((file) => ({ file, outcome: { kind: 'sending' } })))
    for (const file of files) {
      const outcome = await upload(file)
      setChosen((now) => now.map((one) => (one.file === file ? { file, outcome } : one)))
    }
  }
  const upload = async (file: File): Promise<Chosen['outcome']> => {
    const mistake = mistakeOf(file, maxBytes)
    if (mistake) return { kind: 'failed', message: mistake }
    try {
      const query = uploadQuery(file.name, { ...NO_FACTS, owner: session.name })
      const { id } = await confirmed(() => call<UploadDetails>('POST', `knowledge/uploads?${query}`, file))
      return { kind: 'stored', id }
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) }
    }
  }
  const add = (files: FileList | null) => {
    const added = [...(files ?? [])].slice(0, MAX_FILES)
    run(() => send(added))
  }
  return (
    // The button does the same as dropping.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={isOver ? 'upload over' : 'upload'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        add(event.dataTransfer.files)
      }}
    >
      <Field
        label={t('Add documents')}
        hint={t('Markdown, text, HTML, CSV, PDF or Office, up to {size} each. You can also drop them here.', { size: sizeOf(maxBytes) })}
      >
        {(ids) => (
          <input
            {...ids}
            type="file"
            multiple
            accept={ACCEPTED}
            disabled={chosen.some(({ outcome }) => outcome.kind === 'sending')}
            onChange={({ target }) => {
              add(target.files)
              target.value = ''
            }}
          />
        )}
      </Field>
      <ul className="chosen" aria-live="polite" aria-label={t('Chosen files')} hidden={chosen.length === 0}>
        {chosen.map(({ file, outcome }) => (
          <li key={`${file.name} ${file.lastModified} ${file.size}`}>
            <bdi>{file.name}</bdi>
            {t(', ')}
            {sizeOf(file.size)} <Outcome outcome={outcome} documents={view.documents} />
          </li>
        ))}
      </ul>
    </form>
  )
}

function Outcome({ outcome, documents }: { outcome: Chosen['outcome']; documents: KnowledgeView['documents'] }): ReactNode {
  const { ask } = useStaff()
  if (outcome.kind === 'failed') return <span className="error">{outcome.message}</span>
  if (outcome.kind === 'sending') return <progress aria-label={t('Uploading')} />
  const state = documents.find(({ upload }) => upload?.id === outcome.id)?.state
  if (state !== 'answers') return <span className="muted">{t('Being indexed')}</span>
  return (
    <>
      <span className="good">{t('In use')}</span>
      <SmallButton onClick={() => ask()}>{t('Ask about it')}</SmallButton>
    </>
  )
}

function mistakeOf({ name, size }: File, maxBytes: number): string | null {
  const isAccepted = ACCEPTED.split(',').some((ending) => name.toLowerCase().endsWith(ending))
  if (!isAccepted) return t('Files of this type can’t be read.')
  if (size === 0) return t('The file is empty.')
  return size > maxBytes ? t('The file is larger than {size}.', { size: sizeOf(maxBytes) }) : null
}
