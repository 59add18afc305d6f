import { type ReactNode, useId } from 'react'
import type { Breakdown, FigureDays, FigureRow, Figures, Part } from '../../contract/staff/figures.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { attentionText } from '../attention-text.ts'
import { type Bar, BarChart } from '../bar-chart.tsx'
import { type Columns, DataTable } from '../data-table.tsx'
import { Show } from '../parts.tsx'
import { stateName } from '../state-names.ts'
import { useHash } from '../use-hash.ts'
import { useLoaded } from '../use-call.ts'

const DAY_MS = 86_400_000
/** Ranges, by what the address says. */
const RANGES = { '7': '7 days', '30': '30 days', '90': '90 days', '365': 'A year' }
const DEFAULT_RANGE = '30'

const NUMBER = new Intl.NumberFormat()
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const MONEY = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

const BREAKDOWN_NAMES: Readonly<Record<Breakdown, string>> = {
  state: 'State',
  agent: 'Agent',
  version: 'Agent version',
  embed: 'Embedding site',
  language: 'Language',
  model: 'Model',
}

/** Where prompts come from, other than a site. */
const EMBED_NAMES: Readonly<Record<string, string>> = { page: 'None, the page itself', api: 'None, by the API' }

/** Figures of the last days. The address has the range, so a link shows the same. */
export function Overview(): ReactNode {
  const chosen = useHash().split('/')[1] ?? DEFAULT_RANGE
  const days = chosen in RANGES ? chosen : DEFAULT_RANGE
  const to = new Date().toISOString().slice(0, 10)
  const from = new Date(Date.parse(to) - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10)
  const range = `from=${from}&to=${to}`
  return (
    <>
      <Now />
      <div className="ranges" role="group" aria-label="Range">
        {Object.entries(RANGES).map(([value, name]) => (
          <a key={value} href={`#/overview/${value}`} aria-current={value === days ? 'true' : undefined}>
            {name}
          </a>
        ))}
      </div>
      <Range key={range} range={range} today={to} />
    </>
  )
}

/** What needs a hand, and what happens now. */
function Now(): ReactNode {
  const { loaded } = useLoaded<InstallationStatus>('status')
  // Figures are shown without it too.
  if (loaded.status !== 'loaded') return null
  const { attention, budgets, system } = loaded.reply
  return (
    <>
      {attention.length > 0 && (
        <ul className="attention" aria-label="Needs a hand">
          {attention.map((one) => (
            <li key={one.text}>
              <a href={`#/${one.screen}`}>{attentionText(one)}</a>
            </li>
          ))}
        </ul>
      )}
      <dl className="tiles">
        <Tile name="Running answers">{NUMBER.format(system.runningTurns)}</Tile>
        <Tile name="Waiting prompts">{NUMBER.format(system.waitingPrompts)}</Tile>
        {budgets.map(({ period, used, limit }) => (
          <Tile key={period} name={period === 'day' ? 'Budget today' : 'Budget this month'}>
            {MONEY.format(used)} of {MONEY.format(limit)}
          </Tile>
        ))}
      </dl>
    </>
  )
}

function Range({ range, today }: { range: string; today: string }): ReactNode {
  const figures = useLoaded<Figures>(`figures?${range}`)
  return <Show {...figures}>{(loaded) => <Loaded figures={loaded} range={range} today={today} />}</Show>
}

function Loaded({ figures, range, today }: { figures: Figures; range: string; today: string }): ReactNode {
  const { days, isPending, total, times, refusals } = figures
  if (days.length === 0)
    return (
      <p className="notice">
        {isPending
          ? 'There are fewer than five answers so far. Figures appear from the fifth on, so that nobody can be told from them.'
          : 'No answers in these days. Figures appear from the fifth answer on, within ten seconds.'}
      </p>
    )
  const now = days.find(({ to }) => to === today)
  return (
    <>
      <dl className="tiles">
        <Tile name="Prompts">{NUMBER.format(sumOf(days, ({ turns }) => turns))}</Tile>
        <Tile name="Prompts today">{now && now.from === today ? NUMBER.format(now.turns) : 'Fewer than 5'}</Tile>
        <Tile name="Visitors today">{now?.visitors ? NUMBER.format(now.visitors) : 'Fewer than 5'}</Tile>
        <Tile name="Useful" hint="Answered or referred, and neither rated down nor asked again">
          {shareOf(total.useful)}
        </Tile>
        <Tile name="Not covered">{shareOf(total.notCovered)}</Tile>
        <Tile name="First words" hint="Half of the answers, and 95 %">
          {times.firstText ? `${secondsOf(times.firstText.median)}, ${secondsOf(times.firstText.p95)}` : 'Unknown'}
        </Tile>
        <Tile name="Whole answer" hint="Half of the answers, and 95 %">
          {times.wholeAnswer ? `${secondsOf(times.wholeAnswer.median)}, ${secondsOf(times.wholeAnswer.p95)}` : 'Unknown'}
        </Tile>
        <Tile name="Spent">{MONEY.format(sumOf(days, ({ cost }) => cost))}</Tile>
      </dl>
      {isPending && <p className="muted">Days with fewer than five prompts are shown together with the next ones.</p>}
      <Table
        name="Prompts by day"
        range={range}
        table="days"
        chart={<BarChart bars={days.map(barOf)} />}
        rows={days.toReversed()}
        columns={DAY_COLUMNS}
        keyOf={({ from }) => from}
      />
      <Breakdowns {...figures} range={range} />
      {figures.files.length > 0 && (
        <Table name="Knowledge" range={range} table="files" rows={figures.files} columns={FILE_COLUMNS} keyOf={({ file }) => file} />
      )}
      {refusals.length > 0 && (
        <Table
          name="Prompts turned away"
          range={range}
          table="refusals"
          rows={refusals}
          columns={REFUSAL_COLUMNS}
          keyOf={({ code }) => code}
        />
      )}
      <p className="muted">
        Days are those of UTC. Counts of fewer than five are not shown, nor what would tell them: rare values are “Other”, and “Few” stands
        for thumbs and the like of which there are fewer than five.
      </p>
    </>
  )
}

