import type { ReactNode } from 'react'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { Show, Time } from '../parts.tsx'
import { useLoaded } from '../use-call.ts'
import { t } from '../../web/language/translate.ts'
import { amountOf, joined } from '../format.ts'
import { reasonName } from '../reason-names.ts'

/** State of the installation. */
export function Status(): ReactNode {
  const status = useLoaded<InstallationStatus>('status')
  return <Show {...status}>{(installation) => <Installation {...installation} />}</Show>
}

function Installation({
  staffReading,
  name,
  release,
  database,
  models,
  agents,
  indexing,
  problems,
  budgets,
  system,
}: InstallationStatus): ReactNode {
  return (
    <>
      <section aria-label={t('Problems')}>
        {problems.length === 0 ? (
          <p className="good">{t('Nothing needs attention.')}</p>
        ) : (
          <ul className="problems">
            {problems.map(({ code, detail }) => (
              <li key={code + detail}>{detail}</li>
            ))}
          </ul>
        )}
      </section>
      <dl>
        <Row name={t('Installation')}>{name}</Row>
        <Row name={t('Release')}>{release}</Row>
        <Row name={t('Database')}>
          {joined(
            database === 'postgres' ? 'PostgreSQL' : t('Embedded'),
            megabytes(system.databaseBytes),
            system.migrations.pending > 0 && t.plural(system.migrations.pending, '{count} migration pending', '{count} migrations pending'),
          )}
        </Row>
        {system.freeBytes !== null && <Row name={t('Free space')}>{megabytes(system.freeBytes)}</Row>}
        <Row name={t('Running answers')}>
          {t('{running}, and {waiting} prompts that wait', { running: system.runningTurns, waiting: system.waitingPrompts })}
        </Row>
        <Row name={models.length > 1 ? t('Models') : t('Model')}>{models.join(t(', then '))}</Row>
        <Row name={t('Agents')}>{joined(...agents.map((agent) => agent.name))}</Row>
        <Row name={t('Staff can read')}>
          {staffReading
            ? t('What visitors hand over, and chats whose visitors have accepted that (STAFF_READING=all)')
            : t('What visitors hand over')}
        </Row>
        <Row name={t('Knowledge')}>
          {indexing ? t('{count} of {total} files indexed', { count: indexing.indexed, total: indexing.total }) : t('Indexed')}
        </Row>
      </dl>
      <Backup {...system.backup} />
      <Endpoints endpoints={system.endpoints} />
      <LoggedProblems problems={system.loggedProblems} />
      <Processes processes={system.processes} />
      {system.sources.length > 0 && (
        <>
          <h2>{t('Websites')}</h2>
          <dl>
            {system.sources.map(({ id, state }) => (
              <Row key={id} name={id}>
                {state}
              </Row>
            ))}
          </dl>
        </>
      )}
      <h2>{t('Budgets')}</h2>
      {budgets.length === 0 && (
        <p className="muted">{t('No budget is set: BUDGET_PER_DAY and BUDGET_PER_MONTH limit what answers may cost.')}</p>
      )}
      {budgets.map(({ period, used, limit }) => (
        <p key={period}>
          <label>
            {period === 'day'
              ? t('Today: {used} of {limit}', { used: amountOf(used), limit: amountOf(limit) })
              : t('This month: {used} of {limit}', { used: amountOf(used), limit: amountOf(limit) })}
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
      <h2>{t('Backup')}</h2>
      <dl>
        <Row name={t('Last backup')}>{lastAt ? <Time at={lastAt} /> : t('None recorded')}</Row>
        <Row name={t('Last rehearsal')}>{rehearsedAt ? <Time at={rehearsedAt} /> : t('None recorded')}</Row>
      </dl>
      <p className="muted">
        {t.with('As {backup} and {rehearse} record it. Copies made in other ways aren’t known here.', {
          backup: <code dir="ltr">npm run backup</code>,
          rehearse: <code dir="ltr">npm run restore -- --rehearse</code>,
        })}
      </p>
    </>
  )
}

function Endpoints({ endpoints }: Pick<InstallationStatus['system'], 'endpoints'>): ReactNode {
  return (
    <>
      <h2>{t('Model endpoints')}</h2>
      {endpoints.length === 0 ? (
        <p className="muted">{t('No turn has used a model in the last ten minutes.')}</p>
      ) : (
        <dl>
          {endpoints.map(({ name, answered, failed, lastFailure }) => (
            <Row key={name} name={name}>
              {lastFailure
                ? t('{answered} answered, {failed} failed ({reason}) in the last ten minutes', {
                    answered,
                    failed,
                    reason: reasonName(lastFailure),
                  })
                : t('{answered} answered, {failed} failed in the last ten minutes', { answered, failed })}
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
      <h2 id="logged">{t('Log of problems')}</h2>
      <p className="muted">
        {t('Warnings and errors of all processes in the last 30 days. The server’s own log has each of them with its time and cause.')}
      </p>
      {problems.length === 0 ? (
        <p>{t('None.')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it
        <div className="table" tabIndex={0} role="group" aria-labelledby="logged">
          <table>
            <thead>
              <tr>
                {[t('Last'), t('Level'), t('Problem'), t('Times'), t('First')].map((name) => (
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
                  <td>{level === 'error' ? t('error') : t('warning')}</td>
                  <td className="sentence" dir="auto">
                    {message}
                    {detail && (
                      <>
                        {' '}
                        <code>{detail}</code>
                      </>
                    )}
                  </td>
                  <td>{t.number(count)}</td>
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
      <h2 id="processes">{t('Processes')}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it */}
      <div className="table" tabIndex={0} role="group" aria-labelledby="processes">
        <table>
          <thead>
            <tr>
              {[t('Process'), t('Release'), 'Node.js', t('Since'), t('Answers'), t('Waiting'), t('Streams'), t('Lag'), t('Memory')].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {processes.map((one) => (
              <tr key={one.host + one.pid}>
                <th scope="row">{t('{process} on {host}', { process: String(one.pid), host: one.host })}</th>
                <td>{one.release}</td>
                <td>{one.node}</td>
                <td>
                  <Time at={one.startedAt} />
                </td>
                <td>{t.number(one.runningTurns)}</td>
                <td>{t.number(one.waitingPrompts)}</td>
                <td>{t.number(one.openStreams)}</td>
                <td>{t('{count} ms', { count: one.lagMs })}</td>
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
const megabytes = (bytes: number) => t('{count} MB', { count: Math.ceil(bytes / MEGABYTE) })

function Row({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
