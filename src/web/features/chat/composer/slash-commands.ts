import type { PublicAgent } from '../../../../contract/config.ts'
import { chooseLanguage } from '../../../language/language.ts'
import { LANGUAGES, nameOf } from '../../../language/languages.ts'
import { t } from '../../../language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { showMyData } from '../../../state/my-data.ts'
import { setTheme } from '../../../ui/theme.ts'
import { fillIn, setTemporary } from '../chat-actions.ts'

/** Actions of the page around the chat. */
export interface PageActions {
  newChat(): void
  search(): void
  /** Shows the keyboard shortcuts. */
  help(): void
}

export interface Command {
  label: string
  /** Only where nothing was written after the slash, or only where something was. */
  when?: 'bare' | 'asked'
  /** The message box is empty when it is called. */
  run(): void
}

/** All commands, in the order of the menu. */
export function commandsOf(agent: PublicAgent, page: PageActions): Command[] {
  const { chatSessions, acceptsPrivacyPolicy, isSharedComputer } = useApplication.getState()
  const choose = (theme: 'system' | 'light' | 'dark') => () => setTheme(theme, acceptsPrivacyPolicy && !isSharedComputer)
  const themes = { light: t('Theme: light'), dark: t('Theme: dark'), system: t('Theme: system') }
  const languages = LANGUAGES.map(
    (language): Command => ({
      label: t('Language: {name}', { name: nameOf(language) }),
      when: 'asked',
      run() {
        chooseLanguage(language).catch(console.error)
      },
    }),
  )
  return [
    { label: t('New chat'), run: page.newChat },
    { label: t('Temporary chat'), run: () => beginTemporary(page) },
    ...(chatSessions.length > 0 ? [{ label: t('Search your chats'), run: page.search }] : []),
    { label: t('My data'), run: () => showMyData({ kind: 'overview' }) },
    { label: t('Theme'), when: 'bare', run: () => fillIn(`/${t('Theme')} `) },
    { label: themes.light, when: 'asked', run: choose('light') },
    { label: themes.dark, when: 'asked', run: choose('dark') },
    { label: themes.system, when: 'asked', run: choose('system') },
    { label: t('Language'), when: 'bare', run: () => fillIn(`/${t('Language')} `) },
    ...languages,
    { label: t('Keyboard shortcuts'), run: page.help },
    ...agent.starters.map((starter) => ({ label: starter, run: () => fillIn(starter) })),
  ]
}

function beginTemporary({ newChat }: PageActions): void {
  if (useApplication.getState().currentSession) newChat()
  setTemporary(true)
}

/** The commands that have words beginning like those that were written; letters count, not their accents or size. */
export function matchingCommands<Kind extends Pick<Command, 'label' | 'when'>>(commands: readonly Kind[], query: string): Kind[] {
  const wanted = wordsOf(query)
  return commands.filter(({ label, when }) => {
    if (when === (wanted.length > 0 ? 'bare' : 'asked')) return false
    const words = wordsOf(label)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  })
}

/** In scripts without spaces a whole label is a word. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[^\s\p{P}]+|\p{P}(?=\p{P}|$)/gu) ?? []
