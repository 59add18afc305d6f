import { defineMessage, type MessageText } from '../ui/language/translate.ts'
import { t } from '../ui/language/translate.ts'

const STATE_NAMES: Readonly<Record<string, MessageText>> = {
  answered: defineMessage('Answered with sources'),
  answered_without_source: defineMessage('Answered without a source'),
  clarified: defineMessage('Asked back'),
  not_covered: defineMessage('Not covered'),
  out_of_scope: defineMessage('Out of scope'),
  referred: defineMessage('Referred'),
  blocked_input: defineMessage('Blocked prompt'),
  blocked_output: defineMessage('Blocked answer'),
  suspended: defineMessage('Stopped by staff'),
  failed: defineMessage('Failed'),
  stopped: defineMessage('Stopped by the visitor'),
  interrupted: defineMessage('Interrupted'),
}

export const stateName = (state: string): string => (STATE_NAMES[state] ? t(STATE_NAMES[state]) : state)
