import { type ReactNode, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'

export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const [result, setResult] = useState('')
  const copy = () => {
    // Browsers have no clipboard without https, except on this machine.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => setResult(t('Copied.')),
        () => setResult(t('The browser blocked copying. Select the link, and copy it.')),
      )
  }
  return (
    <p className="actions">
      <span role="status">{result}</span>
      <Button variant="outline" className="small" icon="copy" onClick={copy}>
        {label}
      </Button>
    </p>
  )
}
