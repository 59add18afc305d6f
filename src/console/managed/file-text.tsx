import type { ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'

interface FileTextProps {
  file: string
  /** Why it is only shown. */
  note: string
  text: string | undefined
  problems: ReactNode
  /** The way to a managed copy. */
  children: ReactNode
}

export function FileText({ file, note, text, problems, children }: FileTextProps): ReactNode {
  return (
    <section aria-labelledby="file" className="agents">
      <h2 id="file">{t('File {file}', { file })}</h2>
      <p className="muted">{note}</p>
      {children}
      {problems}
      {text !== undefined && <pre dir="auto">{text}</pre>}
    </section>
  )
}
