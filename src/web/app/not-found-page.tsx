import { type ReactNode, useEffect } from 'react'
import { useTranslate } from '../language/translate.ts'
import { useConfiguration } from '../state/configuration.ts'
import { chatAddress } from './location.ts'
import { Wordmark } from './wordmark.tsx'

/** Shown for unknown addresses. */
export function NotFoundPage(): ReactNode {
  const t = useTranslate()
  const name = useConfiguration()?.name ?? 'Parley'
  const notFound = t('Page not found')
  useEffect(() => {
    document.title = `${notFound} · ${name}`
  }, [notFound, name])
  return (
    <main className="page-note">
      <Wordmark name={name} />
      <h1>{notFound}</h1>
      <p>{t('There’s no page at this address.')}</p>
      <a className="button solid" href={chatAddress()}>
        {t('Go to the chat')}
      </a>
    </main>
  )
}
