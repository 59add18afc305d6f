import type { ReactNode } from 'react'
import { failureSentence } from '../../../api/failure.ts'
import { t } from '../../../../ui/language/translate.ts'
import { Button } from '../../../../ui/button.tsx'

export default function Unavailable({ code, onNewChat }: { code: string; onNewChat(): void }): ReactNode {
  const isGone = code === 'not_found' || code === 'invalid_id'
  return (
    <section className="welcome">
      <h2>{isGone ? t('Chat not found') : t('Couldn’t open this chat')}</h2>
      <p>{isGone ? t('It may have been deleted, have expired or belong to another browser.') : failureSentence(code)}</p>
      <Button variant="solid" icon="plus" onClick={onNewChat}>
        {t('Start a new chat')}
      </Button>
    </section>
  )
}
