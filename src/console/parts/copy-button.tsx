import { type ReactNode, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { SmallButton } from './parts.tsx'

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
      <SmallButton icon="copy" onClick={copy}>
        {label}
      </SmallButton>
    </p>
  )
}

/** A secret that is shown once, with what it is for; announced when it appears. */
export function ShownOnce({ text = '', label, children }: { text?: string | undefined; label: string; children: ReactNode }): ReactNode {
  return (
    <div aria-live="polite">
      {text && (
        <div className="invitation">
          <p>{children}</p>
          <code>{text}</code>
          <CopyButton text={text} label={label} />
        </div>
      )}
    </div>
  )
}
