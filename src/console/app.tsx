import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { hasRight, type StaffRight } from '../contract/staff/roles.ts'
import type { StaffSession } from '../contract/staff/session.ts'
import type { InstallationStatus } from '../contract/staff/status.ts'
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
import { Embeds } from './screens/embeds.tsx'
import { Enter } from './screens/enter.tsx'
import { AskPanel } from './screens/ask/ask-panel.tsx'
import { Knowledge } from './screens/knowledge/knowledge.tsx'
import { Websites } from './screens/knowledge/websites.tsx'
import { Limits } from './screens/limits.tsx'
import { Feedback } from './screens/feedback.tsx'
import { Overview } from './screens/overview.tsx'
import { Privacy } from './screens/privacy.tsx'
import { Questions } from './screens/questions.tsx'
import { Failed, SmallButton } from './parts/parts.tsx'
import { ROLE_NAMES } from './names.ts'
import { SignIn } from './screens/sign-in.tsx'
import { Staff } from './screens/staff.tsx'
import { Status } from './screens/status.tsx'
import { Stops } from './screens/stops.tsx'
import { StaffContext, useStaff } from './staff-context.ts'
import { completeProviderSignIn } from './provider.ts'
import { queryClient, SESSION, setSession, useLoaded } from './use-call.ts'
import { useHash } from './use-hash.ts'

interface Screen {
  name: MessageText
  /** `null`: everybody on the staff. */
  right: StaffRight | null
  content: () => ReactNode
  /** Only where staff can read chats. */
  needsReading?: true
}

/** Outlines on a 20 × 20 grid, by screen. */
const ICONS: Readonly<Record<string, string>> = {
  overview: 'M4 16V9m4 7V4m4 12v-5m4 5V7',
  questions: 'M7.5 7.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M10 14.5v.1',
  approved: 'm4.5 10.5 3.7 3.7 7.3-8.2',
  feedback: 'M5 17V4h9l-1.5 3L14 10H5',
  chats: 'M4 5h12v8H9l-3.5 3v-3H4z',
  knowledge: 'M6 3.5h5.5L15 7v9.5H6zM11 3.5V7.5h4',
  websites: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM3.5 10h13M10 3.5c-4.5 4-4.5 9 0 13M10 3.5c4.5 4 4.5 9 0 13',
  agents: 'M5 7.5h10v7.5H5zM10 7.5V4.5M8 11h.01M12 11h.01',
  embeds: 'm7 6.5-3.5 3.5L7 13.5m6-7 3.5 3.5-3.5 3.5',
  stop: 'M7 3.5h6L16.5 7v6L13 16.5H7L3.5 13V7zM7.5 10h5',
  limits: 'M4 14.5a6.5 6.5 0 1 1 12 0M10 12l3-4',
  status: 'M3.5 4.5h13v8.5h-13zM7 16.5h6M10 13v3.5',
  staff: 'M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM4 16.5c.5-3.5 2.5-5 6-5s5.5 1.5 6 5',
  audit: 'M5 4.5h10M5 8.5h10M5 12.5h10M5 16h6',
  privacy: 'M10 3.5 16 6v4c0 3.5-2.5 5.5-6 6.5-3.5-1-6-3-6-6.5V6z',
  account: 'M7 8.5a3.5 3.5 0 1 1 3 3.5L8.5 13.5v2H6v1.5H3.5V14L7 10.5',
}

/** Screens by group and by the name in the address; the first one is the start. */
const GROUPS: readonly { name: MessageText; screens: Readonly<Record<string, Screen>> }[] = [
  {
    name: defineMessage('Answers'),
    screens: {
      overview: { name: defineMessage('Overview'), right: 'read-figures', content: Overview },
      questions: { name: defineMessage('Questions'), right: 'read-questions', content: Questions },
      approved: { name: defineMessage('Approved answers'), right: 'read-knowledge', content: ApprovedAnswers },
      feedback: { name: defineMessage('Reports'), right: 'read-reports', content: Feedback },
      chats: { name: defineMessage('Chats'), right: 'read-chats', content: Chats, needsReading: true },
    },
  },
  {
    name: defineMessage('Content'),
    screens: {
      knowledge: { name: defineMessage('Documents'), right: 'read-knowledge', content: Knowledge },
      websites: { name: defineMessage('Websites'), right: 'read-knowledge', content: Websites },
      agents: { name: defineMessage('Agents'), right: 'read-agents', content: Agents },
      embeds: { name: defineMessage('Embeds'), right: 'read-agents', content: Embeds },
    },
  },
  {
    name: defineMessage('Operation'),
    screens: {
      stop: { name: defineMessage('Stops and banner'), right: 'read-status', content: Stops },
      limits: { name: defineMessage('Limits and budget'), right: 'read-status', content: Limits },
      status: { name: defineMessage('System'), right: 'read-status', content: Status },
    },
  },
  {
    name: defineMessage('Team'),
    screens: {
      staff: { name: defineMessage('Staff'), right: 'manage-staff', content: Staff },
      audit: { name: defineMessage('Audit log'), right: 'read-audit-log', content: AuditLog },
      privacy: { name: defineMessage('Privacy'), right: 'read-privacy', content: Privacy },
      account: { name: defineMessage('Your account'), right: null, content: Account },
    },
  },
]

const ENTER = /^enter\/(.+)$/

