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
import { Failed } from './parts/parts.tsx'
import { ROLE_NAMES } from './role-names.ts'
import { SignIn } from './screens/sign-in.tsx'
import { Staff } from './screens/staff.tsx'
import { Status } from './screens/status.tsx'
import { Stops } from './screens/stops.tsx'
import { StaffContext, useStaff } from './staff-context.ts'
import { completeProviderSignIn } from './provider.ts'
import { queryClient, SESSION, setSession, useLoaded } from './use-call.ts'
import { useHash } from './use-hash.ts'

interface Screen {
  /** Outline on a 20 × 20 grid. */
  icon: string
  name: MessageText
  /** `null`: everybody on the staff. */
  right: StaffRight | null
  content: () => ReactNode
  /** Only where staff can read chats. */
  needsReading?: true
}

/** Screens by group and by the name in the address; the first one is the start. */
const GROUPS: readonly { name: MessageText; screens: Readonly<Record<string, Screen>> }[] = [
  {
    name: defineMessage('Answers'),
    screens: {
      overview: { icon: 'M4 16V9m4 7V4m4 12v-5m4 5V7', name: defineMessage('Overview'), right: 'read-figures', content: Overview },
      questions: {
        icon: 'M7.500 7.500a2.500 2.500 0 1 1 3.500 2.300c-.7.400-1 .9-1 1.700M10 14.500v.1',
        name: defineMessage('Questions'),
        right: 'read-questions',
        content: Questions,
      },
      approved: {
        icon: 'm4.500 10.500 3.700 3.700 7.300-8.200',
        name: defineMessage('Approved answers'),
        right: 'read-knowledge',
        content: ApprovedAnswers,
      },
      feedback: { icon: 'M5 17V4h9l-1.500 3L14 10H5', name: defineMessage('Reports'), right: 'read-reports', content: Feedback },
      chats: { icon: 'M4 5h12v8H9l-3.500 3v-3H4z', name: defineMessage('Chats'), right: 'read-chats', content: Chats, needsReading: true },
    },
  },
  {
    name: defineMessage('Content'),
    screens: {
      knowledge: {
        icon: 'M6 3.500h5.500L15 7v9.500H6zM11 3.500V7.500h4',
        name: defineMessage('Documents'),
        right: 'read-knowledge',
        content: Knowledge,
      },
      websites: {
        icon: 'M10 3.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13ZM3.500 10h13M10 3.500c-4.500 4-4.500 9 0 13M10 3.500c4.500 4 4.500 9 0 13',
        name: defineMessage('Websites'),
        right: 'read-knowledge',
        content: Websites,
      },
      agents: {
        icon: 'M5 7.500h10v7.500H5zM10 7.500V4.500M8 11h.01M12 11h.01',
        name: defineMessage('Agents'),
        right: 'read-agents',
        content: Agents,
      },
      embeds: {
        icon: 'm7 6.500-3.500 3.500L7 13.500m6-7 3.500 3.500-3.500 3.500',
        name: defineMessage('Embeds'),
        right: 'read-agents',
        content: Embeds,
      },
    },
  },
  {
    name: defineMessage('Operation'),
    screens: {
      stop: {
        icon: 'M7 3.500h6L16.500 7v6L13 16.500H7L3.500 13V7zM7.500 10h5',
        name: defineMessage('Stops and banner'),
        right: 'read-status',
        content: Stops,
      },
      limits: {
        icon: 'M4 14.500a6.500 6.500 0 1 1 12 0M10 12l3-4',
        name: defineMessage('Limits and budget'),
        right: 'read-status',
        content: Limits,
      },
      status: {
        icon: 'M3.500 4.500h13v8.500h-13zM7 16.500h6M10 13v3.500',
        name: defineMessage('System'),
        right: 'read-status',
        content: Status,
      },
    },
  },
  {
    name: defineMessage('Team'),
    screens: {
      staff: {
        icon: 'M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM4 16.500c.5-3.500 2.500-5 6-5s5.500 1.500 6 5',
        name: defineMessage('Staff'),
        right: 'manage-staff',
        content: Staff,
      },
      audit: {
        icon: 'M5 4.500h10M5 8.500h10M5 12.500h10M5 16h6',
        name: defineMessage('Audit log'),
        right: 'read-audit-log',
        content: AuditLog,
      },
      privacy: {
        icon: 'M10 3.500 16 6v4c0 3.500-2.500 5.500-6 6.500-3.500-1-6-3-6-6.500V6z',
        name: defineMessage('Privacy'),
        right: 'read-privacy',
        content: Privacy,
      },
      account: {
        icon: 'M7 8.500a3.500 3.500 0 1 1 3 3.500L8.500 13.500v2H6v1.500H3.500V14L7 10.500',
        name: defineMessage('Your account'),
        right: null,
        content: Account,
      },
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
  const { session, ask } = useStaff()
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
        {hasRight(session.role, 'read-knowledge') && (
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
              {screens.map(([screen, { name: label, icon }]) => (
                <a
                  key={screen}
                  href={`#/${screen}`}
                  aria-current={screen === id ? 'page' : undefined}
                  title={countOf(screen) > 0 ? `${t('Needs attention')} (${t.number(countOf(screen))})` : undefined}
                  onClick={() => setOpen(false)}
                >
                  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
                    <path d={icon} />
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
        <Button variant="outline" className="small" onClick={signOut}>
          {t('Sign out')}
        </Button>
      </div>
    </header>
  )
}
