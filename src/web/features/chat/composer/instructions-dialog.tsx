import { type ReactNode, useId, useState } from 'react'
import { MAX_VISITOR_INSTRUCTIONS_CHARACTERS as MOST } from '../../../../contract/size-limits.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { changeInstructions, useAnswerPreferences } from '../../../state/answer-preferences.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import './instructions-dialog.css'
import { useKeepsChoices } from './keeps-choices.ts'

/** Asks for the visitor's standing instructions, which go along with each prompt and stay in this browser. */
export default function InstructionsDialog({ onClose }: { onClose(): void }): ReactNode {
  const t = useTranslate()
  const [titleId, textId, hintId] = [useId(), useId(), useId()]
  const current = useAnswerPreferences((state) => state.instructions)
  const isStored = useKeepsChoices()
  const [text, setText] = useState(current)
  const save = (instructions: string) => {
    changeInstructions(instructions.trim(), isStored)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} labelledBy={titleId} className="instructions">
      <h2 id={titleId}>{t('How answers are written')}</h2>
      <label htmlFor={textId}>{t('Tell the assistant how you like your answers, for example “Keep it short” or “I’m new here”.')}</label>
      <textarea
        id={textId}
        value={text}
        dir="auto"
        rows={5}
        maxLength={MOST}
        aria-describedby={hintId}
        onChange={({ target }) => setText(target.value)}
        data-first-focus
      />
      <p id={hintId} className="muted">
        {t('{length} of {most} characters', { length: text.length, most: MOST })}
        <br />
        {isStored
          ? t('This is sent with each of your messages. It stays in this browser, and the server doesn’t store it.')
          : t('This is sent with each of your messages until you close this tab. The server doesn’t store it.')}
      </p>
      <footer>
        <Button variant="solid" onClick={() => save(text)}>
          {t('Save')}
        </Button>
        {current !== '' && (
          <Button variant="outline" onClick={() => save('')}>
            {t('Remove')}
          </Button>
        )}
        <Button variant="outline" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </footer>
    </Dialog>
  )
}
