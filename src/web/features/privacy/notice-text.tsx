import { type ReactNode, use, useEffect, useState } from 'react'
import type { PrivacyNotice } from '../../../contract/config.ts'
import { fetchPrivacyNotice } from '../../api/calls.ts'
import { failureSentence } from '../../api/failure.ts'
import type { Outcome } from '../../api/request.ts'
import { LanguageContext, useTranslate } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'

/** The full privacy notice in the page's language, fetched when it is shown. */
export default function NoticeText(): ReactNode {
  const t = useTranslate()
  const { notice, reload } = useNotice()
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="notice-text" tabIndex={0} role="group" aria-label={t('Privacy notice')}>
      {!notice && <p className="muted">{t('Loading notice…')}</p>}
      {notice?.ok === false && (
        <p>
          {failureSentence(notice.code)}{' '}
          <Button variant="outline" onClick={reload}>
            {t('Reload')}
          </Button>
        </p>
      )}
      {notice?.ok && (
        <div lang={notice.value.language ?? undefined}>
          <Markdown text={notice.value.markdown} />
        </div>
      )}
    </div>
  )
}

/** `undefined` while loading. */
function useNotice(): { notice: Outcome<PrivacyNotice> | undefined; reload: () => void } {
  const [notice, setNotice] = useState<Outcome<PrivacyNotice>>()
  const [attempt, setAttempt] = useState(0)
  const { language } = use(LanguageContext)
  useEffect(() => {
    let isCurrent = true
    fetchPrivacyNotice(language)
      .then((outcome) => isCurrent && setNotice(outcome))
      .catch(console.error)
    return () => {
      isCurrent = false
    }
  }, [attempt, language])
  const reload = () => {
    setNotice(undefined)
    setAttempt(attempt + 1)
  }
  return { notice, reload }
}
