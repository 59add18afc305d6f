import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { Icon } from '../../ui/icon.tsx'

/** Downloads one chat as readable Markdown, or without a `session` everything as a ZIP. The browser does the rest: no copy is held by the page. */
export function ExportLink({ session }: { session?: string | undefined }): ReactNode {
  const t = useTranslate()
  const address = session ? `/api/v1/sessions/${encodeURIComponent(session)}/export` : '/api/v1/me/export'
  return (
    <a className="button outline" href={address} download>
      <Icon name="down" />
      {session ? t('Download this chat') : t('Download everything')}
    </a>
  )
}
