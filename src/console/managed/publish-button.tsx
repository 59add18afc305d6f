import { type ReactNode, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call, Rejected } from '../api.ts'
import { Confirm } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { useAction } from '../use-call.ts'

/** Rejections of a draft that owners can publish anyway. */
const UNEVALUATED = ['agent_not_evaluated', 'evaluation_failed']

export interface PublishWords {
  publishQuestion: string
  publishEffect: string
  /** Sentence to accept first. */
  publishAccept?: string | undefined
}

interface PublishProps {
  path: string
  revision: number
  words: PublishWords
  isDisabled: boolean
  /** Saves what has changed; called first. */
  save: () => void
  isSaving: boolean
}

/** Publishes a draft. If its evaluation is in the way, an owner is asked whether to publish it anyway. */
export function PublishButton({ path, revision, words, isDisabled, save, isSaving }: PublishProps): ReactNode {
  const { may } = useStaff()
  const [isAsking, setAsking] = useState(false)
  const [blocked, setBlocked] = useState('')
  const { run, isBusy, error } = useAction()
  const publish = () =>
    run(async () => {
      try {
        const anyway = blocked !== '' && { anyway: true }
        await call('POST', `${path}/publication`, { revision, ...anyway })
      } catch (cause) {
        const mayIgnore = cause instanceof Rejected && UNEVALUATED.includes(cause.code) && may('publish-anyway')
        if (!mayIgnore) throw cause
        return setBlocked(cause.message)
      }
      setAsking(false)
    })
  return (
    <>
      <Button
        variant="solid"
        disabled={isDisabled}
        onClick={() => {
          save()
          setBlocked('')
          setAsking(true)
        }}
      >
        {t('Publish')}
      </Button>
      {isAsking && (
        <Confirm
          question={blocked === '' ? words.publishQuestion : t('Publish it anyway?')}
          explanation={
            blocked === '' ? words.publishEffect : `${blocked} ${t('As an owner, you can publish it anyway; the audit log says so.')}`
          }
          accept={words.publishAccept}
          action={blocked === '' ? t('Publish') : t('Publish anyway')}
          isBusy={isBusy || isSaving}
          error={error}
          onConfirm={publish}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
