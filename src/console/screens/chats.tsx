import { type ReactNode, useState } from 'react'
import type { ChatList, ListedChat, OpenedChat } from '../../contract/staff/chats.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { dayOf, joined, languageName } from '../format.ts'
import { ActionButton, Cards, Loaded, SmallButton, Time } from '../parts/parts.tsx'
import { stateName } from '../names.ts'

/** Chats whose visitors have accepted that staff read them, without text until one is opened. */
export function Chats(): ReactNode {
  return (
    <>
      <p>
        {t(
          'Messages that visitors sent after accepting a privacy notice which says that staff can read. Opening a chat is recorded in the audit log, and the visitor is told when it was read and by which role. Messages from before, temporary chats and attached files can’t be read.',
        )}
      </p>
      <Loaded<ChatList> path="chats">
        {(first) =>
          first.chats.length === 0 && first.next === null ? (
            <p className="notice">{t('No chats. They appear here once visitors have accepted the notice and sent a message.')}</p>
          ) : (
            <Pages first={first} />
          )
        }
      </Loaded>
    </>
  )
}

function Pages({ first }: { first: ChatList }): ReactNode {
  const [older, setOlder] = useState<ChatList[]>([])
  const pages = [first, ...older]
  const next = pages.at(-1)?.next ?? null
  const showOlder = async () => {
    const page = await call<ChatList>('GET', `chats?after=${next}`)
    setOlder((known) => [...known, page])
  }
  return (
    <>
      <Cards name={t('Chats')} items={pages.flatMap(({ chats }) => chats)}>
        {(chat) => <Chat key={chat.id} chat={chat} />}
      </Cards>
      {next !== null && <ActionButton act={showOlder}>{t('Show older chats')}</ActionButton>}
    </>
  )
}

function Chat({ chat }: { chat: ListedChat }): ReactNode {
  const [opened, setOpened] = useState<OpenedChat | null>(null)
  const [readings, setReadings] = useState(chat.readings)
  const { id, day, agent, language, messages, states } = chat
  const open = async () => {
    const found = await call<OpenedChat>('POST', `chats/${id}/readings`, {})
    setOpened(found)
    setReadings(found.readings)
  }
  return (
    <li>
      <h2>{t.with('{agent}, {day}', { agent: <bdi>{agent}</bdi>, day: dayOf(day) })}</h2>
      <p className="muted">
        {joined(
          t('Messages: {count}', { count: t.number(messages) }),
          language && languageName(language),
          t('Readings: {count}', { count: t.number(readings) }),
        )}
      </p>
      {states.length > 0 && <p>{joined(...states.map(({ state, count }) => `${stateName(state)}: ${t.number(count)}`))}</p>}
      {opened && <Messages {...opened} />}
      {opened ? (
        <SmallButton onClick={() => setOpened(null)}>{t('Close the chat')}</SmallButton>
      ) : (
        <ActionButton act={open}>{t('Read the chat')}</ActionButton>
      )}
    </li>
  )
}

function Messages({ messages, hidden }: OpenedChat): ReactNode {
  return (
    <>
      {hidden > 0 && (
        <p className="muted">
          {t(
            'Further messages that aren’t shown: {count}. They were sent before the notice was accepted, may repeat such a message, or are older than the newest 200.',
            { count: t.number(hidden) },
          )}
        </p>
      )}
      {messages.map(({ role, text, files, state, at }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
        <section key={index} aria-label={role === 'user' ? t('Visitor') : t('Answer')}>
          <h3>{role === 'user' ? t('Visitor') : t('Answer')}</h3>
          <p className="passage" dir="auto">
            {text || t('(no text)')}
          </p>
          <p className="muted">
            <Time at={at} />
            {state && t(', ') + stateName(state)}
            {files > 0 && t(', ') + t('attached files, not shown: {count}', { count: t.number(files) })}
          </p>
        </section>
      ))}
    </>
  )
}
