import { type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from './language/translate.ts'
import { Button } from './button.tsx'
import { notify } from './notification.tsx'

const CONFIRMED_FOR_MS = 2_000

/** Copies the result of `text` and confirms it for two seconds. */
export function CopyButton({ text, label }: { text: () => string | Promise<string>; label: string }): ReactNode {
  const t = useTranslate()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // Without https there is no clipboard; in an async function that becomes a rejection.
  const write = async () => navigator.clipboard.writeText(await text())
  const copy = () => {
    write().then(
      () => setCopied(true),
      () => notify({ message: t('Your browser blocked copying.'), type: 'error' }),
    )
  }
  return (
    <Button icon={copied ? 'check' : 'copy'} className="small" aria-label={label} onClick={copy}>
      <span aria-live="polite">{copied ? t('Copied') : t('Copy')}</span>
    </Button>
  )
}
