import type { ReactNode } from 'react'
import { failureSentence } from '../../api/failure.ts'
import { useSay } from '../../language/translate.ts'
import { Button } from '../../ui/button.tsx'

/** Stands in place of a chat that can't be shown. */
export default function Unavailable({ code, onNewChat }: { code: string; onNewChat(): void }): ReactNode {
  const say = useSay()
  const isGone = code === 'not_found' || code === 'invalid_id'
  return (
    <section className="welcome">
      <h2>{isGone ? say('This chat is not here') : say('This chat could not be opened')}</h2>
      <p>{isGone ? say('It may have been deleted, have expired, or belong to another browser.') : failureSentence(code)}</p>
      <Button look="solid" icon="plus" onClick={onNewChat}>
        {say('Start a new chat')}
      </Button>
    </section>
  )
}
