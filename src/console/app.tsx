import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { hasRight, type StaffRight } from '../contract/staff/roles.ts'
import type { StaffSession } from '../contract/staff/session.ts'
import { LanguageSwitch } from '../ui/language/language-switch.tsx'
import { storeLanguage, useLanguage } from '../ui/language/language.ts'
import { defineMessage, LanguageContext, type MessageText, t } from '../ui/language/translate.ts'
import { Button } from '../ui/button.tsx'
import { call, messageOf, Rejected } from './api.ts'
import { Account } from './screens/account.tsx'
import { Agents } from './screens/agents/agents.tsx'
import { ApprovedAnswers } from './screens/approved/approved.tsx'
import { AuditLog } from './screens/audit-log.tsx'
import { Chats } from './screens/chats.tsx'
import { Enter } from './screens/enter.tsx'
import { Knowledge } from './screens/knowledge/knowledge.tsx'
import { Limits } from './screens/limits.tsx'
import { Feedback } from './screens/feedback.tsx'
import { Overview } from './screens/overview.tsx'
import { Privacy } from './screens/privacy.tsx'
import { Questions } from './screens/questions.tsx'
import { joined } from './format.ts'
import { Failed } from './parts/parts.tsx'
import { ROLE_NAMES } from './role-names.ts'
import { SearchTest } from './screens/search-test.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { Staff } from './screens/staff.tsx'
import { Status } from './screens/status.tsx'
import { Stops } from './screens/stops.tsx'
import { StaffContext } from './staff-context.ts'
import { completeProviderSignIn } from './provider.ts'
import { useHash } from './use-hash.ts'

interface Screen {
  name: MessageText
  /** `null`: everybody on the staff. */
  right: StaffRight | null
  content: () => ReactNode
  /** Only where staff can read chats. */
  needsReading?: true
}

/** Screens by the name in the address; the first one is the start. */
const SCREENS: Readonly<Record<string, Screen>> = {
  overview: { name: defineMessage('Overview'), right: 'read-figures', content: Overview },
  questions: { name: defineMessage('Unanswered questions'), right: 'read-questions', content: Questions },
  feedback: { name: defineMessage('Feedback'), right: 'read-reports', content: Feedback },
  chats: { name: defineMessage('Chats'), right: 'read-chats', content: Chats, needsReading: true },
  knowledge: { name: defineMessage('Knowledge'), right: 'read-knowledge', content: Knowledge },
  approved: { name: defineMessage('Approved answers'), right: 'read-knowledge', content: ApprovedAnswers },
  search: { name: defineMessage('Search test'), right: 'read-knowledge', content: SearchTest },
  agents: { name: defineMessage('Agents'), right: 'read-agents', content: Agents },
  stop: { name: defineMessage('Stop answers'), right: 'read-status', content: Stops },
  limits: { name: defineMessage('Limits'), right: 'read-status', content: Limits },
  privacy: { name: defineMessage('Privacy'), right: 'read-privacy', content: Privacy },
  status: { name: defineMessage('System'), right: 'read-status', content: Status },
  staff: { name: defineMessage('Staff'), right: 'manage-staff', content: Staff },
  audit: { name: defineMessage('Audit log'), right: 'read-audit-log', content: AuditLog },
  account: { name: defineMessage('Your account'), right: null, content: Account },
}

const ENTER = /^enter\/(.+)$/

/** The console, in the chosen language: all of it is rendered again with another one, so that components can call `t` as it is. */
export function App(): ReactNode {
  const language = useLanguage()
  useEffect(storeLanguage, [language])
  return (
    <LanguageContext value={language}>
      <Entered />
    </LanguageContext>
  )
}

/** By a link, with a passkey, or with the session that the browser has. */
function Entered(): ReactNode {
  const hash = useHash()
  const link = ENTER.exec(hash)?.[1]
  const { session, setSession, failure, retry } = useSession(link === undefined)
  if (link !== undefined) return <Enter link={link} onEntered={setSession} />
  if (failure)
    return (
      <main className="center">
        <h1>{t('Console')}</h1>
        <Failed message={failure} onRetry={retry} />
      </main>
    )
  if (session === undefined) return <p className="center muted">{t('Loading')}</p>
  if (session === null) return <SignIn onSignedIn={setSession} />
  return <SignedIn key={session.id} hash={hash} session={session} setSession={setSession} />
}

type KnownSession = StaffSession | null

/** The session of this browser: `undefined` until it is read, `null` if there is none. It isn't read while a link gives another one. */
function useSession(isWanted: boolean) {
  const [session, setSession] = useState<KnownSession>()
  const [failure, setFailure] = useState('')
  const read = useCallback(() => {
    readSession().then(
      (found) => {
        setFailure('')
        setSession(found)
        return found
      },
      (error: unknown) => setFailure(messageOf(error)),
    )
  }, [])
  useEffect(() => {
    if (isWanted) read()
  }, [isWanted, read])
  return { session, setSession, failure, retry: read }
}

async function readSession(): Promise<KnownSession> {
  const entered = await completeProviderSignIn()
  if (entered) return entered
  try {
    return await call<StaffSession>('GET', 'session')
  } catch (error) {
    if (error instanceof Rejected && error.code === 'sign_in_required') return null
    throw error
  }
}

interface SignedInProps {
  hash: string
  session: StaffSession
  setSession(session: StaffSession | null): void
}

function SignedIn({ hash, session, setSession }: SignedInProps): ReactNode {
  const screens = Object.entries(SCREENS).filter(
    ([, { right, needsReading }]) => (right === null || hasRight(session.role, right)) && (!needsReading || session.readsChats),
  )
  const [id, screen] = screens.find(([name]) => name === hash.split('/', 1)[0]) ?? screens[0]!
  const staff = useMemo(
    () => ({ session, refresh: async () => setSession(await call<StaffSession>('GET', 'session')), onSessionEnd: () => setSession(null) }),
    [session, setSession],
  )
  const Content = screen.content
  useEffect(() => {
    // On a phone, the names of the screens are one line that scrolls.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [screen])
  const signOut = () => {
    call('DELETE', 'session')
      .catch(console.error)
      .finally(() => setSession(null))
  }
  return (
    <StaffContext value={staff}>
      <div className="console">
        <header>
          <title>{t('{screen} · Console', { screen: t(screen.name) })}</title>
          <strong>{t('Console')}</strong>
          <nav aria-label={t('Screens')}>
            {screens.map(([name, { name: label }]) => (
              <a key={name} href={`#/${name}`} aria-current={name === id ? 'page' : undefined}>
                {t(label)}
              </a>
            ))}
          </nav>
          <p className="muted">{joined(session.name, t(ROLE_NAMES[session.role]))}</p>
          <LanguageSwitch />
          <Button variant="outline" className="small" onClick={signOut}>
            {t('Sign out')}
          </Button>
        </header>
        <main key={id}>
          <h1>{t(screen.name)}</h1>
          <Content />
        </main>
      </div>
    </StaffContext>
  )
}
