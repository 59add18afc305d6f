import type { ReactNode } from 'react'
import { t } from '../../../ui/language/translate.ts'
import { Icon } from '../../../ui/icon.tsx'

/** Downloads everything as a ZIP. The browser saves the stream directly. */
export function ExportLink(): ReactNode {
  return (
    <a className="button outline" href="/api/v1/me/export" download>
      <Icon name="down" />
      {t('Download everything')}
    </a>
  )
}
