import { useEffect } from 'react'
import { useOnline } from '../../ui/use-online.ts'
import { request, useIsReached } from './request.ts'

/** Whether the browser says that it is offline and a request has failed since. The browser alone can be wrong, behind a VPN for example. */
export function useIsOffline(): boolean {
  const isOnline = useOnline()
  const isReached = useIsReached()
  useEffect(() => {
    if (!isOnline) request('/healthz').catch(console.error)
  }, [isOnline])
  return !isOnline && !isReached
}
