import { endsWithVisit } from '../../../api/embedded.ts'
import { useApplication } from '../../../state/application-store.ts'
import { useConfiguration } from '../../../state/configuration.ts'

/** Whether choices about answers stay in this browser: not on shared computers, and not where chats end with the visit. */
export function useKeepsChoices(): boolean {
  const isShared = useApplication((state) => state.isSharedComputer)
  const frameChats = useConfiguration((configuration) => configuration?.privacy.frameChats)
  return !isShared && !endsWithVisit(frameChats)
}
