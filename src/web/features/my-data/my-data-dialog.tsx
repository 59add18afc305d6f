import type { MyDataActions } from './my-data-actions.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ErasureReply } from '../../../contract/rights.ts'
import { t, defineMessage } from '../../../ui/language/translate.ts'
import { type ErasureScope, type MyDataView, showMyData, useMyData } from '../../state/my-data.ts'
import { IconButton, Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EraseView } from './erase-view.tsx'
import { ShowCodeView } from './show-code-view.tsx'
import './my-data.css'
import { Overview } from './overview.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { RedeemCodeView } from './redeem-code-view.tsx'

const TITLE_ID = 'my-data-title'
const close = () => showMyData(null)

/** The dialog "My data". Each step is a view of the same dialog. */
export function MyDataDialog({ actions }: { actions: MyDataActions }): ReactNode {
  const { view } = useMyData()
  const heading = useRef<HTMLHeadingElement>(null)
  const kind = view?.kind
  useEffect(() => {
    // Screen readers read a new view from its heading.
    heading.current?.focus()
    heading.current?.closest('dialog')?.querySelector('.my-data-text')?.scrollTo(0, 0)
  }, [kind])
  return (
    <Dialog open={view !== null} onClose={close} labelledBy={TITLE_ID} className="my-data" dismissable={kind === 'overview'}>
      <header>
        {kind !== 'overview' && (
          <IconButton icon="chevron" label={t('Back to my data')} className="back" onClick={() => showMyData({ kind: 'overview' })} />
        )}
        <h2 id={TITLE_ID} ref={heading} tabIndex={-1} data-first-focus>
          {view && t(view.kind === 'erase' ? QUESTIONS[view.scope] : TITLES[view.kind])}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={close} />
      </header>
      <div className="my-data-text">{view && <Content view={view} actions={actions} />}</div>
    </Dialog>
  )
}

const QUESTIONS = {
  sessions: defineMessage('Delete all chats?'),
  everything: defineMessage('Delete all my data?'),
}

const TITLES = {
  overview: defineMessage('My data'),
  receipt: defineMessage('Deleted'),
  withdrawn: defineMessage('Your consent is withdrawn'),
  'give-code': defineMessage('Link another device'),
  'take-code': defineMessage('Continue from another device'),
}

function Content({ view, actions }: { view: MyDataView; actions: MyDataActions }): ReactNode {
  const showReceipt = (scope: ErasureScope, reply: ErasureReply) => {
    showMyData({ kind: 'receipt', reply })
    actions.erased(scope)
  }
  switch (view.kind) {
    case 'overview':
      return <Overview actions={actions} />
    case 'erase':
      return <EraseView scope={view.scope} onErased={showReceipt} onKeep={close} />
    case 'receipt':
      return <ReceiptView reply={view.reply} />
    case 'withdrawn':
      return <WithdrawnView onKeep={close} />
    case 'give-code':
      return <ShowCodeView />
    case 'take-code':
      return <RedeemCodeView code={view.code} onMoved={actions.moved} onOpenNotice={actions.openNotice} onDone={close} />
  }
}

/** Shown after consent was withdrawn. Offers to delete all data. */
function WithdrawnView({ onKeep }: { onKeep(): void }): ReactNode {
  return (
    <>
      <p>{t('This page no longer stores anything in this browser, and you can’t send messages.')}</p>
      <p>
        {t(
          'Your earlier chats are still on the server, and this browser still has the key to them. They’re deleted automatically when they expire. You can delete everything now.',
        )}
      </p>
      <div className="choices">
        <Button variant="outline" onClick={onKeep}>
          {t('Keep my chats')}
        </Button>
        <Button variant="outline" onClick={() => showMyData({ kind: 'erase', scope: 'everything' })}>
          {t('Delete everything')}
        </Button>
      </div>
    </>
  )
}
