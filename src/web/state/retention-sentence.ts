import type { PublicConfiguration } from '../../contract/config.ts'
import { endsWithVisit } from '../api/embedded.ts'
import { t } from '../../ui/language/translate.ts'

/** When a chat of this page is deleted; 0 days mean one hour. */
export function retentionSentence({ retentionDays, frameChats }: PublicConfiguration['privacy']): string {
  if (endsWithVisit(frameChats)) return t('Your chats end when you close the browser, and are deleted 2 hours after their last use.')
  if (retentionDays === 0) return t('No account needed. A chat is deleted 1 hour after its last message.')
  return t.plural(
    retentionDays,
    'No account needed. A chat is deleted {count} day after its last message.',
    'No account needed. A chat is deleted {count} days after its last message.',
  )
}
