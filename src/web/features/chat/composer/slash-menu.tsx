import { type ReactNode, type Ref, type RefObject, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import type { PublicAgent } from '../../../../contract/config.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { changeDraft } from '../../../state/drafts.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import { type Command, commandsOf, matchingCommands, type PageActions } from './slash-commands.ts'
import styles from './slash-menu.css?inline'

adoptStyles(styles)

export interface SlashMenuHandle {
  /** Whether the key was for the menu. */
  onKey(key: string): boolean
}

interface SlashMenuProps {
  /** Key of the draft. */
  chat: string
  /** The text after the slash. */
  query: string
  agent: PublicAgent
  page: PageActions
  area: RefObject<HTMLTextAreaElement | null>
  ref: Ref<SlashMenuHandle>
}

/**
 * Commands above the message box. The box keeps the focus and names the chosen one (`aria-activedescendant`). It stays a text box: HTML
 * gives a `textarea` no role of `combobox`, and what begins with a slash may be a text.
 */
export default function SlashMenu({ chat, query, agent, page, area, ref }: SlashMenuProps): ReactNode {
  useTranslate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState({ query, index: 0 })
  const [dismissed, setDismissed] = useState(false)
  const hasFocus = useFocus(area)
  const commands = dismissed || !hasFocus ? [] : matchingCommands(commandsOf(agent, page), query)
  const index = chosen.query === query ? Math.min(chosen.index, commands.length - 1) : 0
  const isOpen = commands.length > 0
  const run = (command: Command) => {
    changeDraft(chat, { text: '' })
    area.current?.focus()
    command.run()
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setChosen({ query, index: (index + 1) % commands.length }),
    ArrowUp: () => setChosen({ query, index: (index + commands.length - 1) % commands.length }),
    Enter: () => run(commands[index]!),
    Tab: () => run(commands[index]!),
    Escape: () => setDismissed(true),
  }
  useImperativeHandle(ref, () => ({
    onKey(key) {
      if (!isOpen || !keys[key]) return false
      keys[key]()
      return true
    },
  }))
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }, [index, query])
  useDescribed(area, isOpen ? { list: id, option: `${id}-${index}` } : null)
  return (
    <>
      {isOpen && (
        <div ref={list} id={id} className="slash-menu" role="listbox" aria-label={t('Commands')}>
          {commands.map((command, at) => (
            <button
              key={command.label}
              id={`${id}-${at}`}
              type="button"
              role="option"
              aria-selected={at === index}
              tabIndex={-1}
              dir="auto"
              // The message box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(command)}
            >
              {command.label}
            </button>
          ))}
        </div>
      )}
      <p className="sr-only" role="status">
        {isOpen &&
          t.plural(
            commands.length,
            '{count} command. Press Enter to run it, Escape to close.',
            '{count} commands. Use the arrow keys to choose, Enter to run, Escape to close.',
          )}
      </p>
    </>
  )
}

/** Whether the message box has the focus. */
function useFocus(area: RefObject<HTMLTextAreaElement | null>): boolean {
  const [hasFocus, setFocus] = useState(true)
  useEffect(() => {
    const box = area.current
    const look = () => setFocus(document.activeElement === box)
    look()
    box?.addEventListener('focus', look)
    box?.addEventListener('blur', look)
    return () => {
      box?.removeEventListener('focus', look)
      box?.removeEventListener('blur', look)
    }
  }, [area])
  return hasFocus
}

/** Says of the message box what lists the commands, and which is chosen. */
function useDescribed(area: RefObject<HTMLTextAreaElement | null>, shown: { list: string; option: string } | null): void {
  const { list, option } = shown ?? {}
  useEffect(() => {
    const box = area.current
    if (!box || !list || !option) return
    box.setAttribute('aria-autocomplete', 'list')
    box.setAttribute('aria-controls', list)
    box.setAttribute('aria-activedescendant', option)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) box.removeAttribute(name)
    }
  }, [area, list, option])
}
