import type { ReactNode } from 'react'
import { useSay } from '../language/say.ts'
import { adoptStyles } from '../ui/adopt-styles.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './shortcut-sheet.css?inline'

adoptStyles(styles)

const TITLE_ID = 'shortcuts-title'

/** The keys that do something in the page. */
export default function ShortcutSheet({ onClose }: { onClose(): void }): ReactNode {
  const say = useSay()
  const command = navigator.userAgent.includes('Mac') ? '⌘' : say('Ctrl')
  const rows: [keys: string[], what: string][] = [
    [[say('Enter')], say('Send the message')],
    [[say('Shift'), say('Enter')], say('Begin a new line')],
    [['↑'], say('Bring back an earlier message, in the empty message box')],
    [['/'], say('List commands, in the empty message box')],
    [[command, 'K'], say('Search your chats')],
    [[command, say('Shift'), 'O'], say('Start a new chat')],
    [[say('Esc')], say('Close what is open')],
    [[command, '/'], say('Show these shortcuts')],
    [['?'], say('The same, outside of the message box')],
  ]
  return (
    <Dialog open onClose={onClose} labelledBy={TITLE_ID} className="shortcuts" dismissable>
      <header>
        <h2 id={TITLE_ID} tabIndex={-1} data-first-focus>
          {say('Keyboard shortcuts')}
        </h2>
        <IconButton icon="close" label={say('Close')} onClick={onClose} />
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
    </Dialog>
  )
}
