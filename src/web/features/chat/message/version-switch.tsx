import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { t } from '../../../../ui/language/translate.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { useChatMode } from '../chat-mode.ts'
import type { ScrollControls } from './scroll-controls.ts'
import { showVersion } from '../chat-actions.ts'

type Side = 'before' | 'after'

/** The requested version, and the viewport position of the pressed switch, which the new one takes over. */
let expected: { message: string; side: Side; top: number } | null = null

/** Shows which version of a message is displayed, and switches to its neighbours. */
export function VersionSwitch({ message, scroll }: { message: ChatMessage; scroll: ScrollControls }): ReactNode {
  const { isSending } = useChatMode()
  const group = useRef<HTMLDivElement>(null)
  const version = message.metadata?.version
  useLayoutEffect(() => {
    if (group.current && expected?.message === message.id) restorePosition(group.current, expected)
  }, [message.id])
  if (!version) return null
  const switchTo = (side: Side) => {
    const target = version[side]
    if (!target || isSending) return
    expected = { message: target, side, top: group.current?.getBoundingClientRect().top ?? 0 }
    scroll.unpin()
    showVersion(target)
  }
  const { number, of } = version
  return (
    <div ref={group} className="versions" role="group" aria-label={t('Versions of this message')}>
      {/* `aria-disabled`, because `disabled` would lose the focus at the first and last version. */}
      <IconButton
        icon="chevron"
        className="small back"
        label={t('Previous version')}
        aria-disabled={!version.before || isSending}
        onClick={() => switchTo('before')}
      />
      <span aria-live="polite" aria-label={t('Version {number} of {total}', { number, total: of })}>
        {t('{number} / {total}', { number, total: of })}
      </span>
      <IconButton
        icon="chevron"
        className="small"
        label={t('Next version')}
        aria-disabled={!version.after || isSending}
        onClick={() => switchTo('after')}
      />
    </div>
  )
}

/** Moves the switch to its previous position in the viewport, and focuses the button that was pressed. */
function restorePosition(group: HTMLElement, { side, top }: NonNullable<typeof expected>): void {
  expected = null
  group.querySelectorAll('button')[side === 'before' ? 0 : 1]?.focus({ preventScroll: true })
  scrollBy(0, group.getBoundingClientRect().top - top)
}
