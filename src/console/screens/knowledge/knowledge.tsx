import type { ReactNode } from 'react'
import type { KnowledgeDocument, KnowledgeView } from '../../../contract/staff/content/knowledge.ts'
import { type Columns, DataTable } from '../../parts/data-table.tsx'
import { Loaded } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useHashParts } from '../../use-hash.ts'
import { DocumentScreen } from './document.tsx'
import { documentAddress } from '../addresses.ts'
import { NewDocument } from './new-document.tsx'
import { UploadForm } from './upload-form.tsx'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { dayOf, joined, linesIn, sizeOf } from '../../format.ts'

const STATES = {
  answers: defineMessage('In use'),
  indexing: defineMessage('Being indexed'),
  expired: defineMessage('Expired'),
  draft: defineMessage('Draft'),
  'left-out': defineMessage('Left out'),
} as const
/** Problems of websites stand on their own screen. */
const isOfFolder = (problem: string) => !problem.startsWith('source:')

export function Knowledge(): ReactNode {
  const [, part, first = '', second = ''] = useHashParts()
  if (part === 'document') return <DocumentScreen key={first} id={first} />
  if (part === 'new') return <NewDocument key={`${first}/${second}`} words={linesIn(first)} languages={second} />
  if (part === 'question') return <NewDocument key={first} words={[]} question={first} languages="" />
  return <AllKnowledge />
}

const isIndexing = ({ documents }: KnowledgeView) => documents.some(({ state }) => state === 'indexing')

function AllKnowledge(): ReactNode {
  const canChange = useStaff().may('change-knowledge')
  return (
    <>
      <p>{t('Documents of the server’s folder are changed there, not here.')}</p>
      <Loaded<KnowledgeView> path="knowledge" isChanging={isIndexing}>
        {(view) => (
          <>
            <ul className="problems">
              {view.problems.filter(isOfFolder).map((problem) => (
                <li key={problem}>
                  <bdi>{problem}</bdi>
                </li>
              ))}
            </ul>
            {canChange && (
              <>
                <UploadForm view={view} />
                <p className="links">
                  <a href="#/knowledge/new">{t('Write a document')}</a>
                  <a href="#/websites">{t('Add a website')}</a>
                </p>
              </>
            )}
            <Documents documents={view.documents} isComplete={view.isComplete} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Documents({ documents, isComplete }: Pick<KnowledgeView, 'documents' | 'isComplete'>): ReactNode {
  return (
    <section aria-label={t('Documents')} className="figures">
      <DataTable
        name={t('Documents')}
        className="documents"
        rows={documents}
        empty={<p className="notice">{t('There are no documents yet. Upload one, or put files into the folder.')}</p>}
        columns={COLUMNS}
        keyOf={({ file }) => file}
        filteredFrom={1}
        filterHint={t('Words of the name, the title, the source or a problem.')}
        isPartial={!isComplete}
      />
    </section>
  )
}

const nameOf = ({ file, upload }: KnowledgeDocument) => upload?.name ?? file

/** A website has its id for a name. */
function sourceName(source: string): string {
  if (source === 'folder') return t('folder')
  return source === 'uploads' ? t('uploads') : source
}

const COLUMNS: Columns<KnowledgeDocument> = {
  file: {
    name: defineMessage('Document'),
    value: (document) => [nameOf(document), document.title, document.language, document.upload?.owner, document.file].join(' '),
    show: (document) => <Name document={document} />,
  },
  source: { name: defineMessage('Source'), value: ({ source }) => sourceName(source) },
  state: { name: defineMessage('State'), value: ({ state }) => t(STATES[state]) },
  bytes: { name: defineMessage('Size'), value: ({ bytes }) => bytes, show: ({ bytes }) => (bytes === null ? '' : sizeOf(bytes)) },
  passages: { name: defineMessage('Passages'), value: ({ passages }) => passages },
  asOf: { name: defineMessage('As of'), value: ({ asOf }) => asOf, show: ({ asOf }) => asOf && dayOf(asOf) },
  problems: { name: defineMessage('Problems'), value: ({ problems }) => problems.join(' ') },
}

function Name({ document }: { document: KnowledgeDocument }): ReactNode {
  const { title, language, upload } = document
  const name = nameOf(document)
  return (
    <>
      {upload ? <a href={documentAddress(upload.id)}>{name}</a> : name}
      {title !== null && title !== name && (
        <span className="muted second" dir="auto">
          {joined(title, language)}
        </span>
      )}
    </>
  )
}
