import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, request } from '../../api.ts'
import { Back, Fact, Loaded, Show, SmallButton, Time } from '../../parts/parts.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import { t } from '../../../ui/language/translate.ts'
import type { UploadDetails } from '../../../contract/staff/content/knowledge.ts'
import { Versions } from '../../managed/versions.tsx'
import { useStaff } from '../../staff-context.ts'
import { FactsForm, PublishForm, ReplaceForm, TextForm } from './document-forms.tsx'
import { dayOf, joined, sizeOf } from '../../format.ts'

/** Differences to an earlier version of a text document, loaded on demand. */
function VersionChanges({ id, number, text }: { id: string; number: number; text: string }): ReactNode {
  const [isOpened, setOpened] = useState(false)
  const path = `knowledge/uploads/${id}/versions/${number}/content`
  const query = useQuery({ queryKey: [path], queryFn: async () => (await request(path)).text(), enabled: isOpened })
  return (
    <details onToggle={({ newState }) => newState === 'open' && setOpened(true)}>
      <summary>{t('What changed since version {number}', { number })}</summary>
      {isOpened && <Show query={query}>{(before) => <TextDiff before={before} after={text} />}</Show>}
    </details>
  )
}

export function DocumentScreen({ id }: { id: string }): ReactNode {
  const { ask, may } = useStaff()
  const canChange = may('change-knowledge')
  return (
    <>
      <Back to="#/knowledge">{t('All documents')}</Back>
      <Loaded<UploadDetails> path={`knowledge/uploads/${encodeURIComponent(id)}`}>
        {(document) => (
          <>
            <h2 dir="auto">{document.name}</h2>
            <p>
              <SmallButton onClick={() => ask()}>{t('Ask about it')}</SmallButton>
            </p>
            <Facts document={document} />
            {canChange && (
              <>
                {document.isDraft && <PublishForm document={document} />}
                {document.text !== null && <TextForm document={document} />}
                <FactsForm document={document} />
                <ReplaceForm document={document} />
              </>
            )}
            <History document={document} canChange={canChange} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Facts({ document }: { document: UploadDetails }): ReactNode {
  const { file, title, owner, language, validUntil, isExpired, isDraft, bytes, asOf, changedAt, version } = document
  const state = isExpired ? t('Expired: no longer used in answers') : t('In use')
  return (
    <dl>
      <Fact name={t('Owner')}>{owner}</Fact>
      <Fact name={t('Title')}>{title ?? t('The document’s own')}</Fact>
      <Fact name={t('Named as')}>{file}</Fact>
      {language !== null && <Fact name={t('Language')}>{language}</Fact>}
      <Fact name={t('Valid until')}>{validUntil ? dayOf(validUntil) : t('No end')}</Fact>
      <Fact name={t('State')}>{isDraft ? t('Draft: not used in answers') : state}</Fact>
      <Fact name={t('Version')}>{t('{version}, {size}, as of {day}', { version, size: sizeOf(bytes), day: dayOf(asOf) })}</Fact>
      <Fact name={t('Changed')}>
        <Time at={changedAt} />
      </Fact>
    </dl>
  )
}

function History({ document, canChange }: { document: UploadDetails; canChange: boolean }): ReactNode {
  const { id, name: title, revision, version: published, versions, text } = document
  const path = `knowledge/uploads/${id}`
  const words = {
    delete: t('Delete the document'),
    deleteQuestion: t('Delete “{name}”?', { name: title }),
    deleteEffect: t('It is no longer used in answers, and its versions can’t be restored.'),
    rollBackEffect: t('It becomes the newest version. The others stay.'),
  }
  const calls = {
    rollBack: (version: number) => call('POST', `${path}/restoration`, { base: revision, version }),
    delete: () => call('DELETE', `${path}?base=${revision}`),
  }
  return (
    <Versions list="#/knowledge" {...{ calls, versions, published, canChange, words }}>
      {({ number, name, bytes, characters, since }) => (
        <>
          <p dir="auto">
            {joined(name, sizeOf(bytes), t.plural(characters, '{count} character of text', '{count} characters of text'))}
            {t(', ')}
            <Time at={since} />
          </p>
          <p>
            <a href={`/api/staff/v1/${path}/versions/${number}/content`} download={name}>
              {t('Download version {number}', { number })}
            </a>
          </p>
          {text !== null && number !== published && isText(name) && <VersionChanges id={id} number={number} text={text} />}
        </>
      )}
    </Versions>
  )
}

/** Whether a version can be read as text, as that which answers can. */
const isText = (name: string) => /\.(md|txt)$/i.test(name)
