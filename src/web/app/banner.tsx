import { type ReactNode, useEffect } from 'react'
import type { PublicConfiguration } from '../../contract/config.ts'
import { fetchConfiguration } from '../api/calls.ts'
import { recallConsent } from '../features/privacy/consent.ts'
import { preferredLanguage } from '../language/language.ts'
import { useConfiguration } from '../state/configuration.ts'

const READ_AGAIN_MS = 5 * 60 * 1000

/** Asks for consent again if the notice has changed meanwhile. */
function takeOver({ banner, privacy }: PublicConfiguration): void {
  const before = useConfiguration.getState()?.privacy.noticeVersion
  useConfiguration.setState({ banner, privacy })
  if (before !== privacy.noticeVersion) recallConsent(privacy.noticeVersion)
}

/** What staff tell every visitor, read again every five minutes and when the page is looked at again. */
export function Banner(): ReactNode {
  const text = useConfiguration((configuration) => configuration?.banner?.text)
  useEffect(() => {
    let readAt = Date.now()
    const read = () => {
      if (document.hidden) return
      readAt = Date.now()
      fetchConfiguration(preferredLanguage())
        .then((outcome) => {
          if (outcome.ok) takeOver(outcome.value)
          return outcome
        })
        .catch(console.error)
    }
    const onReturn = () => {
      if (Date.now() - readAt >= READ_AGAIN_MS) read()
    }
    const timer = setInterval(read, READ_AGAIN_MS)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [])
  // A live region must exist before its first text, or that is not announced.
  return (
    <p className="banner" role="status" dir="auto">
      {text}
    </p>
  )
}
