import { type ReactNode, use } from 'react'
import { fetchPrivacyNotice } from '../../api/calls.ts'
import { failureSentence } from '../../api/failure.ts'
import { LanguageContext, useTranslate } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { useReply } from '../../state/use-reply.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'

/** The full privacy notice in the page's language, fetched when it is shown. */
export default function NoticeText(): ReactNode {
  const t = useTranslate()
  const { language } = use(LanguageContext)
  const { reply: notice, again } = useReply(fetchPrivacyNotice, language)
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="notice-text" tabIndex={0} role="group" aria-label={t('Privacy notice')}>
      {!notice && <p className="muted">{t('Loading notice…')}</p>}
      {notice?.ok === false && (
        <p>
          {failureSentence(notice.code)}{' '}
          <Button variant="outline" onClick={again}>
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
