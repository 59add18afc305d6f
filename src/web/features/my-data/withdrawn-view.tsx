import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../ui/button.tsx'

/** Shown after consent was withdrawn. Offers to delete all data. */
export function WithdrawnView({ onKeep }: { onKeep(): void }): ReactNode {
  const t = useTranslate()
  return (
    <>
      <p>{t('This page no longer stores anything in this browser, and you can’t send messages.')}</p>
      <p>
        {t(
          'Your earlier chats are still on the server, and this browser still has the key to them. They’re deleted automatically when they expire. You can delete everything now.',
        )}
      </p>
      <div className="choices">
        <Button variant="outline" onClick={onKeep}>
          {t('Keep my chats')}
        </Button>
        <Button variant="outline" onClick={() => showMyData({ kind: 'erase', scope: { kind: 'everything' } })}>
          {t('Delete everything')}
        </Button>
      </div>
    </>
  )
}
