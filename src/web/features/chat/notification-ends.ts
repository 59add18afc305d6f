import { useApplication } from '../../state/application-store.ts'

/** For notifications about the open chat: ends when another one is opened. */
export function untilChatLeft(onEnd: () => void): () => void {
  const key = useApplication.getState().currentSession?.key
  return useApplication.subscribe(({ currentSession }) => {
    if (currentSession?.key !== key) onEnd()
  })
}

/** For notifications about a running answer. */
export function untilAnswered(onEnd: () => void): () => void {
  return useApplication.subscribe(({ isSendingChat }) => {
    if (!isSendingChat) onEnd()
  })
}
