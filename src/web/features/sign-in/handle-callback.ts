import { failureSentence } from '../../api/failure.ts'
import { t } from '../../../ui/language/translate.ts'
import type { NotificationOptions } from '../../../ui/notification-rules.ts'
import { takeReturnAddress } from './return-address.ts'
import { oidcProvider } from './oidc-provider.ts'
import type { Completion } from './sign-in-provider.ts'

/**
 * Completes a sign-in from the callback address, returns to the previous page and reports the outcome by `notify`.
 * `accepts`: whether the visitor has accepted the privacy notice, without which nothing is sent.
 */
export async function handleCallback(accepts: boolean, notify: (options: NotificationOptions) => void): Promise<void> {
  const answer = new URLSearchParams(location.hash.split('?')[1])
  // Keeps the code out of the browser history.
  history.replaceState(null, '', takeReturnAddress())
  const completion: Completion = accepts ? await oidcProvider.complete(answer) : { kind: 'rejected', code: 'consent_required' }
  notify(noticeOf(completion))
}

function noticeOf(completion: Completion): NotificationOptions {
  if (completion.kind === 'signed-in')
    return { type: 'success', message: t('You’re signed in. You can see your chats on every device you sign in on.') }
  if (completion.kind === 'declined')
    return { message: t('You didn’t sign in. Nothing changed. You can continue without signing in.'), timeout: 0 }
  return { type: 'error', message: failureSentence(completion.code), timeout: 0 }
}
