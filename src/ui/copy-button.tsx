import { type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from './language/translate.ts'
import { Button } from './button.tsx'
import { notify } from './notification.tsx'

const CONFIRMED_FOR_MS = 2_000

interface CopyButtonProps {
  text: () => string | Promise<string>
  /** The same as HTML, for pasting into rich text editors. */
  html?: () => Promise<string>
  label: string
}

/** Copies the result of `text` and confirms it for two seconds. */
export function CopyButton({ text, html, label }: CopyButtonProps): ReactNode {
  const t = useTranslate()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // Without https there is no clipboard; in an async function that becomes a rejection.
  const write = async () => (html ? writeBoth(text(), html()) : navigator.clipboard.writeText(await text()))
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

/** Passes promises, because browsers allow copying only briefly after a click. If the HTML fails, copies the text only. */
async function writeBoth(text: string | Promise<string>, html: Promise<string>): Promise<void> {
  const item = { 'text/plain': blobOf(text, 'text/plain'), 'text/html': blobOf(html, 'text/html') }
  await navigator.clipboard.write([new ClipboardItem(item)]).catch(async () => navigator.clipboard.writeText(await text))
}

const blobOf = async (content: string | Promise<string>, type: string): Promise<Blob> => new Blob([await content], { type })
