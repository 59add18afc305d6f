import type { ReactNode } from 'react'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { Show } from '../parts.tsx'
import { useLoaded } from '../use-call.ts'

/** State of the installation. */
export function Status(): ReactNode {
  const status = useLoaded<InstallationStatus>('status')
  return <Show {...status}>{(installation) => <Installation {...installation} />}</Show>
}

function Installation({ name, release, database, models, agents, indexing, problems, budgets }: InstallationStatus): ReactNode {
  return (
    <>
      <section aria-label="Problems">
        {problems.length === 0 ? (
          <p className="good">Nothing needs attention.</p>
        ) : (
          <ul className="problems">
            {problems.map(({ code, detail }) => (
              <li key={code + detail}>{detail}</li>
            ))}
          </ul>
        )}
      </section>
      <dl>
        <Row name="Installation">{name}</Row>
        <Row name="Release">{release}</Row>
        <Row name="Database">{database === 'postgres' ? 'PostgreSQL' : 'Embedded'}</Row>
        <Row name={models.length > 1 ? 'Models' : 'Model'}>{models.join(', then ')}</Row>
        <Row name="Agents">{agents.map((agent) => agent.name).join(', ')}</Row>
        <Row name="Knowledge">{indexing ? `${indexing.indexed} of ${indexing.total} files indexed` : 'Indexed'}</Row>
      </dl>
      <h2>Budgets</h2>
      {budgets.length === 0 && <p className="muted">No budget is set: BUDGET_PER_DAY and BUDGET_PER_MONTH limit what answers may cost.</p>}
      {budgets.map(({ period, used, limit }) => (
        <p key={period}>
          <label>
            {period === 'day' ? 'Today' : 'This month'}: {money(used)} of {money(limit)}
            <meter value={used} max={limit} high={limit * 0.8} optimum={0} />
          </label>
        </p>
      ))}
    </>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function money(amount: number): string {
  return amount.toLocaleString(undefined, { maximumFractionDigits: 2 })
}