/** The console, in the chosen language: all of it is rendered again with another one, so that components can call `t` as it is. */
export function App(): ReactNode {
  const language = useLanguage()
  useEffect(storeLanguage, [language])
  return (
    <LanguageContext value={language}>
      <QueryClientProvider client={queryClient}>
        <Entered />
      </QueryClientProvider>
    </LanguageContext>
  )
}

/** By a link, with a passkey, or with the session that the browser has, which isn't read while a link gives another one. */
function Entered(): ReactNode {
  const hash = useHash()
  const link = ENTER.exec(hash)?.[1]
  const { data: session, error, refetch } = useQuery({ queryKey: SESSION, queryFn: readSession, enabled: link === undefined })
  if (link !== undefined) return <Enter link={link} />
  if (session) return <SignedIn key={session.id} hash={hash} session={session} />
  if (session === null) return <SignIn />
  if (!error) return <p className="center muted">{t('Loading')}</p>
  return (
    <main className="center">
      <h1>{t('Console')}</h1>
      <Failed message={messageOf(error)} onRetry={() => void refetch()} />
    </main>
  )
}

async function readSession(): Promise<StaffSession | null> {
  const entered = await completeProviderSignIn()
  if (entered) return entered
  try {
    return await call<StaffSession>('GET', 'session')
  } catch (error) {
    if (error instanceof Rejected && error.code === 'sign_in_required') return null
    throw error
  }
}

function SignedIn({ hash, session }: { hash: string; session: StaffSession }): ReactNode {
  const groups = GROUPS.map(({ name, screens }) => ({
    name,
    screens: Object.entries(screens).filter(
      ([, { right, needsReading }]) => (right === null || hasRight(session.role, right)) && (!needsReading || session.readsChats),
    ),
  }))
  const screens = groups.flatMap((group) => group.screens)
  const [id, screen] = screens.find(([name]) => name === hash.split('/', 1)[0]) ?? screens[0]!
  const [panel, setPanel] = useState<{ question: string; number: number } | null>(null)
  const staff = useMemo(
    () => ({ session, ask: (question = '') => setPanel((now) => ({ question, number: (now?.number ?? 0) + 1 })) }),
    [session, setPanel],
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(id)
  // Another screen is announced, and Tab goes on in it instead of in the sidebar.
  useEffect(() => {
    if (shown.current !== id) heading.current?.focus()
    shown.current = id
  }, [id])
  const Content = screen.content
  return (
    <StaffContext value={staff}>
      <div className={panel ? 'console asking' : 'console'}>
        <title>{t('{screen} · Console', { screen: t(screen.name) })}</title>
        <Sidebar groups={groups} id={id} />
        <main key={id}>
          <h1 ref={heading} tabIndex={-1}>
            {t(screen.name)}
          </h1>
          <Content />
        </main>
        {panel && <AskPanel key={panel.number} question={panel.question} onClose={() => setPanel(null)} />}
      </div>
    </StaffContext>
  )
}

interface SidebarProps {
  groups: readonly { name: MessageText; screens: readonly [string, Screen][] }[]
  id: string
}

/** The screens in their groups. On a phone, a button shows them. */
function Sidebar({ groups, id }: SidebarProps): ReactNode {
  const { session, ask, may } = useStaff()
  const { data: status } = useLoaded<InstallationStatus>('status')
  const [isOpen, setOpen] = useState(false)
  const countOf = (screen: string) => {
    const waiting: Readonly<Record<string, number>> = status?.waiting ?? {}
    return Math.max(waiting[screen] ?? 0, status?.attention.filter((one) => one.screen === screen).length ?? 0)
  }
  const signOut = () => {
    call('DELETE', 'session')
      .catch(console.error)
      .finally(() => setSession(null))
  }
  return (
    <header className={isOpen ? 'open' : ''}>
      <div className="check">
        <Button icon="menu" className="screens" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('Screens')}
        </Button>
        <strong>{t('Console')}</strong>
        {may('read-knowledge') && (
          <Button variant="solid" className="small" onClick={() => ask()}>
            {t('Ask')}
          </Button>
        )}
      </div>
      <nav aria-label={t('Screens')}>
        {groups
          .filter(({ screens }) => screens.length > 0)
          .map(({ name: group, screens }) => (
            <section key={group} aria-label={t(group)}>
              <p className="muted">{t(group)}</p>
              {screens.map(([screen, { name: label }]) => (
                <a
                  key={screen}
                  href={`#/${screen}`}
                  aria-current={screen === id ? 'page' : undefined}
                  title={countOf(screen) > 0 ? `${t('Needs attention')} (${t.number(countOf(screen))})` : undefined}
                  onClick={() => setOpen(false)}
                >
                  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
                    <path d={ICONS[screen]} />
                  </svg>
                  <span>{t(label)}</span>
                  {countOf(screen) > 0 && (
                    <span className="count" aria-hidden>
                      {t.number(countOf(screen))}
                    </span>
                  )}
                </a>
              ))}
            </section>
          ))}
      </nav>
      {status && (
        <a href={status.chat} target="_blank" rel="noreferrer">
          {t('Open the chat')}
        </a>
      )}
      <p className="muted">{t('Signed in as {name} ({role})', { name: session.name, role: t(ROLE_NAMES[session.role]) })}</p>
      <div className="check">
        <LanguageSwitch />
        <SmallButton onClick={signOut}>{t('Sign out')}</SmallButton>
      </div>
    </header>
  )
}
