import type { ReactNode } from 'react'
import { failureSentence } from '../../api/failure.ts'
import { t } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../../ui/button.tsx'
import type { HistoryListProps } from './history-list-props.ts'
import { loadSessions, useListFailure } from './load-sessions.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

/** Loaded with the first chat, since a first visit has none. */
const HistoryList = lazyPart(() => import('./history-list.tsx'), ListFailed)

export function History(props: HistoryListProps): ReactNode {
  const isEmpty = useApplication((state) => state.chatSessions.length === 0)
  const isFetching = useApplication((state) => state.isFetchingChatSession && state.acceptsPrivacyPolicy)
  const failure = useListFailure((state) => state.code)
  if (isEmpty && failure) return <ListFailed />
  if (isEmpty) return <p className="muted history-note">{isFetching ? t('Loading your chats…') : t('Your chats will appear here.')}</p>
  return <HistoryList {...props} />
}

function ListFailed(): ReactNode {
  const failure = useListFailure((state) => state.code)
  return (
    <div className="history-note">
      <p>
        {t('Couldn’t load your chats.')} {failureSentence(failure ?? 'network')}
      </p>
      <Button variant="outline" className="small" icon="retry" onClick={loadSessions}>
        {t('Reload')}
      </Button>
    </div>
  )
}
