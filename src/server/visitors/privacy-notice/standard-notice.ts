import { keptInWords } from '../../../contract/retention.ts'
import type { SignInSettings } from '../../config/config.ts'
import { asksForName } from '../sign-in/scope.ts'
import type { Translate } from '../translations.ts'

export interface NoticeFacts {
  name: string
  retentionDays: number
  contact: string | null
  /** Who receives the prompts besides this server; null when nobody does. */
  modelProvider: string | null
  /** Whether a language model on this server answers. */
  modelRunsHere: boolean
  /** Who receives texts to check them, besides this server; null when nobody does. */
  checkedBy: string | null
  /** Who is sent what is looked up in the knowledge for an answer; null when nobody is. */
  lookups: string | null
  /** Whether the page offers to write down what is said. */
  voiceInput: boolean
  /** The provider with which visitors may sign in, if there is one. */
  signIn: Pick<SignInSettings, 'issuer' | 'scope'> | null
}

/**
 * The notice as Markdown, with the facts of the live configuration.
 * @param say Gets every sentence, in English: what is changed here is then missing in the other languages, until it is translated anew.
 */
export function standardNotice(facts: NoticeFacts, say: Translate, language: string): string {
  const sections = [
    [
      `## ${say('Privacy notice')}`,
      say('You can use {name} without an account. This notice explains what happens to what you type.', { name: facts.name }),
    ],
    [`### ${say('What we collect')}`, collected(say)],
    [`### ${say('How we use it')}`, say('To answer you, show you your earlier chats and keep the service working. Nothing else.')],
    ...(facts.signIn ? [[`### ${say('Signing in')}`, signingIn(facts.signIn, say)]] : []),
    [`### ${say('Who we share it with')}`, shared(facts, say)],
    [
      `### ${say('Security')}`,
      say(
        'Your chats are protected by a secret key that only your browser has. The server stores its fingerprint, not the key. Anyone who uses this browser can read your chats.',
      ),
    ],
    [`### ${say('How long we store it')}`, kept(facts, say, language)],
    [
      `### ${say('Your rights')}`,
      say(
        'You can see what’s stored about you, export it as a file, and delete one chat, all chats or everything at any time. For each deletion, you get a signed receipt. You can withdraw your consent on this page at any time, under “Privacy notice” or “My data”. You can still delete everything afterwards, under “My data”. You can also complain to a data protection authority.',
      ),
    ],
    [
      `### ${say('Contact')}`,
      facts.contact
        ? say('Write to **{contact}**.', { contact: facts.contact })
        : say('Ask the operator of this site, who is named in its imprint.'),
    ],
    [`### ${say('Changes')}`, say('If this notice changes, we ask you again before you continue.')],
  ]
  return `${sections.flat().join('\n\n')}\n`
}

function collected(say: Translate): string {
  const items = [
    say('**We don’t ask for your name, email address or phone number.** If you type them in a message, they’re stored as part of it.'),
    say('**Your messages, the files you attach and the answers** are stored on this server so you can come back to them.'),
    say(
      '**Usage:** a random ID for your browser, and when your chats were started and last used. Your IP address isn’t stored. To limit misuse, we store a fingerprint of it that changes every day. No analytics, no tracking.',
    ),
  ]
  return items.map((item) => `- ${item}`).join('\n')
}

function signingIn({ issuer, scope }: Pick<SignInSettings, 'issuer' | 'scope'>, say: Translate): string {
  return [
    say(
      'You can sign in to see your chats on your other devices, but you don’t have to. **{host}** then checks who you are and learns that you use this site. It doesn’t see what you type.',
      { host: new URL(issuer).host },
    ),
    asksForName(scope)
      ? say('We store a fingerprint of your account, which doesn’t reveal whose it is, and the name it gives us, so we can greet you.')
      : say('We store a fingerprint of your account, which doesn’t reveal whose it is. We don’t ask for your name.'),
    say(
      'The chats in this browser become part of your account. While you sign in, a cookie keeps track of the sign-in, for ten minutes at most.',
    ),
  ].join(' ')
}

function shared({ modelProvider, modelRunsHere, checkedBy, lookups, voiceInput }: NoticeFacts, say: Translate): string {
  const made = modelRunsHere
    ? () => say('A language model on this server generates the answers.')
    : () => say('Answers are generated on this server.')
  const sentences = [
    modelProvider
      ? say(
          'To answer, your messages, files and the chat they belong to are sent to **{provider}**, which runs the language model. Its own terms say how long it stores them.',
          { provider: modelProvider },
        )
      : made(),
    ...(modelProvider || checkedBy || lookups ? [] : [say('Your messages aren’t sent to anyone else.')]),
    ...(checkedBy
      ? [
          say('Your messages and the answers are sent to **{checker}**, which checks them for content that isn’t allowed here.', {
            checker: checkedBy,
          }),
        ]
      : []),
    ...(lookups ? [say('Searches for an answer, which may contain your words, are sent to **{endpoint}**.', { endpoint: lookups })] : []),
    ...(voiceInput
      ? [
          say(
            'If you dictate, your browser turns your speech into text. Most browsers send your voice to their maker for this. We tell you before that happens.',
          ),
        ]
      : []),
    say('This page loads nothing from other sites. Nothing is sold or used for advertising.'),
  ]
  return sentences.join(' ')
}

function kept({ retentionDays }: NoticeFacts, say: Translate, language: string): string {
  const times = say(
    'A chat is deleted {time} after its last activity. A temporary chat is stored only while its answer is in progress, and is deleted within a minute after that. If you say that you’re on a shared computer, your chats are deleted when you close the tab, and at the latest 2 hours after the last use. Nothing stays in the browser. Your choice about this notice is saved in a cookie for 180 days. The cookie with your key is set with your first message and lasts until 30 days after your last one. This browser also saves a copy of the open chat until you close the tab, and your theme and language until you withdraw your consent.',
    { time: keptInWords(retentionDays, language) },
  )
  const offline = say(
    'For reading offline, this browser saves copies of the last 20 chats you opened, and messages you typed offline until they’re sent, for up to 7 days. A copy is deleted when you delete its chat, sign out or withdraw your consent. An expired copy is no longer shown, and is deleted on your next visit.',
  )
  return `${times} ${say('Text that you typed but didn’t send stays in this tab until you close it.')} ${offline}`
}
