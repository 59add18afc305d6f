import type { ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'
import { useApplication } from '../state/application-store.ts'
import { deviceStorage } from '../../ui/storage/storage.ts'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import './shortcut-sheet.css'
import { SINGLE_KEYS_OFF, useSingleKeys } from './use-shortcuts.ts'

const TITLE_ID = 'shortcuts-title'

export default function ShortcutSheet({ onClose }: { onClose(): void }): ReactNode {
  const command = navigator.userAgent.includes('Mac') ? '⌘' : t('Ctrl')
  const rows: [keys: string[], what: string][] = [
    [[t('Enter')], t('Send message')],
    [[t('Shift'), t('Enter')], t('New line')],
    [[command, 'K'], t('Search your chats')],
    [[command, t('Shift'), 'O'], t('Start a new chat')],
    [[command, 'Z'], t('Undo deleting a chat')],
    [[t('Esc')], t('Close')],
    [[command, '/'], t('Show keyboard shortcuts')],
  ]
  return (
    <Dialog open onClose={onClose} labelledBy={TITLE_ID} className="shortcuts" dismissable>
      <header>
        <h2 id={TITLE_ID} tabIndex={-1} data-first-focus>
          {t('Keyboard shortcuts')}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <dl>
        {rows.map(([keys, what]) => (
          <div key={what}>
            <dt dir="ltr">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <SingleKeySwitch />
    </Dialog>
  )
}

/** Stored on this device after consent. */
function SingleKeySwitch(): ReactNode {
  const isOn = useSingleKeys()
  const keepsChoices = useApplication((state) => state.acceptsPrivacyPolicy && !state.isSharedComputer)
  const change = (on: boolean) => {
    useSingleKeys.setState(on, true)
    if (on) deviceStorage.removeItem(SINGLE_KEYS_OFF)
    else if (keepsChoices) deviceStorage.setItem(SINGLE_KEYS_OFF, 'true')
  }
  return (
    <label className="choice">
      <input type="checkbox" checked={isOn} onChange={({ target }) => change(target.checked)} />
      <span>{t.with('{key} alone works too, outside the message box', { key: <kbd dir="ltr">?</kbd> })}</span>
    </label>
  )
}
