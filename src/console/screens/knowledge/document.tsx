import { type ReactNode, useState } from 'react'
import type { UploadDetails } from '../../../contract/staff/knowledge.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call } from '../../api.ts'
import { Confirm, Show, Time } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useStaff } from '../../staff-context.ts'
import { useAction, useLoaded } from '../../use-call.ts'
import { FactsForm, ReplaceForm, TextForm } from './document-forms.tsx'
import { sizeOf } from './size.ts'
import { VersionChanges } from './version-changes.tsx'
import { dayOf, joined } from '../../format.ts'

/** One uploaded document, with its versions. */
export function DocumentScreen({ id }: { id: string }): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<UploadDetails>(`knowledge/uploads/${encodeURIComponent(id)}`)
  const canChange = hasRight(session.role, 'change-knowledge')
  return (
    <>
      <p>
        <a href="#/knowledge">{t('All documents')}</a>
      </p>
      <Show loaded={loaded} reload={reload}>
        {(document) => (
          <>
            <h2 dir="auto">{document.name}</h2>
            <Facts document={document} />
            {canChange && (
              <>
                {document.text !== null && <TextForm document={document} text={document.text} onSaved={reload} />}
                <FactsForm document={document} onSaved={reload} />
                <ReplaceForm document={document} onSaved={reload} />
              </>
            )}
            <Versions document={document} canChange={canChange} onChanged={reload} />
            {canChange && <Delete document={document} />}
          </>
        )}
      </Show>
    </>
  )
}

function Facts({ document }: { document: UploadDetails }): ReactNode {
  const { file, title, owner, language, validUntil, isExpired, bytes, asOf, changedAt, version } = document
  return (
    <dl>
      <Fact name={t('Owner')}>{owner}</Fact>
      <Fact name={t('Title')}>{title ?? t('The document’s own')}</Fact>
      <Fact name={t('Named as')}>{file}</Fact>
      {language !== null && <Fact name={t('Language')}>{language}</Fact>}
      <Fact name={t('Valid until')}>{validUntil ? dayOf(validUntil) : t('No end')}</Fact>
      <Fact name={t('State')}>{isExpired ? t('Expired: no longer used in answers') : t('In use')}</Fact>
      <Fact name={t('Version')}>{t('{version}, {size}, as of {day}', { version, size: sizeOf(bytes), day: dayOf(asOf) })}</Fact>
      <Fact name={t('Changed')}>
        <Time at={changedAt} />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

interface VersionsProps {
  document: UploadDetails
  canChange: boolean
  onChanged(): Promise<void>
}

function Versions({ document, canChange, onChanged }: VersionsProps): ReactNode {
  const [asked, setAsked] = useState<number | null>(null)
  const { run, isBusy, error } = useAction()
  const { id, revision, version, versions, text } = document
  const restore = (number: number) =>
    run(async () => {
      await confirmed(() => call('POST', `knowledge/uploads/${id}/restoration`, { base: revision, version: number }))
      setAsked(null)
      await onChanged()
    })
  return (
    <section aria-labelledby="versions" className="figures">
      <h2 id="versions">{t('Versions')}</h2>
      <ul className="cards">
        {versions.map(({ number, name, bytes, characters, since }) => (
          <li key={number}>
            <h3>{number === version ? t('Version {number} (answers)', { number }) : t('Version {number}', { number })}</h3>
            <p dir="auto">
              {joined(name, sizeOf(bytes), t.plural(characters, '{count} character of text', '{count} characters of text'))}
              {t(', ')}
              <Time at={since} />
            </p>
            <div className="actions">
              <a href={`/api/staff/v1/knowledge/uploads/${id}/versions/${number}/content`} download={name}>
                {t('Download version {number}', { number })}
              </a>
              {canChange && number !== version && (
                <Button
                  variant="outline"
                  className="small"
                  onClick={() => setAsked(number)}
                  aria-label={t('Restore version {number}', { number })}
                >
                  {t('Restore')}
                </Button>
              )}
            </div>
            {text !== null && number !== version && isText(name) && <VersionChanges id={id} number={number} text={text} />}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <Confirm
          question={t('Restore version {number}?', { number: asked })}
          explanation={t('It answers again, as the newest version. The others stay.')}
          action={t('Restore')}
          isBusy={isBusy}
          error={error}
          onConfirm={() => restore(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}

/** Whether a version can be read as text, as that which answers can. */
const isText = (name: string) => /\.(md|txt)$/i.test(name)

function Delete({ document: { id, name, revision } }: { document: UploadDetails }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const remove = () =>
    run(async () => {
      await confirmed(() => call('DELETE', `knowledge/uploads/${id}?base=${revision}`))
      location.hash = '#/knowledge'
    })
  return (
    <div>
      <Button variant="outline" onClick={() => setAsking(true)}>
        {t('Delete the document')}
      </Button>
      {isAsking && (
        <Confirm
          question={t('Delete “{name}”?', { name })}
          explanation={t('It is no longer used in answers, and its versions can’t be restored.')}
          action={t('Delete')}
          isBusy={isBusy}
          error={error}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
