import { useEffect, useState } from 'react'
import type { Outcome } from '../api/request.ts'

/** The reply to a call that is made again by `again` and with another `language`; undefined until the first arrives. */
export function useReply<T>(call: (language: string) => Promise<Outcome<T>>, language = '') {
  const [reply, setReply] = useState<Outcome<T>>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    call(language)
      .then((outcome) => isCurrent && setReply(outcome))
      .catch(console.error)
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a call stays the same
  }, [attempt, language])
  return { reply, again: () => setAttempt((before) => before + 1) }
}
