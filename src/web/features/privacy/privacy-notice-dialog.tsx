import { type ReactNode, use, useEffect, useState } from 'react'
import type { PrivacyNotice } from '../../../contract/config.ts'
import { fetchPrivacyNotice } from '../../api/calls.ts'
import { failureSentence } from '../../api/failure.ts'
import type { Outcome } from '../../api/request.ts'
import { LanguageSwitch } from '../../language/language-switch.tsx'
import { LanguageContext, useTranslate } from '../../language/translate.ts'
import { changes, useApplication } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { acceptPolicy, declinePolicy } from './consent.ts'

const TITLE_ID = 'privacy-title'

/** The privacy notice, with the decision about it. */
export function PrivacyNoticeDialog(): ReactNode {
  const t = useTranslate()
  const isOpen = useApplication((state) => state.privacyNoticeDialog)
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const { notice, reload } = useNotice(isOpen)
  const decline = () => {
    declinePolicy()
    // Offers to delete stored data after withdrawal.
    if (accepts) showMyData({ kind: 'withdrawn' })
  }
  return (
    <Dialog open={isOpen} onClose={changes.noticeClosed} labelledBy={TITLE_ID} className="notice">
      <header>
        <h2 id={TITLE_ID} tabIndex={-1} data-first-focus>
          {t('Before you start')}
        </h2>
        <LanguageSwitch />
        <IconButton icon="close" label={t('Close')} onClick={changes.noticeClosed} />
      </header>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="notice-text" tabIndex={0} role="group" aria-label={t('Privacy notice')}>
        {!notice && <p className="muted">{t('Loading notice…')}</p>}
        {notice?.ok === false && (
          <p>
            {failureSentence(notice.code)}{' '}
            <Button look="outline" onClick={reload}>
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
      <footer>
        <Button look="outline" onClick={decline}>
          {accepts ? t('Withdraw consent') : t('Decline')}
        </Button>
        {accepts ? (
          <Button look="outline" onClick={changes.noticeClosed}>
            {t('Keep consent')}
          </Button>
        ) : (
          <Button look="outline" disabled={!notice?.ok} onClick={() => notice?.ok && acceptPolicy(notice.value.version)}>
            {t('Accept')}
          </Button>
        )}
      </footer>
    </Dialog>
  )
}

/** The notice in the page's language, fetched on demand; undefined while loading. */
function useNotice(isWanted: boolean): { notice: Outcome<PrivacyNotice> | undefined; reload: () => void } {
  const [notice, setNotice] = useState<Outcome<PrivacyNotice>>()
  const [attempt, setAttempt] = useState(0)
  const { language } = use(LanguageContext)
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    fetchPrivacyNotice(language)
      .then((outcome) => isCurrent && setNotice(outcome))
      .catch(console.error)
    return () => {
      isCurrent = false
    }
  }, [isWanted, attempt, language])
  const reload = () => {
    setNotice(undefined)
    setAttempt(attempt + 1)
  }
  return { notice, reload }
}
