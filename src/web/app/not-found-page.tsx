import { type ReactNode, useEffect } from 'react'
import { useConfiguration } from '../state/configuration.ts'
import { chatAddress } from './location.ts'
import { Wordmark } from './wordmark.tsx'

/** What any unknown address shows. */
export function NotFoundPage(): ReactNode {
  const name = useConfiguration()?.name ?? 'Parley'
  useEffect(() => {
    document.title = `Not found · ${name}`
  }, [name])
  return (
    <main className="page-note">
      <Wordmark name={name} />
      <h1>Nothing is said here</h1>
      <p>There is no page at this address. The chat is one step away.</p>
      <a className="button solid" href={chatAddress()}>
        Go to the chat
      </a>
    </main>
  )
}
