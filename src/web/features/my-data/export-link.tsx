import type { ReactNode } from 'react'
import { t } from '../../../ui/language/translate.ts'
import { Icon } from '../../../ui/icon.tsx'

/** Downloads one chat as Markdown or, without `session`, everything as a ZIP. The browser saves the stream directly. */
export function ExportLink({ session }: { session?: string | undefined }): ReactNode {
  const address = session ? `/api/v1/sessions/${encodeURIComponent(session)}/export` : '/api/v1/me/export'
  return (
    <a className="button outline" href={address} download>
      <Icon name="down" />
      {session ? t('Download chat') : t('Download everything')}
    </a>
  )
}
