import type { ReactNode } from 'react'
import type { Breakdown, FigureDays, FigureRow, Figures, Part } from '../../contract/staff/figures.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { attentionText, reasonName, stateName } from '../names.ts'
import { type Bar, BarChart } from '../parts/bar-chart.tsx'
import { type Columns, DataTable } from '../parts/data-table.tsx'
import { Loaded, Section, Tile } from '../parts/parts.tsx'
import { PasskeyReminder } from './passkey-form.tsx'
import { useHash } from '../use-hash.ts'
import { useLoaded } from '../use-call.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { useStaff } from '../staff-context.ts'
import { amountOf, dayOf, daysOf, joined, languageName, percentOf } from '../format.ts'
import { modelName } from '../../ui/language/model-name.ts'

const DAY_MS = 86_400_000
/** More rows than a month has days. */
const FILTERED_FROM = 40
/** Ranges, by what the address says. */
const RANGES = {
  '7': defineMessage('7 days'),
  '30': defineMessage('30 days'),
  '90': defineMessage('90 days'),
  '365': defineMessage('A year'),
}
const DEFAULT_RANGE = '30'

const BREAKDOWNS: Readonly<Record<Breakdown, { name: MessageText; title: MessageText }>> = {
  state: { name: defineMessage('State'), title: defineMessage('By state') },
  agent: { name: defineMessage('Agent'), title: defineMessage('By agent') },
  embed: { name: defineMessage('Embedding site'), title: defineMessage('By embedding site') },
  language: { name: defineMessage('Language'), title: defineMessage('By language') },
  model: { name: defineMessage('Model'), title: defineMessage('By model') },
}

/** Where prompts come from, other than a site. */
const EMBED_NAMES: Readonly<Record<string, MessageText>> = {
  page: defineMessage('None, the page itself'),
  api: defineMessage('None, by the API'),
}

/** Figures of the last days. The address has the range and the breakdown, so a link shows the same. */
export function Overview(): ReactNode {
  const [, chosen = DEFAULT_RANGE, by = 'state'] = useHash().split('/')
  const days = chosen in RANGES ? chosen : DEFAULT_RANGE
  const to = new Date().toISOString().slice(0, 10)
  const from = new Date(Date.parse(to) - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10)
  const range = `from=${from}&to=${to}`
  return (
    <>
      <PasskeyReminder />
      <Now />
      <div className="ranges" role="group" aria-label={t('Range')}>
        {Object.entries(RANGES).map(([value, name]) => (
          <a key={value} href={`#/overview/${value}/${by}`} aria-current={value === days ? 'true' : undefined}>
            {t(name)}
          </a>
        ))}
      </div>
      <Loaded<Figures> path={`figures?${range}`}>
        {(loaded) => <AllFigures figures={loaded} range={range} first={from} today={to} />}
      </Loaded>
    </>
  )
}

function Now(): ReactNode {
  const { data: status } = useLoaded<InstallationStatus>('status')
  // Figures are shown without it too.
  if (!status) return null
  const { attention, budgets, system, steps } = status
  return (
    <>
      <FirstSteps steps={steps} />
      {attention.length > 0 && (
        <ul className="attention" aria-label={t('Needs attention')}>
          {attention.map((one) => (
            <li key={one.text}>
              <a href={`#/${one.screen}`}>{attentionText(one)}</a>
            </li>
          ))}
        </ul>
      )}
      <dl className="tiles">
        <Tile name={t('Running answers')}>{t.number(system.runningTurns)}</Tile>
        {budgets.map(({ period, used, limit }) => (
          <Tile key={period} name={period === 'day' ? t('Budget today') : t('Budget this month')}>
            {t('{used} of {limit}', { used: amountOf(used), limit: amountOf(limit) })}
          </Tile>
        ))}
      </dl>
    </>
  )
}

const STEPS: Readonly<Record<InstallationStatus['steps'][number]['step'], { name: MessageText; screen?: string }>> = {
  content: { name: defineMessage('Add a document or a website'), screen: 'knowledge' },
  ask: { name: defineMessage('Ask it something') },
  model: { name: defineMessage('Connect a model'), screen: 'status' },
  site: { name: defineMessage('Put it on your site'), screen: 'embeds' },
  colleague: { name: defineMessage('Invite a colleague'), screen: 'staff' },
}

/** A checklist of a new installation, which ticks itself, for people who can change things. */
function FirstSteps({ steps }: Pick<InstallationStatus, 'steps'>): ReactNode {
  const { ask, may } = useStaff()
  const count = steps.filter(({ isDone }) => isDone).length
  if (count === steps.length || !may('change-knowledge')) return null
  return (
    <details className="steps" open>
      <summary>{t('First steps: {count} of {total} done', { count, total: steps.length })}</summary>
      <ol>
        {steps.map(({ step, isDone }) => {
          const { name, screen } = STEPS[step]
          return (
            <li key={step} className={isDone ? 'good' : ''}>
              <Icon name={isDone ? 'check' : 'chevron'} />
              <div>
                {step === 'ask' && <Button onClick={() => ask()}>{t(name)}</Button>}
                {screen && <a href={`#/${screen}`}>{t(name)}</a>}
                {isDone && <span className="sr-only"> {t('done')}</span>}
              </div>
            </li>
          )
        })}
      </ol>
    </details>
  )
}

