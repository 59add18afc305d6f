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
          <strong>{t('This is a shared computer')}</strong>
          <br />
          {isShared
            ? t(
                'On: your chats are deleted from this browser when you close or reload this tab. If another device has them too, they stay there.',
              )
            : t('Turn this on to delete your chats from this browser when you close or reload this tab.')}
        </span>
      </label>
    </section>
  )
}
