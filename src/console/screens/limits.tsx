import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { LimitInForce, LimitList } from '../../contract/staff/limits.ts'
import { hasRight } from '../../contract/staff/roles.ts'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { DataList } from '../parts/data-list.tsx'
import { type Columns, DataTable } from '../parts/data-table.tsx'
import { limitName } from '../limit-names.ts'
import { ActionError, Field, Show, Tile, Time } from '../parts/parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useStaff } from '../staff-context.ts'
import { useAction, useLoaded } from '../use-call.ts'
import { Networks } from './networks.tsx'
import { amountOf } from '../format.ts'
import { reasonName } from '../reason-names.ts'

const MAX_FRACTION_DIGITS = 6
const valueOf = (value: number) => amountOf(value, MAX_FRACTION_DIGITS)
const SOURCES = { default: defineMessage('Default'), environment: defineMessage('Environment'), console: defineMessage('Console') } as const
/** From this share on, a limit is near. */
const NEAR = 0.8

/** Limits and budgets as they are in force, how near they are, and what changes them. */
export function Limits(): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<LimitList>('limits')
  return (
    <>
      <p>{t('A change is live within a second and stays until someone takes it back, even over restarts.')}</p>
      <Show loaded={loaded} reload={reload}>
        {(list) => <Loaded list={list} reload={reload} />}
      </Show>
      {hasRight(session.role, 'block-networks') && <Networks />}
    </>
  )
}

function Loaded({ list, reload }: { list: LimitList; reload: () => Promise<void> }): ReactNode {
  const { limits, runningTurns, waitingPrompts, openStreams, processes, rejections } = list
  return (
    <>
      <dl className="tiles">
        <Tile name={t('Running answers')}>{t.number(runningTurns)}</Tile>
        <Tile name={t('Waiting prompts')}>{t.number(waitingPrompts)}</Tile>
        <Tile name={t('Open streams')}>{t.number(openStreams)}</Tile>
        <Tile name={t('Processes')} hint={t('Limits per process count once for each')}>
          {t.number(processes)}
        </Tile>
      </dl>
      <LimitTable name={t('Budgets')} kind="budget" limits={limits} reload={reload} />
      <LimitTable name={t('Limits')} kind="quota" limits={limits} reload={reload} />
      <section aria-labelledby="rejections" className="figures">
        <h2 id="rejections">{t('Prompts turned away today')}</h2>
        {rejections.length === 0 ? (
          <p className="muted">{t('None, or fewer than five for each reason.')}</p>
        ) : (
          <DataTable
            id="rejections"
            name={t('Prompts turned away today')}
            rows={rejections}
            columns={REJECTION_COLUMNS}
            keyOf={({ code }) => code}
          />
        )}
      </section>
    </>
  )
}

const REJECTION_COLUMNS: Columns<LimitList['rejections'][number]> = {
  reason: { name: defineMessage('Reason'), value: ({ code }) => reasonName(code) },
  prompts: { name: defineMessage('Prompts'), value: ({ count }) => count },
}
const LIMIT_COLUMNS: Columns<LimitInForce> = {
  limit: { name: defineMessage('Limit'), value: limitName },
  setting: { name: defineMessage('Setting'), value: ({ setting }) => setting },
  value: { name: defineMessage('Value'), value: ({ value }) => value },
  used: { name: defineMessage('Used'), value: ({ used }) => used },
  share: {
    name: defineMessage('Used (%)'),
    value: ({ used, value }) => (used === null || !value ? null : Math.round((used / value) * 100)),
  },
  source: { name: defineMessage('Source'), value: ({ source }) => t(SOURCES[source]) },
  environment: { name: defineMessage('Without the change'), value: ({ environmentValue }) => environmentValue },
  changed: { name: defineMessage('Changed'), value: ({ changedAt }) => changedAt },
  who: {
    name: defineMessage('Changed by'),
    value: ({ changedAt, changedBy }) => changedAt && (changedBy ?? t('someone who was removed')),
  },
}

interface LimitTableProps {
  name: string
  kind: LimitInForce['kind']
  limits: LimitInForce[]
  reload: () => Promise<void>
}

