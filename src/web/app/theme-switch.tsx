import type { ReactNode } from 'react'
import { defineMessage, useTranslate } from '../language/translate.ts'
import { useApplication } from '../state/application-store.ts'
import { IconButton } from '../ui/button.tsx'
import { setTheme, THEMES, useTheme } from '../ui/theme.ts'

const LABELS = { system: defineMessage('System'), light: defineMessage('Light'), dark: defineMessage('Dark') }

/** Light, dark or system; stored after consent. */
export function ThemeSwitch(): ReactNode {
  const t = useTranslate()
  const current = useTheme()
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy && !state.isSharedComputer)
  return (
    <div className="switch" role="group" aria-label={t('Theme')}>
      {THEMES.map((theme) => (
        <IconButton
          key={theme}
          icon={theme}
          label={t(LABELS[theme])}
          className="small"
          aria-pressed={theme === current}
          onClick={() => setTheme(theme, accepts)}
        />
      ))}
    </div>
  )
}
