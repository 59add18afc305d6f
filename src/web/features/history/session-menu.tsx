import { type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react'
import { t } from '../../../ui/language/translate.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** The menu of a session, in a native popover that closes on Escape and outside clicks. */
export function SessionMenu({ title, fileAddress, onDelete }: { title: string; fileAddress: string; onDelete(): void }): ReactNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return
    setOpen(true)
    if (button.current && menu.current) placeBelow(button.current, menu.current)
  }
  // The browser restores the focus before this event.
  const empty = ({ newState }: ToggleEvent) => {
    if (newState === 'closed') setOpen(false)
  }
  const choose = (act: () => void) => () => {
    menu.current?.hidePopover()
    act()
  }
  return (
    <>
      <IconButton
        ref={button}
        icon="more"
        label={t('Options for “{title}”', { title })}
        title={t('More')}
        className="small"
        popoverTarget={id}
      />
      <div ref={menu} id={id} popover="auto" className="session-menu" onBeforeToggle={open} onToggle={empty}>
        {isOpen && (
          <>
            <a className="button quiet" href={fileAddress} download onClick={() => menu.current?.hidePopover()}>
              <Icon name="down" />
              {t('Download')}
            </a>
            <hr />
            <Button icon="bin" className="danger" onClick={choose(onDelete)}>
              {t('Delete')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

/** Height of the menu in CSS pixels. It opens upwards if there is less room below. */
const ROOM_PX = 126

function placeBelow(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const opensUp = innerHeight - bottom < ROOM_PX
  const isRightToLeft = getComputedStyle(button).direction === 'rtl'
  Object.assign(menu.style, {
    top: opensUp ? 'auto' : `${bottom}px`,
    bottom: opensUp ? `${innerHeight - top}px` : 'auto',
    left: isRightToLeft ? `${left}px` : 'auto',
    right: isRightToLeft ? 'auto' : `${document.documentElement.clientWidth - right}px`,
  })
}
