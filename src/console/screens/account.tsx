import type { ReactNode } from 'react'
import type { PasskeyList } from '../../contract/staff/session.ts'
import type { OpenSessionList } from '../../contract/staff/sessions.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { ActionButton, Cards, ConfirmButton, Loaded, Section, Time } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { PasskeyForm, PasskeyReminder } from './passkey-form.tsx'
import { ROLE_NAMES } from '../names.ts'

export function Account(): ReactNode {
  const { session } = useStaff()
  return (
    <>
      <p>
        {t.with('You are {name}, {role}. This session ends on {time}.', {
          name: <strong dir="auto">{session.name}</strong>,
          role: t(ROLE_NAMES[session.role]),
          time: <Time at={session.expiresAt} />,
        })}
      </p>
      <PasskeyReminder />
      {session.isFromProvider ? (
        <p>{t('Your organisation says who you are and which role you have. A change there applies when you sign in again.')}</p>
      ) : (
        <Passkeys />
      )}
      <Sessions />
    </>
  )
}

function Passkeys(): ReactNode {
  return (
    <>
      <h2>{t('Passkeys')}</h2>
      <Loaded<PasskeyList> path="passkeys">
        {({ passkeys }) => (
          <Cards items={passkeys}>{(passkey) => <PasskeyCard key={passkey.id} passkey={passkey} isLast={passkeys.length === 1} />}</Cards>
        )}
      </Loaded>
      <PasskeyForm />
    </>
  )
}

function PasskeyCard({ passkey, isLast }: { passkey: PasskeyList['passkeys'][number]; isLast: boolean }): ReactNode {
  return (
    <li>
      <h3 dir="auto">{passkey.name}</h3>
      <p className="muted">
        {passkey.usedAt === null
          ? t.with('Added {time}, not used yet', { time: <Time at={passkey.createdAt} /> })
          : t.with('Added {time}, last used {lastTime}', {
              time: <Time at={passkey.createdAt} />,
              lastTime: <Time at={passkey.usedAt} />,
            })}
      </p>
      <ConfirmButton
        question={t('Remove “{name}”?', { name: passkey.name })}
        explanation={
          isLast ? t('It is your last passkey: without one, only a new link lets you in again.') : t('It stops working at once.')
        }
        action={t('Remove')}
        act={() => call('DELETE', `passkeys/${passkey.id}`)}
      />
    </li>
  )
}

/** Open sessions, each with the button that ends it. The one in use ends by signing out. */
function Sessions(): ReactNode {
  return (
    <Section name={t('Your sessions')} className="figures" heading="h3">
      <Loaded<OpenSessionList> path="sessions">
        {({ sessions }) => (
          <Cards items={sessions}>
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
                {!session.isCurrent && <ActionButton act={() => call('DELETE', `sessions/${session.id}`)}>{t('End session')}</ActionButton>}
              </li>
            )}
          </Cards>
        )}
      </Loaded>
    </Section>
  )
}
