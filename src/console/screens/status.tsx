import type { ReactNode } from 'react'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { Fact, Loaded, Time } from '../parts/parts.tsx'
import { Model } from './model.tsx'
import { modelName } from '../../ui/language/model-name.ts'
import { t } from '../../ui/language/translate.ts'
import { joined, sizeOf } from '../format.ts'
import { attentionText, reasonName } from '../names.ts'

function emergenciesOf({ name: agent, emergencies }: InstallationStatus['agents'][number]): string {
  if (emergencies === 'off') return t('{agent}: not recognised', { agent })
  return emergencies === 'words'
    ? t('{agent}: recognised by words', { agent })
    : t('{agent}: recognised by words and by the model', { agent })
}

export function Status(): ReactNode {
  return <Loaded<InstallationStatus> path="status">{(installation) => <Installation {...installation} />}</Loaded>
}

function Installation(installation: InstallationStatus): ReactNode {
  const { staffReading, name, release, database, models, agents, indexing, embedding, problems, system, endpoints } = installation
  const stop = installation.attention.find(({ code }) => code === 'stops')
  return (
    <>
      <section aria-label={t('Problems')}>
        {stop && <a href="#/stop">{attentionText(stop)}</a>}
        {problems.length === 0 && !stop ? (
          <p className="good">{t('Nothing needs attention.')}</p>
        ) : (
          <ul className="problems">
            {problems.map(({ code, detail }) => (
              <li key={code + detail}>
                <bdi>{detail}</bdi>
              </li>
            ))}
          </ul>
        )}
      </section>
      <dl>
        <Fact name={t('Installation')}>{name}</Fact>
        <Fact name={t('Release')}>{release}</Fact>
        <Fact name={t('Database')}>
          {joined(
            database === 'postgres' ? 'PostgreSQL' : t('Embedded'),
            sizeOf(system.databaseBytes),
            system.migrations.pending > 0 && t.plural(system.migrations.pending, '{count} migration pending', '{count} migrations pending'),
          )}
        </Fact>
        {system.freeBytes !== null && <Fact name={t('Free space')}>{sizeOf(system.freeBytes)}</Fact>}
        <Fact name={models.length > 1 ? t('Models') : t('Model')}>{models.map(modelName).join(t(', then '))}</Fact>
        <Fact name={t('Agents')}>{joined(...agents.map((agent) => agent.name))}</Fact>
        <Fact name={t('Emergencies')}>{joined(...agents.map(emergenciesOf))}</Fact>
        <Fact name={t('Staff can read')}>
          {staffReading
            ? t('What visitors hand over, and chats whose visitors have accepted that (STAFF_READING=all)')
            : t('What visitors hand over')}
        </Fact>
        <Fact name={t('Knowledge')}>
          {joined(
            indexing ? t('{count} of {total} files indexed', { count: indexing.indexed, total: indexing.total }) : t('Indexed'),
            embedding && t('embedding {count} of {total} passages', { count: embedding.embedded, total: embedding.total }),
          )}
        </Fact>
      </dl>
      <Model />
      <Backup {...system.backup} />
      <Endpoints endpoints={endpoints} />
    </>
  )
}

function Backup({ lastAt, rehearsedAt }: InstallationStatus['system']['backup']): ReactNode {
  return (
    <>
      <h2>{t('Backup')}</h2>
      <dl>
        <Fact name={t('Last backup')}>{lastAt ? <Time at={lastAt} /> : t('None recorded')}</Fact>
        <Fact name={t('Last rehearsal')}>{rehearsedAt ? <Time at={rehearsedAt} /> : t('None recorded')}</Fact>
      </dl>
      <p className="muted">
        {t.with('Recorded by {backup} and {rehearse}. Copies made in other ways aren’t listed.', {
          backup: <code dir="ltr">parley backup</code>,
          rehearse: <code dir="ltr">parley restore --rehearse</code>,
        })}
      </p>
    </>
  )
}

function Endpoints({ endpoints }: Pick<InstallationStatus, 'endpoints'>): ReactNode {
  return (
    <>
      <h2>{t('Model endpoints')}</h2>
      {endpoints.length === 0 ? (
        <p className="muted">{t('No answer has used a model in the last ten minutes.')}</p>
      ) : (
        <dl>
          {endpoints.map(({ name, answered, failed, lastFailure }) => (
            <Fact key={name} name={modelName(name)}>
              {joined(
                t('{answered} answered, {failed} failed in the last ten minutes', { answered, failed }),
                lastFailure && reasonName(lastFailure),
              )}
            </Fact>
          ))}
        </dl>
      )}
    </>
  )
}
