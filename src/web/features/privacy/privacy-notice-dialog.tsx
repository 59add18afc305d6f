import type { ReactNode } from 'react'
import { LanguageSwitch } from '../../../ui/language/language-switch.tsx'
import { t } from '../../../ui/language/translate.ts'
import { changes } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { declinePolicy } from './consent.ts'
import NoticeText from './notice-text.tsx'

const TITLE_ID = 'privacy-title'

export default function PrivacyNoticeDialog(): ReactNode {
  const withdraw = () => {
    declinePolicy()
    // Offers to delete stored data after withdrawal.
    showMyData({ kind: 'withdrawn' })
  }
  return (
    <Dialog open onClose={changes.noticeClosed} labelledBy={TITLE_ID} className="notice">
      <header>
        <h2 id={TITLE_ID} tabIndex={-1} data-first-focus>
          {t('Privacy notice')}
        </h2>
        <LanguageSwitch />
        <IconButton icon="close" label={t('Close')} onClick={changes.noticeClosed} />
      </header>
      <p className="notice-ai">{t('You’re chatting with an AI.')}</p>
      <NoticeText />
      <footer>
        <Button variant="outline" onClick={withdraw}>
          {t('Withdraw consent')}
        </Button>
        <Button variant="outline" onClick={changes.noticeClosed}>
          {t('Keep consent')}
        </Button>
      </footer>
    </Dialog>
  )
}
