import { findPersonalData } from '../../../../personal-data/find-personal-data.ts'
import { kindsWith } from '../../../../personal-data/kinds.ts'
import { mask } from '../../../../personal-data/placeholders.ts'
import { useApplication } from '../../../state/application-store.ts'
import { maskText, personalDataRules } from '../../../state/mask-text.ts'
import { PersonalDataDialog } from '../composer/personal-data-dialog.tsx'
import { useQuestion } from '../composer/question.ts'

/**
 * Reviews a prompt of a chat for personal data. Asks the visitor if the agent's rules say so, and continues at once otherwise: the prompt is
 * sent, without removed or masked data, or goes back to be edited.
 */
export function reviewPrompt(key: string, prompt: string, { send, edit }: { send(prompt: string): void; edit(): void }): void {
  const rules = personalDataRules()
  const found = rules ? findPersonalData(prompt, kindsWith(rules, 'ask', 'refuse')) : []
  const { isTemporary, isSharedComputer } = useApplication.getState()
  const proceed = (text: string) => send(maskText(key, text, !isTemporary && !isSharedComputer))
  if (found.length === 0) return proceed(prompt)
  const close = () => useQuestion.setState({ dialog: null })
  useQuestion.setState({
    dialog: (
      <PersonalDataDialog
        kinds={[...new Set(found.map(({ kind }) => kind))]}
        isRefused={found.some(({ kind }) => rules?.[kind] === 'refuse')}
        onRemove={() => {
          close()
          // Placeholders without values tell the assistant what was there.
          proceed(mask(prompt, found).text)
        }}
        onSend={() => {
          close()
          proceed(prompt)
        }}
        onEdit={() => {
          close()
          edit()
        }}
      />
    ),
  })
}
