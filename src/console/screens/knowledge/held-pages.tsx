import { type ReactNode, useId, useState } from 'react'
import { type HeldKind, MAX_COMPARED_CHARACTERS, MAX_PAGE_DECISIONS } from '../../../contract/staff/content/held-page-kinds.ts'
import type { HeldPages, HeldPageTexts, HeldPageView, PageDecisions } from '../../../contract/staff/content/held-pages.ts'
import type { WebsiteActionDone } from '../../../contract/staff/content/knowledge.ts'
import { defineMessage, type MessageText, t } from '../../../ui/language/translate.ts'
import { call } from '../../api.ts'
import { Back, Cards, ConfirmButton, Done, Loaded, SmallButton } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { TextDiff } from '../../parts/text-diff.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'

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
      <Done>{done}</Done>
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
          <SmallButton onClick={() => choose(shown, 'accept')}>{t('Choose “Accept” for all shown')}</SmallButton>
          <SmallButton onClick={() => choose(shown, 'keep')}>{t('Choose “Keep” for all shown')}</SmallButton>
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
      {pages.length > shown.length && <SmallButton onClick={() => setLimit((known) => known + SHOWN)}>{t('Show more pages')}</SmallButton>}
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

type Choice = 'accept' | 'keep'

const STATES: Readonly<Record<HeldKind, MessageText>> = {
  new: defineMessage('New: not used yet.'),
  changed: defineMessage('Changed.'),
  shorter: defineMessage('It has lost more than half of its text.'),
  gone: defineMessage('Gone: the website no longer has it.'),
}
const ACCEPT: Readonly<Record<HeldKind, MessageText>> = {
  new: defineMessage('Accept: use it'),
  changed: defineMessage('Accept: use the new text'),
  shorter: defineMessage('Accept: use the new text'),
  gone: defineMessage('Accept: no longer use it'),
}
const KEEP: Readonly<Record<HeldKind, MessageText>> = {
  new: defineMessage('Leave it out'),
  changed: defineMessage('Keep the earlier page'),
  shorter: defineMessage('Keep the earlier page'),
  gone: defineMessage('Keep the earlier page'),
}

interface HeldPageProps {
  page: HeldPageView
  path: string
  choice: Choice | null
  /** `null` for those who may only look. */
  onChoose: ((choice: Choice | null) => void) | null
}

function HeldPage({ page, path, choice, onChoose }: HeldPageProps): ReactNode {
  const { address, kind, mayKeep } = page
  const options = [
    [null, defineMessage('Decide later')],
    ['accept', ACCEPT[kind]],
    ...(mayKeep ? ([['keep', KEEP[kind]]] as const) : []),
  ] as const
  const id = useId()
  return (
    <li className="held">
      <h3 id={id} dir="ltr">
        <a href={address} target="_blank" rel="noopener noreferrer nofollow">
          {address}
        </a>
      </h3>
      <p>{t(STATES[kind])}</p>
      <Change page={page} path={path} />
      {onChoose && (
        <RadioGroup
          legend={t('Decision')}
          options={options.map(([value, name]) => [value, t(name)])}
          chosen={choice}
          onChoose={onChoose}
          describedBy={id}
        >
          {!mayKeep && <p className="muted">{t('It can’t be kept, because the website asks not to be read or quoted here.')}</p>}
        </RadioGroup>
      )}
    </li>
  )
}

/** Both texts, which are read when somebody asks. */
function Change({ page: { kind, before, after }, path }: Pick<HeldPageProps, 'page' | 'path'>): ReactNode {
  const [isOpened, setOpened] = useState(false)
  const query = new URLSearchParams({ ...(before && { before }), ...(after && { after }) }).toString()
  return (
    <details onToggle={({ newState }) => newState === 'open' && setOpened(true)}>
      <summary>{kind === 'new' ? t('The new text') : kind === 'gone' ? t('The text in use') : t('What would change')}</summary>
      {isOpened && <Loaded<HeldPageTexts> path={`${path}/texts?${query}`}>{(texts) => <Texts texts={texts} />}</Loaded>}
    </details>
  )
}

function Texts({ texts: { before, after, isCut } }: { texts: HeldPageTexts }): ReactNode {
  return (
    <>
      {isCut && <p className="muted">{t('Only the first {count} characters are compared.', { count: MAX_COMPARED_CHARACTERS })}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it */}
      <div className="change" tabIndex={0} role="group" aria-label={t('Text')}>
        {before !== null && after !== null ? <TextDiff before={before} after={after} /> : <pre dir="auto">{before ?? after}</pre>}
      </div>
    </>
  )
}
