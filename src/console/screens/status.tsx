import type { ReactNode } from 'react'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { Show, Time } from '../parts.tsx'
import { useLoaded } from '../use-call.ts'

/** State of the installation. */
export function Status(): ReactNode {
  const status = useLoaded<InstallationStatus>('status')
  return <Show {...status}>{(installation) => <Installation {...installation} />}</Show>
}

function Installation({ name, release, database, models, agents, indexing, problems, budgets, system }: InstallationStatus): ReactNode {
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
        <Row name="Database">
          {database === 'postgres' ? 'PostgreSQL' : 'Embedded'}, {megabytes(system.databaseBytes)}
          {system.migrations.pending > 0 && `, ${system.migrations.pending} migrations pending`}
        </Row>
        {system.freeBytes !== null && <Row name="Free space">{megabytes(system.freeBytes)}</Row>}
        <Row name="Running answers">
          {system.runningTurns}, and {system.waitingPrompts} prompts that wait
        </Row>
        <Row name={models.length > 1 ? 'Models' : 'Model'}>{models.join(', then ')}</Row>
        <Row name="Agents">{agents.map((agent) => agent.name).join(', ')}</Row>
        <Row name="Knowledge">{indexing ? `${indexing.indexed} of ${indexing.total} files indexed` : 'Indexed'}</Row>
      </dl>
      <Backup {...system.backup} />
      <Endpoints endpoints={system.endpoints} />
      <LoggedProblems problems={system.loggedProblems} />
      <Processes processes={system.processes} />
      {system.sources.length > 0 && (
        <>
          <h2>Websites</h2>
          <dl>
            {system.sources.map(({ id, state }) => (
              <Row key={id} name={id}>
                {state}
              </Row>
            ))}
          </dl>
        </>
      )}
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

function Backup({ lastAt, rehearsedAt }: InstallationStatus['system']['backup']): ReactNode {
  return (
    <>
      <h2>Backup</h2>
      <dl>
        <Row name="Last backup">{lastAt ? <Time at={lastAt} /> : 'None recorded'}</Row>
        <Row name="Last rehearsal">{rehearsedAt ? <Time at={rehearsedAt} /> : 'None recorded'}</Row>
      </dl>
      <p className="muted">
        As <code>npm run backup</code> and <code>npm run restore -- --rehearse</code> record it. Copies made in other ways aren’t known
        here.
      </p>
    </>
  )
}

function Endpoints({ endpoints }: Pick<InstallationStatus['system'], 'endpoints'>): ReactNode {
  return (
    <>
      <h2>Model endpoints</h2>
      {endpoints.length === 0 ? (
        <p className="muted">No turn has used a model in the last ten minutes.</p>
      ) : (
        <dl>
          {endpoints.map(({ name, answered, failed, lastFailure }) => (
            <Row key={name} name={name}>
              {answered} answered, {failed} failed{lastFailure && ` (${lastFailure.replaceAll('_', ' ')})`} in the last ten minutes
            </Row>
          ))}
        </dl>
      )}
    </>
  )
}

function LoggedProblems({ problems }: { problems: InstallationStatus['system']['loggedProblems'] }): ReactNode {
  return (
    <section aria-labelledby="logged" className="figures">
      <h2 id="logged">Log of problems</h2>
      <p className="muted">
        Warnings and errors of all processes in the last 30 days. The server’s own log has each of them with its time and cause.
      </p>
      {problems.length === 0 ? (
        <p>None.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it
        <div className="table" tabIndex={0} role="group" aria-labelledby="logged">
          <table>
            <thead>
              <tr>
                {['Last', 'Level', 'Problem', 'Times', 'First'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {problems.map(({ message, detail, level, count, firstAt, lastAt }) => (
                <tr key={message}>
                  <th scope="row">
                    <Time at={lastAt} />
                  </th>
                  <td>{level}</td>
                  <td className="sentence">
                    {message}
                    {detail && (
                      <>
                        {' '}
                        <code>{detail}</code>
                      </>
                    )}
                  </td>
                  <td>{count.toLocaleString()}</td>
                  <td>
                    <Time at={firstAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Processes({ processes }: Pick<InstallationStatus['system'], 'processes'>): ReactNode {
  return (
    <section aria-labelledby="processes" className="figures">
      <h2 id="processes">Processes</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it */}
      <div className="table" tabIndex={0} role="group" aria-labelledby="processes">
        <table>
          <thead>
            <tr>
              {['Process', 'Release', 'Node.js', 'Since', 'Answers', 'Waiting', 'Streams', 'Lag', 'Memory'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {processes.map((one) => (
              <tr key={one.host + one.pid}>
                <th scope="row">
                  {one.pid} on {one.host}
                </th>
                <td>{one.release}</td>
                <td>{one.node}</td>
                <td>
                  <Time at={one.startedAt} />
                </td>
                <td>{one.runningTurns}</td>
                <td>{one.waitingPrompts}</td>
                <td>{one.openStreams}</td>
                <td>{one.lagMs} ms</td>
                <td>{megabytes(one.memoryBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const MEGABYTE = 1024 * 1024
const megabytes = (bytes: number) => `${Math.ceil(bytes / MEGABYTE).toLocaleString()} MB`

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
