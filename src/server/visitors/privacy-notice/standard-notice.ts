import type { FrameChats } from '../../../contract/config.ts'
import { formatRetention } from '../../../contract/chat/retention.ts'
import type { Translate } from '../../translations/translations.ts'

export interface NoticeFacts {
  name: string
  retentionDays: number
  reportDays: number
  /** Whether staff can read what is sent after accepting this notice. */
  staffReading: boolean
  frameChats: FrameChats
  isEmbedded: boolean
  /** Whether visitors can leave the staff messages. */
  takesMessages: boolean
  contact: string | null
  modelProvider: string | null
  modelRunsHere: boolean
  checkedBy: string | null
  lookups: string | null
  voiceInput: boolean
}

/** The standard notice as Markdown. @param translate Receives each English sentence. A changed one needs new translations. */
export function standardNotice(facts: NoticeFacts, translate: Translate, language: string): string {
  const sections = [
    [
      `## ${translate('Privacy notice')}`,
      ...(facts.staffReading ? [staffReadingText(translate)] : []),
      translate('You can use {name} without an account. This notice explains what happens to what you type.', { name: facts.name }),
    ],
    [`### ${translate('What we collect')}`, collected(facts, translate)],
    [
      `### ${translate('How we use it')}`,
      facts.staffReading
        ? translate(
            'To answer you, show you your earlier chats, keep the service working, and let our staff improve the answers. Nothing else.',
          )
        : translate('To answer you, show you your earlier chats and keep the service working. Nothing else.'),
    ],
    [`### ${translate('Who we share it with')}`, shared(facts, translate)],
    [
      `### ${translate('Security')}`,
      translate(
        'Your chats are protected by a secret key that only your browser has. The server stores its fingerprint, not the key. Anyone who uses this browser can read your chats.',
      ),
    ],
    [`### ${translate('How long we store it')}`, kept(facts, translate, language)],
    [
      `### ${translate('Your rights')}`,
      translate(
        'You can see what’s stored about you, export it as a file, and delete one chat, all chats or everything at any time. For each deletion, you get a signed receipt. You can withdraw your consent on this page at any time, under “Privacy notice” or “My data”. You can still delete everything afterwards, under “My data”. You can also complain to a data protection authority.',
      ),
    ],
    [
      `### ${translate('Contact')}`,
      facts.contact
        ? translate('Write to **{contact}**.', { contact: facts.contact })
        : translate('Ask the operator of this site, who is named in its imprint.'),
    ],
    [`### ${translate('Changes')}`, translate('If this notice changes, we ask you again before you continue.')],
  ]
  return `${sections.flat().join('\n\n')}\n`
}

/** That staff can read, which a notice says before anything else. */
export function staffReadingText(translate: Translate): string {
  return translate(
    '**Our staff can read the messages that you send after accepting this notice, and the answers to them.** They can’t read temporary chats. Under “My data”, you can see when they opened a chat. If you withdraw your consent, they can no longer read any of your chats.',
  )
}

function collected({ isEmbedded }: NoticeFacts, translate: Translate): string {
  return listOf([
    translate(
      '**We don’t ask for your name, email address or phone number.** If you type them in a message, they’re stored as part of it.',
    ),
    translate('**Your messages, the files you attach and the answers** are stored on this server so you can come back to them.'),
    translate(
      '**Usage:** a random ID for your browser, and when your chats were started and last used. Your IP address isn’t stored. To limit misuse, we store a fingerprint of it that changes every day. No analytics, no tracking.',
    ),
    isEmbedded &&
      translate(
        '**The page you’re on:** another website that shows this chat can tell it a title and an address. You see them above the message box and can remove them. They’re sent with your messages to answer them, and aren’t stored.',
      ),
  ])
}

const present = (texts: readonly (string | false | null)[]) => texts.filter((text) => typeof text === 'string')

const listOf = (items: readonly (string | false)[]) =>
  present(items)
    .map((item) => `- ${item}`)
    .join('\n')

function shared({ modelProvider, modelRunsHere, checkedBy, lookups, voiceInput }: NoticeFacts, translate: Translate): string {
  const own = modelRunsHere
    ? translate('A language model on this server generates the answers.')
    : translate('Answers are generated on this server.')
  return present([
    modelProvider === null
      ? own
      : translate(
          'To answer, your messages, files and the chat they belong to are sent to **{provider}**, which runs the language model. Its own terms say how long it stores them.',
          { provider: modelProvider },
        ),
    !(modelProvider || checkedBy || lookups) && translate('Your messages aren’t sent to anyone else.'),
    checkedBy &&
      translate('Your messages and the answers are sent to **{checker}**, which checks them for content that isn’t allowed here.', {
        checker: checkedBy,
      }),
    lookups && translate('Searches for an answer, which may contain your words, are sent to **{endpoint}**.', { endpoint: lookups }),
    voiceInput &&
      translate(
        'If you dictate, your browser turns your speech into text. Most browsers send your voice to their maker for this. We tell you before that happens.',
      ),
    translate('This page loads nothing from other sites. Nothing is sold or used for advertising.'),
  ]).join(' ')
}

function kept(
  { retentionDays, reportDays, staffReading, takesMessages, frameChats }: NoticeFacts,
  translate: Translate,
  language: string,
): string {
  const days = formatRetention(reportDays, language)
  return listOf([
    translate('A chat is deleted {time} after its last activity.', { time: formatRetention(retentionDays, language) }),
    translate('A temporary chat is stored only while its answer is in progress, and is deleted within a minute after that.'),
    translate(
      'If you say that you’re on a shared computer, your chats are deleted when you close the tab, and at the latest 2 hours after the last use. Nothing stays in the browser.',
    ),
    frameChats === 'visit' &&
      translate(
        'On a site that includes this chat, your chats end when you close the browser, and are deleted 2 hours after their last use.',
      ),
    translate(
      'Your choice about this notice is saved in a cookie for 180 days. The cookie with your key is set with your first message and lasts until 30 days after your last one. This browser also saves a copy of the open chat until you close the tab, and your theme and language until you withdraw your consent.',
    ),
    translate('Text that you typed but didn’t send stays in this tab until you close it.'),
    staffReading
      ? translate(
          'If you report an answer, our staff can also read what you choose to send. It’s deleted after {days} at the latest, and when you withdraw it or delete the chat. Under “My data”, you can see when it was read. We store when you first sent a message after accepting this notice, until you withdraw your consent or delete all your data.',
          { days },
        )
      : translate(
          'If you report an answer, our staff can read what you choose to send, and nothing else of your chat. It’s deleted after {days} at the latest, and when you withdraw it or delete the chat. Under “My data”, you can see when it was read.',
          { days },
        ),
    takesMessages && translate('The same holds for a message that you leave our staff, and for what you send along with it.'),
  ])
}
