import { type ReactNode, useState } from 'react'
import { MAX_PAGE_DECISIONS } from '../../../contract/staff/content/held-page-kinds.ts'
import type { HeldPages, HeldPageView, PageDecisions } from '../../../contract/staff/content/held-pages.ts'
import type { WebsiteActionDone } from '../../../contract/staff/content/knowledge.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { Back, Cards, ConfirmButton, Loaded } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { HeldPage, type Choice } from './held-page.tsx'

const SHOWN = 50

/** Key of a choice: a page with exactly these texts. */
const keyOf = ({ address, before, after }: HeldPageView) => `${address} ${before} ${after}`

/** The pages of a website that were held back, each to accept or to keep as it was. */
export function HeldPagesScreen({ id }: { id: string }): ReactNode {
  const path = `knowledge/websites/${encodeURIComponent(id)}/held-pages`
  const [done, setDone] = useState('')
  return (
    <>
      <Back to="#/websites">{t('Websites')}</Back>
      <h2>{t('Held pages of {name}', { name: id })}</h2>
      <p>
        {t(
          'Answers use the earlier pages until you decide. Accept a page to use it as the website has it now. Keep a page to use the earlier text until the website changes it again. The others keep waiting, over later runs too.',
        )}
      </p>
      <p className="good" role="status">
        {done}
      </p>
      <Loaded<HeldPages> path={path}>
        {(held) =>
          held.pages.length === 0 ? (
            <p className="notice">{t('Nothing waits for a decision. When a run holds pages back, they are listed here.')}</p>
          ) : (
            <Pages held={held} path={path} onDone={setDone} />
          )
        }
      </Loaded>
    </>
  )
}

interface PagesProps {
  held: HeldPages
  path: string
  onDone(message: string): void
}

function Pages({ held: { pages, total }, path, onDone }: PagesProps): ReactNode {
  const canChange = useStaff().may('change-knowledge')
  const [limit, setLimit] = useState(SHOWN)
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const shown = pages.slice(0, limit)
  const decisions = pages.flatMap((page): PageDecisions['decisions'] => {
    const choice = choices.get(keyOf(page))
    const { address, before, after } = page
    return choice ? [{ address, decision: choice, before, after }] : []
  })
  const choose = (chosen: readonly HeldPageView[], choice: Choice | null) =>
    setChoices((known) => {
      const next = new Map(known)
      for (const page of chosen) {
        if (choice === null) next.delete(keyOf(page))
        else if (choice === 'accept' || page.mayKeep) next.set(keyOf(page), choice)
      }
      return next
    })
  return (
    <>
      <p className="muted" aria-live="polite">
        {t('{count} of {total}', { count: shown.length, total })}
        {total > pages.length && `; ${t('the first of {count}: decide about them to see the others', { count: total })}`}
      </p>
      {canChange && shown.length > 1 && (
        <div className="check">
          <Button variant="outline" className="small" onClick={() => choose(shown, 'accept')}>
            {t('Choose “Accept” for all shown')}
          </Button>
          <Button variant="outline" className="small" onClick={() => choose(shown, 'keep')}>
            {t('Choose “Keep” for all shown')}
          </Button>
        </div>
      )}
      <Cards items={shown}>
        {(page) => (
          <HeldPage
            key={keyOf(page)}
            page={page}
            path={path}
            choice={choices.get(keyOf(page)) ?? null}
            onChoose={canChange ? (choice) => choose([page], choice) : null}
          />
        )}
      </Cards>
      {pages.length > shown.length && (
        <Button variant="outline" className="small" onClick={() => setLimit((known) => known + SHOWN)}>
          {t('Show more pages')}
        </Button>
      )}
      {canChange && <Decide decisions={decisions} path={path} onDone={onDone} />}
    </>
  )
}

interface DecideProps extends Omit<PagesProps, 'held'> {
  decisions: PageDecisions['decisions']
}

/** Puts the chosen decisions into force. After a conflict, the list shows what waits now, with the choices that still fit. */
function Decide({ decisions, path, onDone }: DecideProps): ReactNode {
  const sent = decisions.slice(0, MAX_PAGE_DECISIONS)
  const accepted = sent.filter(({ decision }) => decision === 'accept').length
  const name = sent.length === 0 ? t('Apply decisions') : t.plural(sent.length, 'Apply {count} decision', 'Apply {count} decisions')
  return (
    <div className="decide">
      <p aria-live="polite">
        {decisions.length === 0 ? t('Nothing chosen yet.') : t('{count} chosen.', { count: decisions.length })}
        {decisions.length > sent.length && ` ${t('{count} are applied at a time.', { count: MAX_PAGE_DECISIONS })}`}
      </p>
      <ConfirmButton
        isMain
        isDisabled={sent.length === 0}
        text={name}
        question={`${name}?`}
        explanation={t('{accepted} accepted, {kept} kept as they were. Live within seconds. “Roll back” undoes what was accepted.', {
          accepted,
          kept: sent.length - accepted,
        })}
        action={t('Apply')}
        act={async () => onDone((await call<WebsiteActionDone>('POST', path, { decisions: sent } satisfies PageDecisions)).message)}
      />
    </div>
  )
}
