import { type ReactNode, useId, useState } from 'react'
import { type HeldKind, MAX_COMPARED_CHARACTERS } from '../../../contract/staff/content/held-page-kinds.ts'
import type { HeldPageTexts, HeldPageView } from '../../../contract/staff/content/held-pages.ts'
import { Loaded } from '../../parts/parts.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { defineMessage, type MessageText, t } from '../../../ui/language/translate.ts'

export type Choice = 'accept' | 'keep'

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

export function HeldPage({ page, path, choice, onChoose }: HeldPageProps): ReactNode {
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
