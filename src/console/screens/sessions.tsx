import type { ReactNode } from 'react'
import type { OpenSessionList } from '../../contract/staff/sessions.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { ActionButton, Cards, Loaded, Section, Time } from '../parts/parts.tsx'

/** Open sessions, each with the button that ends it. The one in use ends by signing out. */
export function Sessions({ path, name }: { path: string; name: string }): ReactNode {
  return (
    <Section name={name} className="figures" heading="h3">
      <Loaded<OpenSessionList> path={path}>
        {({ sessions }) => (
          <Cards items={sessions} empty={<p className="muted">{t('None.')}</p>}>
            {(session) => (
              <li key={session.id}>
                <p>
                  {session.isCurrent
                    ? t.with('Since {time}, this session', { time: <Time at={session.createdAt} /> })
                    : t.with('Since {time}', { time: <Time at={session.createdAt} /> })}
                </p>
                <p className="muted">
                  {t.with('Last active {time}, ends {endTime}', {
                    time: <Time at={session.usedAt} />,
                    endTime: <Time at={session.expiresAt} />,
                  })}
                </p>
                {!session.isCurrent && <ActionButton act={() => call('DELETE', `${path}/${session.id}`)}>{t('End session')}</ActionButton>}
              </li>
            )}
          </Cards>
        )}
      </Loaded>
    </Section>
  )
}