function AllFigures({ figures, range, first, today }: { figures: Figures; range: string; first: string; today: string }): ReactNode {
  const { days, total, times, rejections } = figures
  const steps = t(
    'Figures change when five visitors on five networks have added to them, so that nobody can be identified. Until then, they wait for the next day’s.',
  )
  if (days.length === 0) return <p className="notice">{steps}</p>
  const now = days.find(({ to }) => to === today)
  return (
    <>
      <dl className="tiles">
        <Tile name={t('Prompts')}>{t.number(sumOf(days, ({ turns }) => turns))}</Tile>
        <Tile name={t('Prompts today')}>{now && now.from === today ? t.number(now.turns) : t('Fewer than 5')}</Tile>
        <Tile name={t('Useful')} hint={t('Answered or referred, and not rated down')}>
          {shareOf(total.useful)}
        </Tile>
        <Tile name={t('Not covered')}>{shareOf(total.notCovered)}</Tile>
        <TimeTile name={t('First words')} times={times.firstText} />
        <TimeTile name={t('Whole answer')} times={times.wholeAnswer} />
        <Tile name={t('Spent')}>{amountOf(sumOf(days, ({ cost }) => cost))}</Tile>
      </dl>
      <p className="muted">{steps}</p>
      <Table
        name={t('Prompts by day')}
        range={range}
        table="days"
        chart={<BarChart bars={barsOf(figures, first, today)} legend={legendOf(figures)} />}
        rows={days.toReversed()}
        columns={DAY_COLUMNS}
        keyOf={({ from }) => from}
      />
      <BreakdownOf breakdowns={figures.breakdowns} range={range} />
      <Table name={t('Knowledge')} range={range} table="files" rows={figures.files} columns={FILE_COLUMNS} keyOf={({ file }) => file} />
      <Table
        name={t('Prompts turned away')}
        range={range}
        table="rejections"
        rows={rejections}
        columns={REJECTION_COLUMNS}
        keyOf={({ code }) => code}
      />
      <p className="muted">
        {t(
          'Days are in UTC. Counts below five are hidden, as is what would reveal them: rare values are grouped as “Other”, and small numbers are hidden until there are five visitors.',
        )}
      </p>
    </>
  )
}

interface TableProps<Row> {
  name: string
  range: string
  table: string
  chart?: ReactNode
  rows: readonly Row[]
  columns: Columns<Row>
  keyOf(row: Row): string
}

/** A table with its chart above and its CSV below; nothing without rows. */
function Table<Row>({ name, range, table, chart, ...rest }: TableProps<Row>): ReactNode {
  if (rest.rows.length === 0) return null
  return (
    <Section name={name} className="figures">
      {chart}
      <DataTable name={name} filteredFrom={FILTERED_FROM} csv={`/api/staff/v1/figures.csv?${range}&table=${table}`} {...rest} />
    </Section>
  )
}

const DAY_COLUMNS: Columns<FigureDays> = {
  day: { name: defineMessage('Day'), value: ({ from }) => from, show: ({ from, to }) => daysOf(from, to) },
  prompts: { name: defineMessage('Prompts'), value: ({ turns }) => turns },
  visitors: { name: defineMessage('Visitors'), value: ({ visitors }) => visitors },
  read: { name: defineMessage('Tokens read'), value: ({ inputTokens }) => inputTokens },
  written: { name: defineMessage('Tokens written'), value: ({ outputTokens }) => outputTokens },
  cost: { name: defineMessage('Cost'), value: ({ cost }) => cost, show: ({ cost }) => amountOf(cost) },
}
const THUMB_COLUMNS: Columns<{ up: Part; down: Part }> = {
  up: { name: defineMessage('Thumbs up'), value: ({ up }) => up?.count ?? null, show: ({ up }) => countOf(up) },
  down: { name: defineMessage('Thumbs down'), value: ({ down }) => down?.count ?? null, show: ({ down }) => countOf(down) },
}
const FILE_COLUMNS: Columns<Figures['files'][number]> = {
  file: { name: defineMessage('File'), value: ({ file }) => file },
  answers: { name: defineMessage('Answers'), value: ({ answers }) => answers },
  ...THUMB_COLUMNS,
}
const REJECTION_COLUMNS: Columns<Figures['rejections'][number]> = {
  reason: { name: defineMessage('Reason'), value: ({ code }) => reasonName(code) },
  prompts: { name: defineMessage('Prompts'), value: ({ count }) => count },
}
const SHARE_COLUMNS: Columns<FigureRow> = {
  useful: { name: defineMessage('Useful'), value: ({ useful }) => portionOf(useful), show: ({ useful }) => shareOf(useful) },
  notCovered: {
    name: defineMessage('Not covered'),
    value: ({ notCovered }) => portionOf(notCovered),
    show: ({ notCovered }) => shareOf(notCovered),
  },
}

