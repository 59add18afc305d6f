import { type ReactNode, useState } from 'react'
import type { LimitInForce, LimitList } from '../../contract/staff/limits.ts'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { type Columns, DataTable } from '../parts/data-table.tsx'
import { limitName } from '../names.ts'
import { ActionButton, Field, Form, Loaded, SmallButton, Submit, Time } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { useForm } from '../use-call.ts'
import { amountOf } from '../format.ts'

const MAX_FRACTION_DIGITS = 6
const valueOf = (value: number) => amountOf(value, MAX_FRACTION_DIGITS)
const SOURCES = { default: defineMessage('Default'), environment: defineMessage('Environment'), console: defineMessage('Console') } as const
/** From this share on, a limit is near. */
const NEAR = 0.8

export function Limits(): ReactNode {
  return (
    <>
      <p>{t('A change is live within a second and stays until someone takes it back, even over restarts.')}</p>
      <Loaded<LimitList> path="limits">{(list) => <LimitTable list={list} />}</Loaded>
    </>
  )
}

function LimitTable({ list }: { list: LimitList }): ReactNode {
  const { may } = useStaff()
  return (
    <>
      {!may('change-limits') && <p className="muted">{t('Owners and editors change limits.')}</p>}
      {!may('change-budgets') && <p className="muted">{t('Owners change budgets.')}</p>}
      <section className="list" aria-label={t('Limits')}>
        <DataTable name={t('Limits')} rows={list.limits} columns={LIMIT_COLUMNS} keyOf={({ name }) => name} />
      </section>
    </>
  )
}

const LIMIT_COLUMNS: Columns<LimitInForce> = {
  limit: {
    name: defineMessage('Limit'),
    value: limitName,
    isSentence: true,
    show: (limit) => (
      <>
        {limitName(limit)} <code dir="ltr">{limit.setting}</code>
      </>
    ),
  },
  value: { name: defineMessage('Value'), value: ({ value }) => value, isSentence: true, show: (limit) => <Value limit={limit} /> },
  used: {
    name: defineMessage('Used'),
    value: ({ used }) => used,
    show: ({ used, value, setting }) =>
      used !== null &&
      value !== null && (
        <>
          {valueOf(used)}
          <meter
            aria-label={t('Used: {name}', { name: setting })}
            value={Math.min(used, value)}
            max={value || 1}
            high={value * NEAR}
            optimum={0}
          />
        </>
      ),
  },
  source: {
    name: defineMessage('Source'),
    value: ({ source, changedAt }) => [t(SOURCES[source]), changedAt].filter(Boolean).join(' '),
    show: ({ source, changedAt, changedBy }) => (
      <>
        {t(SOURCES[source])}
        {changedAt && (
          <span className="muted second">
            <Time at={changedAt} />
            {t(', ')}
            <bdi>{changedBy ?? t('someone who was removed')}</bdi>
          </span>
        )}
      </>
    ),
  },
}

function Value({ limit }: { limit: LimitInForce }): ReactNode {
  const { may } = useStaff()
  const [isChanging, setChanging] = useState(false)
  const { value, kind, setting, source, range } = limit
  if (value === null)
    return (
      <span className="muted">
        {t.with('No limit. Set {setting} in the environment first: it’s the highest value that you can choose here.', {
          setting: <code dir="ltr">{setting}</code>,
        })}
      </span>
    )
  if (isChanging) return <ChangeForm limit={limit} onClose={() => setChanging(false)} />
  const canChange = may(kind === 'budget' ? 'change-budgets' : 'change-limits')
  return (
    <span className="check">
      <strong>{valueOf(value)}</strong>
      {canChange && range && (
        <SmallButton aria-label={t('Change: {name}', { name: setting })} onClick={() => setChanging(true)}>
          {t('Change')}
        </SmallButton>
      )}
      {canChange && source === 'console' && <Restore limit={limit} />}
    </span>
  )
}

function Restore({ limit }: { limit: LimitInForce }): ReactNode {
  const label = t('Back to {value}', { value: valueOf(limit.environmentValue ?? 0) })
  return (
    <ActionButton label={`${label}: ${limit.setting}`} act={() => call('DELETE', pathOf(limit))}>
      {label}
    </ActionButton>
  )
}

const pathOf = ({ kind, name }: LimitInForce) => `${kind === 'budget' ? 'budgets' : 'limits'}/${name}`

/** Form that keeps its input when somebody else changes the limit. */
function ChangeForm({ limit, onClose }: { limit: LimitInForce; onClose(): void }): ReactNode {
  const { unit, value } = limit
  const { min, max } = limit.range ?? { min: 0, max: 0 }
  const [typed, setTyped] = useState(String(value ?? ''))
  const wanted = typed.trim() === '' ? Number.NaN : Number(typed.replace(',', '.'))
  const isInRange = wanted >= min && wanted <= max && (unit === 'money' || Number.isInteger(wanted))
  const range = { min: valueOf(min), max: valueOf(max) }
  const mistake =
    unit === 'money' ? t('Enter an amount from {min} to {max}.', range) : t('Enter a whole number from {min} to {max}.', range)
  const { submit, isBusy, error, mistakes } = useForm({ value: !isInRange && mistake }, () =>
    call('POST', pathOf(limit), { value: wanted, replaces: value }).then(onClose),
  )
  return (
    <Form onSubmit={submit} name={t('Change {name}', { name: limit.setting })}>
      <Field label={t('New value')} hint={t('From {min} to {max}, the most that the environment allows.', range)} error={mistakes.value}>
        {(ids) => <input {...ids} inputMode="decimal" maxLength={20} value={typed} onChange={({ target }) => setTyped(target.value)} />}
      </Field>
      <Submit isDisabled={isBusy} error={error} text={t('Activate')} onClose={onClose} />
    </Form>
  )
}
