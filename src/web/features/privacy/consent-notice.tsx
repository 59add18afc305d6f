import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { PublicConfiguration } from '../../../contract/config.ts'
import { isEmbedded } from '../../api/embedded.ts'
import { LanguageSwitch } from '../../../ui/language/language-switch.tsx'
import { useLanguage } from '../../../ui/language/language.ts'
import { retentionSentence } from '../../state/retention-sentence.ts'
import { t } from '../../../ui/language/translate.ts'
import { changes, useApplication } from '../../state/application-store.ts'
import { openDraftKey, useDraft } from '../../state/drafts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { acceptPolicy, declinePolicy } from './consent.ts'

const NoticeText = lazyPart(() => import('./notice-text.tsx'), NotLoaded, Loading)

const TITLE_ID = 'consent-title'
const TEXT_ID = 'consent-text'

interface ConsentNoticeProps {
  configuration: PublicConfiguration
}

/** The short notice at the message box, with the decision about it, until that is made. Not modal: the page can be used. */
export function ConsentNotice(props: ConsentNoticeProps): ReactNode {
  const isOpen = useApplication((state) => state.privacyNoticeDialog && !state.acceptsPrivacyPolicy)
  return isOpen && <OpenNotice {...props} />
}

function OpenNotice({ configuration: { privacy } }: ConsentNoticeProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const heading = useFocusOnRequest()
  useEscape(close)
  return (
    <dialog open className="consent" aria-labelledby={TITLE_ID}>
      <header>
        <h2 id={TITLE_ID} ref={heading} tabIndex={-1}>
          {t('Before you start')}
        </h2>
        <LanguageSwitch />
        {/* The panel of a frame has a × of its own. */}
        {!isEmbedded && <IconButton icon="close" label={t('Close')} onClick={close} />}
      </header>
      <div className="facts">
        <ul>
          {privacy.staffReading && (
            <li>
              <strong>{t('The operator’s staff can read your messages and the answers, except in temporary chats.')}</strong>
            </li>
          )}
          <li>
            {t('You’re chatting with an AI.')} {answerSentence(privacy.recipients)}
          </li>
          <li>{t('Your chats are stored on this server. You can export or delete them at any time.')}</li>
          <li>{retentionSentence(privacy)}</li>
        </ul>
        <Button className="small more" aria-expanded={isWhole} aria-controls={TEXT_ID} onClick={() => setWhole(!isWhole)}>
          {t('Read the full notice')}
          <Icon name="chevron" />
        </Button>
        <div id={TEXT_ID} hidden={!isWhole}>
          {isWhole && <NoticeText />}
        </div>
      </div>
      <footer>
        <Button variant="outline" onClick={decline}>
          {t('Decline')}
        </Button>
        <AcceptButton version={privacy.noticeVersion} />
      </footer>
    </dialog>
  )
}

/** Accepts, and sends the prompt that waits in the message box. */
function AcceptButton({ version }: { version: string }): ReactNode {
  const isAwaited = useApplication((state) => state.consent === 'awaited')
  const { text } = useDraft(useApplication((state) => openDraftKey(state.currentSession)))
  return (
    <Button variant="solid" onClick={() => acceptPolicy(version)}>
      {isAwaited && text.trim() ? t('Accept and send') : t('Accept and continue')}
    </Button>
  )
}

function answerSentence(recipients: readonly string[]): string {
  if (recipients.length === 0) return t('Answers are generated on this server.')
  const names = new Intl.ListFormat(useLanguage.getState().locale).format(recipients)
  return t('To answer, your messages are sent to {recipients}.', { recipients: names })
}

function decline(): void {
  declinePolicy()
  requestAnimationFrame(focusComposer)
}

function close(): void {
  changes.noticeClosed()
  focusComposer()
}

/** Moves the focus to the message box, except where that would open a keyboard, or to what is in its place after declining. */
function focusComposer(): void {
  const composer = document.getElementById('composer')
  if (!composer?.matches('textarea') || matchMedia('(hover: hover)').matches) composer?.focus()
}

/** The heading of the notice. Gets the focus whenever the visitor asks for the notice, but not when it opens by itself. */
function useFocusOnRequest(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const requests = useApplication((state) => state.noticeRequests)
  useEffect(() => {
    if (requests > 0) heading.current?.focus()
  }, [requests])
  return heading
}

/** Calls `act` on Escape in the notice, or where nothing has the focus. */
function useEscape(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document
      const isElsewhere = activeElement !== document.body && !activeElement?.closest('.consent')
      if (event.key !== 'Escape' || event.defaultPrevented || isElsewhere) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [act])
}

function NotLoaded(): ReactNode {
  return <p>{t('Couldn’t load this. Try again in a moment.')}</p>
}

function Loading(): ReactNode {
  return <p className="muted">{t('Loading notice…')}</p>
}
