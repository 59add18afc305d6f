import { type ReactNode, useState } from 'react'
import type { ApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call, Rejected } from '../../api.ts'
import { ActionError, Back, Field, Form } from '../../parts/parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useStaff } from '../../staff-context.ts'
import { useAction } from '../../use-call.ts'
import { approvedAddress } from '../addresses.ts'
import { draftOf, idOfQuestion, newDraft, typedDraft, singleWords } from './approved-draft.ts'
import { ApprovedFields } from './approved-fields.tsx'
import { joined } from '../../format.ts'

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/

interface NewAnswerProps {
  /** Words of a topic, as a reminder; empty without a topic. */
  words: readonly string[]
  draft: Partial<ApprovedDraft>
}

const publish = (id: string) => confirmed(() => call('POST', `approved-answers/${id}/publication`, { revision: 1 }))

export function NewAnswer({ words, draft }: NewAnswerProps): ReactNode {
  const { session, may } = useStaff()
  const [typed, setTyped] = useState(() => typedDraft({ ...newDraft(session.name), ...draft }))
  // Follows the question until somebody types another one.
  const [typedId, setTypedId] = useState<string | null>(null)
  const [mistake, setMistake] = useState('')
  const { run, isBusy, error } = useAction()
  const [otherId] = useState(() => `answer-${Date.now().toString(36)}`)
  const id = typedId ?? (idOfQuestion(typed.question) || otherId)
  /** Saves the answer. What can't be published at once stays a draft, whose screen says why. */
  const save = (isPublished: boolean) => {
    const isId = ID.test(id.trim())
    setMistake(isId ? '' : t('Enter lowercase letters, digits and hyphens.'))
    if (!isId) return
    const content = draftOf(typed)
    run(async () => {
      try {
        await call('POST', 'approved-answers', { id: id.trim(), content })
      } catch (cause) {
        if (!(cause instanceof Rejected) || cause.code !== 'approved_exists') throw cause
        setMistake(cause.message)
        return
      }
      if (isPublished && singleWords(content).length === 0) await publish(id.trim()).catch(console.error)
      location.hash = approvedAddress(id.trim())
    })
  }
  if (!may('change-knowledge')) return <p className="notice">{t('Your role does not allow this. Ask an owner.')}</p>
  return (
    <>
      <Back to="#/approved">{t('All approved answers')}</Back>
      <Form onSubmit={() => save(true)} name={t('New approved answer')} className="wide">
        <h2>{t('New approved answer')}</h2>
        {words.length > 0 && (
          <p className="notice" dir="auto">
            {t('Visitors of the topic wrote: {words}. Write the question as they would ask it, and keep the wordings that mean the same.', {
              words: joined(...words),
            })}
          </p>
        )}
        <ApprovedFields
          typed={typed}
          checked={null}
          isReadOnly={false}
          isOpen={mistake !== '' || words.length > 0}
          change={(part) => setTyped((now) => ({ ...now, ...part }))}
        >
          <Field label={t('Id')} hint={t('Answers and stops show it as approved/id.md. It can’t be changed later.')} error={mistake}>
            {(ids) => <input {...ids} dir="ltr" autoComplete="off" value={id} onChange={({ target }) => setTypedId(target.value)} />}
          </Field>
        </ApprovedFields>
        <div className="check">
          <Button variant="solid" type="submit" disabled={isBusy}>
            {t('Publish')}
          </Button>
          <Button variant="outline" disabled={isBusy} onClick={() => save(false)}>
            {t('Save as a draft')}
          </Button>
        </div>
        <ActionError message={error} />
      </Form>
    </>
  )
}
