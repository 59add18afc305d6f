import type { ReactNode } from 'react'
import { useTranslate } from '../language/translate.ts'
import { CopyButton } from '../copy-button.tsx'
import { fileExtensionOf } from '../markdown/code-languages.ts'
import { saveFile } from '../save-file.ts'
import { Viewer } from './viewer.tsx'

interface CodeViewerProps {
  code: string
  /** Info string of the fence; may be empty. */
  language: string
  /** The code as it is shown. */
  children: ReactNode
  onClose(): void
}

/** Shows code, with its file. */
export default function CodeViewer({ code, language, children, onClose }: CodeViewerProps): ReactNode {
  const t = useTranslate()
  const name = `code.${fileExtensionOf(language)}`
  const save = () => saveFile(name, 'text/plain', code)
  return (
    <Viewer
      title={language || t('Code')}
      downloads={[{ label: t('Download'), name, save }]}
      actions={<CopyButton text={() => code} label={t('Copy code')} />}
      onClose={onClose}
    >
      <pre dir="ltr">
        <code>{children}</code>
      </pre>
    </Viewer>
  )
}
