import { type ReactNode, useEffect } from 'react'
import { fetchConfiguration } from '../api/calls.ts'
import { preferredLanguage } from '../language/language.ts'
import { useConfiguration } from '../state/configuration.ts'

const READ_AGAIN_MS = 5 * 60 * 1000

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
          if (outcome.ok) useConfiguration.setState({ banner: outcome.value.banner })
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
