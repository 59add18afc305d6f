import type { ReactNode } from 'react'
import { Section } from '../parts/parts.tsx'
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
    <Section name={t('File {file}', { file })} className="agents">
      <p className="muted">{note}</p>
      {children}
      {problems}
      {text !== undefined && <pre dir="auto">{text}</pre>}
    </Section>
  )
}