function Tile({ name, hint, children }: { name: string; hint?: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {hint && <dd className="muted">{hint}</dd>}
    </div>
  )
}

interface TableProps<Row> {
  name: string
  range: string
  /** Name of the table to download. */
  table: string
  chart?: ReactNode
  rows: readonly Row[]
  columns: Columns<Row>
  keyOf(row: Row): string
}

/** A table with its chart above and its CSV below. */
function Table<Row>({ name, range, table, chart, ...rest }: TableProps<Row>): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="figures">
      <h2 id={id}>{name}</h2>
      {chart}
      <DataTable id={table} name={name} csv={`/api/staff/v1/figures.csv?${range}&table=${table}`} {...rest} />
    </section>
  )
}

const DAY_COLUMNS: Columns<FigureDays> = {
  day: { name: 'Day', value: ({ from }) => from, show: ({ from, to }) => rangeOf(from, to) },
  prompts: { name: 'Prompts', value: ({ turns }) => turns },
  visitors: { name: 'Visitors', value: ({ visitors }) => visitors },
  read: { name: 'Tokens read', value: ({ inputTokens }) => inputTokens },
  written: { name: 'Tokens written', value: ({ outputTokens }) => outputTokens },
  cost: { name: 'Cost', value: ({ cost }) => cost, show: ({ cost }) => MONEY.format(cost) },
}
const THUMB_COLUMNS: Columns<{ up: Part; down: Part }> = {
  up: { name: 'Thumbs up', value: ({ up }) => up?.count ?? null, show: ({ up }) => countOf(up) },
  down: { name: 'Thumbs down', value: ({ down }) => down?.count ?? null, show: ({ down }) => countOf(down) },
}
const FILE_COLUMNS: Columns<Figures['files'][number]> = {
  file: { name: 'File', value: ({ file }) => file },
  answers: { name: 'Answers', value: ({ answers }) => answers },
  ...THUMB_COLUMNS,
}
const REFUSAL_COLUMNS: Columns<Figures['refusals'][number]> = {
  reason: { name: 'Reason', value: ({ code }) => code.replaceAll('_', ' ') },
  prompts: { name: 'Prompts', value: ({ count }) => count },
}
const SHARE_COLUMNS: Columns<FigureRow> = {
  useful: { name: 'Useful', value: ({ useful }) => portionOf(useful), show: ({ useful }) => shareOf(useful) },
  notCovered: { name: 'Not covered', value: ({ notCovered }) => portionOf(notCovered), show: ({ notCovered }) => shareOf(notCovered) },
}

function Breakdowns({ breakdowns, range }: Figures & { range: string }): ReactNode {
  const shown = (Object.keys(BREAKDOWN_NAMES) as Breakdown[]).filter((breakdown) => (breakdowns[breakdown] ?? []).length > 0)
  return shown.map((breakdown) => {
    const rows = breakdowns[breakdown] ?? []
    const bars = rows.map(({ value, turns }): Bar => ({ name: nameOf(breakdown, value), value: turns, text: NUMBER.format(turns) }))
    return (
      <Table
        key={breakdown}
        name={`By ${BREAKDOWN_NAMES[breakdown].toLowerCase()}`}
        range={range}
        table={breakdown}
        chart={<BarChart bars={bars} isHorizontal />}
        rows={rows}
        columns={breakdownColumns(breakdown)}
        keyOf={({ value }) => value}
      />
    )
  })
}

function breakdownColumns(breakdown: Breakdown): Columns<FigureRow> {
  return {
    value: { name: BREAKDOWN_NAMES[breakdown], value: ({ value }) => nameOf(breakdown, value) },
    prompts: { name: 'Prompts', value: ({ turns }) => turns },
    ...(breakdown === 'state' ? {} : SHARE_COLUMNS),
    ...THUMB_COLUMNS,
    cost: { name: 'Cost', value: ({ cost }) => cost, show: ({ cost }) => MONEY.format(cost) },
  }
}

function nameOf(breakdown: Breakdown, value: string): string {
  if (value === 'other') return 'Other'
  if (value === 'unknown') return 'Unknown'
  if (breakdown === 'state') return stateName(value)
  if (breakdown === 'language') return languageNames().of(value) ?? value
  if (breakdown === 'model' && value === 'none') return 'No model'
  if (breakdown === 'embed') return EMBED_NAMES[value] ?? value
  return value
}

const languageNames = () => new Intl.DisplayNames(undefined, { type: 'language' })
const barOf = ({ from, to, turns }: FigureDays): Bar => ({ name: rangeOf(from, to), value: turns, text: NUMBER.format(turns) })
const portionOf = (part: Part) => (part ? part.count / part.of : null)
const shareOf = (part: Part) => (part ? PERCENT.format(part.count / part.of) : 'Few')
const countOf = (part: Part) => (part ? NUMBER.format(part.count) : 'Few')
const secondsOf = (ms: number | null) => (ms === null ? 'over 2 min' : `${NUMBER.format(ms / 1000)} s`)
const rangeOf = (from: string, to: string) =>
  from === to ? DAY.format(Date.parse(from)) : DAY.formatRange(Date.parse(from), Date.parse(to))

function sumOf(days: readonly FigureDays[], value: (day: FigureDays) => number): number {
  return days.reduce((sum, day) => sum + value(day), 0)
}