function LimitTable({ name, kind, limits, reload }: LimitTableProps): ReactNode {
  const { session } = useStaff()
  const [changing, setChanging] = useState('')
  const canChange = hasRight(session.role, kind === 'budget' ? 'change-budgets' : 'change-limits')
  const shown = limits.filter((limit) => limit.kind === kind)
  const done = async () => {
    setChanging('')
    await reload()
  }
  return (
    <section aria-labelledby={kind} className="figures">
      <h2 id={kind}>{name}</h2>
      {!canChange && <p className="muted">{kind === 'budget' ? t('Owners change budgets.') : t('Owners and editors change limits.')}</p>}
      <DataList id={kind} name={name} rows={shown} columns={LIMIT_COLUMNS} keyOf={(limit) => limit.name}>
        {(limit) => (
          <li>
            <h3>{limitName(limit)}</h3>
            <Value limit={limit} />
            {canChange && limit.range && changing !== limit.name && (
              <Button
                variant="outline"
                className="small"
                aria-label={t('Change: {name}', { name: limit.setting })}
                onClick={() => setChanging(limit.name)}
              >
                {t('Change')}
              </Button>
            )}
            {canChange && limit.source === 'console' && <Restore limit={limit} onDone={done} />}
            {changing === limit.name && <ChangeForm limit={limit} onDone={done} onReload={reload} onClose={() => setChanging('')} />}
          </li>
        )}
      </DataList>
    </section>
  )
}

function Value({ limit }: { limit: LimitInForce }): ReactNode {
  const { value, source, setting, used, changedAt, changedBy, environmentValue } = limit
  if (value === null)
    return (
      <p className="muted">
        {t.with('Not limited. Set {setting} in the environment first: it is the highest value that can be set here.', {
          setting: <code dir="ltr">{setting}</code>,
        })}
      </p>
    )
  return (
    <>
      <p>
        {used === null ? (
          <strong>{valueOf(value)}</strong>
        ) : (
          t.with('{value} ({used} used)', { value: <strong>{valueOf(value)}</strong>, used: valueOf(used) })
        )}
        {used !== null && (
          <meter
            aria-label={t('Used: {name}', { name: setting })}
            value={Math.min(used, value)}
            max={value || 1}
            high={value * NEAR}
            optimum={0}
          />
        )}
      </p>
      <p className="muted">
        {t(SOURCES[source])}
        {t(', ')}
        <code dir="ltr">{setting}</code>
        {source === 'console' && environmentValue !== null && (
          <>
            {t(', ')}
            {t('{value} without the change', { value: valueOf(environmentValue) })}
          </>
        )}
        {changedAt && (
          <>
            .{' '}
            {t.with('Changed {time} by {name}', {
              time: <Time at={changedAt} />,
              name: <bdi>{changedBy ?? t('someone who was removed')}</bdi>,
            })}
          </>
        )}
      </p>
    </>
  )
}

/** Takes a change back at once. */
function Restore({ limit, onDone }: { limit: LimitInForce; onDone(): Promise<void> }): ReactNode {
  const { run, isBusy, error } = useAction()
  const restore = () =>
    run(async () => {
      await confirmed(() => call('DELETE', pathOf(limit)))
      await onDone()
    })
  const label = t('Back to {value}', { value: valueOf(limit.environmentValue ?? 0) })
  return (
    <>
      <Button variant="outline" className="small" disabled={isBusy} aria-label={`${label}: ${limit.setting}`} onClick={restore}>
        {label}
      </Button>
      <ActionError message={error} />
    </>
  )
}

const pathOf = ({ kind, name }: LimitInForce) => `${kind === 'budget' ? 'budgets' : 'limits'}/${name}`

interface ChangeFormProps {
  limit: LimitInForce
  onDone(): Promise<void>
  onReload(): Promise<void>
  onClose(): void
}

/** Form that keeps its input when somebody else changes the limit; the card then shows their value. */
function ChangeForm({ limit, onDone, onReload, onClose }: ChangeFormProps): ReactNode {
  const { unit, value } = limit
  const { min, max } = limit.range ?? { min: 0, max: 0 }
  const [typed, setTyped] = useState(String(value ?? ''))
  const [mistake, setMistake] = useState('')
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const wanted = typed.trim() === '' ? Number.NaN : Number(typed.replace(',', '.'))
    const isInRange = wanted >= min && wanted <= max && (unit === 'money' || Number.isInteger(wanted))
    const range = { min: valueOf(min), max: valueOf(max) }
    const mistaken =
      unit === 'money' ? t('Enter an amount from {min} to {max}.', range) : t('Enter a whole number from {min} to {max}.', range)
    setMistake(isInRange ? '' : mistaken)
    if (!isInRange) return
    run(async () => {
      try {
        await confirmed(() => call('POST', pathOf(limit), { value: wanted, replaces: value }))
      } catch (cause) {
        await onReload()
        throw cause
      }
      await onDone()
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('Change {name}', { name: limit.setting })}>
      <Field
        label={t('New value')}
        hint={t('From {min} to {max}, as far as the environment allows.', { min: valueOf(min), max: valueOf(max) })}
        error={mistake}
      >
        {(ids) => <input {...ids} inputMode="decimal" maxLength={20} value={typed} onChange={({ target }) => setTyped(target.value)} />}
      </Field>
      <div className="actions">
        <Button variant="solid" type="submit" disabled={isBusy}>
          {t('Activate')}
        </Button>
        <Button variant="outline" disabled={isBusy} onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
      <ActionError message={error} />
    </form>
  )
}
