import { type ReactNode, useId } from 'react'
import type { PersonalDataKind } from '../../../../personal-data/kinds.ts'
import { type MessageText, defineMessage, t } from '../../../../ui/language/translate.ts'
import { useLanguage } from '../../../../ui/language/language.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import './personal-data-dialog.css'

const NAMES: Record<PersonalDataKind, MessageText> = {
  iban: defineMessage('an IBAN'),
  card: defineMessage('a card number'),
  national_id: defineMessage('a national ID number'),
  email: defineMessage('an email address'),
  telephone: defineMessage('a phone number'),
  address: defineMessage('a postal address'),
}

interface PersonalDataDialogProps {
  kinds: readonly PersonalDataKind[]
  /** Whether the prompt can't be sent with them. */
  isRefused: boolean
  onRemove(): void
  onSend(): void
  onEdit(): void
}

export function PersonalDataDialog({ kinds, isRefused, onRemove, onSend, onEdit }: PersonalDataDialogProps): ReactNode {
  const titleId = useId()
  const locale = useLanguage((state) => state.locale)
  const names = new Intl.ListFormat(locale).format(kinds.map((kind) => t(NAMES[kind])))
  return (
    <Dialog open onClose={onEdit} labelledBy={titleId} className="personal-data">
      <h2 id={titleId}>{t('Send personal data?')}</h2>
      <p>{t('Your message contains {kinds}.', { kinds: names })}</p>
      <p>
        {isRefused
          ? t('The assistant doesn’t accept this. Remove it, or edit your message.')
          : t('It will be sent to the assistant with your message.')}
      </p>
      <footer>
        <Button variant="solid" onClick={onRemove} data-first-focus>
          {t('Remove and send')}
        </Button>
        {!isRefused && (
          <Button variant="outline" onClick={onSend}>
            {t('Send anyway')}
          </Button>
        )}
        <Button variant="outline" onClick={onEdit}>
          {t('Edit message')}
        </Button>
      </footer>
    </Dialog>
  )
}
