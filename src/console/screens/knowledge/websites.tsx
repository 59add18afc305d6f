import { type ReactNode, useState } from 'react'
import type { KnowledgeView, WebsiteAction, WebsiteActionDone, WebsiteView } from '../../../contract/staff/content/knowledge.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { call } from '../../api.ts'
import { ActionButton, Cards, ConfirmButton, Done, Field, Form, Loaded, SmallButton, Submit, Time } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useAction } from '../../use-call.ts'
import { useHashParts } from '../../use-hash.ts'
import { HeldPagesScreen } from './held-pages.tsx'
import { joined } from '../../format.ts'

type Action = WebsiteAction['action']

const isReading = ({ websites }: KnowledgeView) =>
  websites.some(({ isRunning, lastRun, address }) => isRunning || (!lastRun && address !== null))

export function Websites(): ReactNode {
  const [, held = ''] = useHashParts()
  return held === '' ? <AllWebsites /> : <HeldPagesScreen key={held} id={held} />
}

function AllWebsites(): ReactNode {
  const canChange = useStaff().may('change-knowledge')
  return (
    <>
      {canChange && <AddWebsite />}
      <Loaded<KnowledgeView> path="knowledge" isChanging={isReading}>
        {({ websites }) => (
          <Cards name={t('Websites')} items={websites} empty={<p className="notice">{t('There are no websites yet.')}</p>}>
            {(website) => <Website key={website.id} website={website} canChange={canChange} />}
          </Cards>
        )}
      </Loaded>
    </>
  )
}

function AddWebsite(): ReactNode {
  const [address, setAddress] = useState('')
  const { run, isBusy, error } = useAction()
  const submit = () => {
    run(async () => {
      await call('POST', 'knowledge/websites', { address })
      setAddress('')
    })
  }
  return (
    <Form onSubmit={submit} name={t('Add a website')}>
      <Field label={t('Web address')} hint={t('Such as www.example.org or a part of it. Reading begins within seconds.')}>
        {(ids) => <input {...ids} dir="ltr" inputMode="url" value={address} onChange={({ target }) => setAddress(target.value)} />}
      </Field>
      <Submit isDisabled={isBusy || address.trim() === ''} error={error} text={isBusy ? t('Loading') : t('Add a website')} />
    </Form>
  )
}

function Website({ website, canChange }: { website: WebsiteView; canChange: boolean }): ReactNode {
  const { ask } = useStaff()
  const { id, address, isRunning, isPinned, lastRun, waits, holdsPages, canRollBack, isLive } = website
  const [done, setDone] = useState('')
  const act = async (action: Action) => {
    const { message } = await call<WebsiteActionDone>('POST', `knowledge/websites/${id}/actions`, { action })
    setDone(message)
  }
  return (
    <li>
      <h2>{id}</h2>
      <p dir="ltr">{address ?? t('sources.yaml no longer names this website.')}</p>
      {isRunning && <p>{t('It is being read now.')}</p>}
      {isPinned && <p>{t('It was rolled back: later runs wait until you accept them.')}</p>}
      {lastRun ? <LastRun {...lastRun} /> : <p className="muted">{t('The first run isn’t complete yet.')}</p>}
      {lastRun && lastRun.notes.length > 0 && (
        <details>
          <summary>{t('Pages that aren’t in, and why')}</summary>
          <ul className="examples">
            {lastRun.notes.map((note) => (
              <li key={note.address} dir="auto">
                {note.address}: {note.state}. {note.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {isLive && <SmallButton onClick={() => ask()}>{t('Ask about it')}</SmallButton>}
      {waits && !isPinned && <p>{t('Something was held back. Answers use the earlier pages until you accept it.')}</p>}
      {holdsPages && (
        <p>
          <a href={`#/websites/${encodeURIComponent(id)}`} aria-label={t('Review each held page: {name}', { name: id })}>
            {t('Review each held page')}
          </a>
        </p>
      )}
      {canChange && (
        <div className="actions">
          {address !== null && (
            <ActionButton label={t('Read now: {name}', { name: id })} isDisabled={isRunning} act={() => act('sync')}>
              {t('Read now')}
            </ActionButton>
          )}
          {waits && (
            <ConfirmButton
              label={t('Accept all: {name}', { name: id })}
              question={t('Accept all: {name}?', { name: id })}
              explanation={t('Answers use everything that was held back from then on.')}
              action={t('Accept all')}
              act={() => act('accept')}
            />
          )}
          {canRollBack && (
            <ConfirmButton
              label={t('Roll back: {name}', { name: id })}
              question={t('Roll back: {name}?', { name: id })}
              explanation={t('Answers use the earlier pages again. Later runs wait until you accept them.')}
              action={t('Roll back')}
              act={() => act('roll-back')}
            />
          )}
        </div>
      )}
      <Done>{done}</Done>
    </li>
  )
}

const OUTCOMES = {
  done: defineMessage('complete'),
  held: defineMessage('held back'),
  failed: defineMessage('Failed'),
  interrupted: defineMessage('Interrupted'),
  crashed: defineMessage('Interrupted'),
} as const
/** Names of a run's counts, by their keys. */
const COUNTS = {
  new: defineMessage('New'),
  changed: defineMessage('Changed'),
  gone: defineMessage('Gone'),
  held: defineMessage('Held'),
  failed: defineMessage('Failed'),
  skipped: defineMessage('Skipped'),
  leftOut: defineMessage('Beyond the limits'),
} as const

function LastRun({ endedAt, outcome, reason, pages, counts }: NonNullable<WebsiteView['lastRun']>): ReactNode {
  const shown = Object.entries(COUNTS).map(
    ([kind, name]) => counts[kind] !== undefined && counts[kind] > 0 && t('{name}: {count}', { name: t(name), count: counts[kind] }),
  )
  return (
    <>
      <p>
        {t.with('Last run {time}: {summary}', {
          time: endedAt && <Time at={endedAt} />,
          summary: joined(t(OUTCOMES[outcome]), t.plural(pages, '{count} page', '{count} pages')),
        })}
      </p>
      <p className="muted">{joined(...shown)}</p>
      {outcome !== 'done' && outcome !== 'held' && reason && <p dir="auto">{reason}</p>}
    </>
  )
}
