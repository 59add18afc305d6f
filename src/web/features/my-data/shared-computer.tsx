import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { useApplication } from '../../state/application-store.ts'

/** The switch for shared computers. */
export function SharedComputer({ onChange }: { onChange(isShared: boolean): void }): ReactNode {
  const t = useTranslate()
  const isShared = useApplication((state) => state.isSharedComputer)
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  if (!accepts) return null
  return (
    <section>
      <h3>{t('This computer')}</h3>
      <label className="choice">
        <input type="checkbox" checked={isShared} onChange={({ target }) => onChange(target.checked)} />
        <span>
          <strong>{t('Others use this computer too')}</strong>
          <br />
          {isShared
            ? t(
                'On: when this tab is closed or loaded again, your chats go, and nothing stays in this browser. If another device has them too, they stay there.',
              )
            : t('Switch this on, and your chats go when this tab is closed or loaded again; nothing stays in this browser.')}
        </span>
      </label>
    </section>
  )
}