function BreakdownOf({ breakdowns, range }: Pick<Figures, 'breakdowns'> & { range: string }): ReactNode {
  const [, days = DEFAULT_RANGE, by = 'state'] = useHash().split('/')
  const known = (Object.keys(BREAKDOWNS) as Breakdown[]).filter((breakdown) => (breakdowns[breakdown] ?? []).length > 0)
  const chosen = known.find((breakdown) => breakdown === by) ?? known[0]
  if (chosen === undefined) return null
  const rows = breakdowns[chosen] ?? []
  return (
    <>
      <div className="ranges" role="group" aria-label={t('Prompts')}>
        {known.map((breakdown) => (
          <a key={breakdown} href={`#/overview/${days}/${breakdown}`} aria-current={breakdown === chosen ? 'true' : undefined}>
            {t(BREAKDOWNS[breakdown].title)}
          </a>
        ))}
      </div>
      <Table
        key={chosen}
        name={t(BREAKDOWNS[chosen].title)}
        range={range}
        table={chosen}
        rows={rows}
        columns={breakdownColumns(chosen)}
        keyOf={({ value }) => value}
      />
    </>
  )
}

function breakdownColumns(breakdown: Breakdown): Columns<FigureRow> {
  return {
    value: { name: BREAKDOWNS[breakdown].name, value: ({ value }) => nameOf(breakdown, value) },
    prompts: { name: defineMessage('Prompts'), value: ({ turns }) => turns },
    ...(breakdown === 'state' ? {} : SHARE_COLUMNS),
    ...THUMB_COLUMNS,
    cost: { name: defineMessage('Cost'), value: ({ cost }) => cost, show: ({ cost }) => amountOf(cost) },
  }
}

function nameOf(breakdown: Breakdown, value: string): string {
  if (value === 'other') return t('Other')
  if (value === 'unknown') return t('Unknown')
  if (breakdown === 'state') return stateName(value)
  if (breakdown === 'language') return languageName(value)
  if (breakdown === 'model') return value === 'none' ? t('No model') : modelName(value)
  if (breakdown === 'embed') return EMBED_NAMES[value] ? t(EMBED_NAMES[value]) : value
  return value
}

/** A bar for each day of the range. Days that are only known together share their sum, and their states. */
function barsOf({ days, periods }: Figures, first: string, last: string): Bar[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10)
    const known = days.find((one) => one.from <= day && day <= one.to)
    if (!known) return { name: dayOf(day), value: 0, text: t('hidden until five visitors') }
    const together = Math.round((Date.parse(known.to) - Date.parse(known.from)) / DAY_MS) + 1
    const name = together === 1 ? dayOf(day) : daysOf(known.from, known.to)
    const period = periods.find((one) => one.from <= day && day <= one.to)
    const stack =
      period &&
      Object.entries(TONES).map(([tone, states]) => [tone, sumOf(states, (state) => period.states[state] ?? 0) / period.turns] as const)
    return { key: day, name, value: known.turns / together, text: t.number(known.turns), ...(stack && { stack }) }
  })
}

/** States by their colour in the chart, from the bottom. */
const TONES: Readonly<Record<string, readonly string[]>> = {
  sourced: ['answered'],
  helped: ['answered_without_source', 'clarified', 'referred'],
  uncovered: ['not_covered', 'out_of_scope'],
  broken: ['failed', 'interrupted', 'blocked_input', 'blocked_output'],
  rest: ['suspended', 'stopped', 'other', 'unknown'],
}

const legendOf = ({ periods }: Figures) =>
  Object.entries(TONES).flatMap(([tone, states]) => {
    const names = states.filter((state) => periods.some((period) => period.states[state])).map((state) => nameOf('state', state))
    return names.length === 0 ? [] : [[tone, joined(...names)] as const]
  })

/** How long answers take, for a reader who has no statistics. */
function TimeTile({ name, times }: { name: string; times: Figures['times']['firstText'] }): ReactNode {
  if (!times) return <Tile name={name}>{t('Unknown')}</Tile>
  return (
    <Tile name={name} hint={t('slowest 5 %: {time}', { time: secondsOf(times.p95) }).replaceAll(' %', '\u00A0%')}>
      <small>{t.with('typical {time}', { time: <strong>{secondsOf(times.median)}</strong> })}</small>
    </Tile>
  )
}

const portionOf = (part: Part) => (part ? part.count / part.of : null)
const shareOf = (part: Part) => (part ? percentOf(part.count / part.of) : t('hidden until five visitors'))
const countOf = (part: Part) => (part ? t.number(part.count) : t('hidden until five visitors'))
/** A time that isn't broken between its number and its unit. */
const secondsOf = (ms: number | null) => (ms === null ? t('over 2 min') : t('{count} s', { count: ms / 1000 })).replaceAll(' ', '\u00A0')

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0)
}
