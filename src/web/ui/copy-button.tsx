import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { notify } from './notification.tsx'

const CONFIRMED_FOR_MS = 2_000

/** Copies what `text` gives at the click, and says so for two seconds. */
export function CopyButton({ text, label }: { text: () => string; label: string }): ReactNode {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // Without https there is no clipboard at all; async turns that into a refusal like any other.
  const write = async () => navigator.clipboard.writeText(text())
  const copy = () => {
    write().then(
      () => setCopied(true),
      () => notify({ message: 'The browser did not allow copying.', type: 'error' }),
    )
  }
  return (
    <Button icon={copied ? 'check' : 'copy'} className="small" aria-label={label} onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </Button>
  )
}
