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
      say('You can use {name} without an account. Please read what happens with what you write.', { name: facts.name }),
    ],
    [`### ${say('What is collected')}`, collected(say)],
    [
      `### ${say('What it is used for')}`,
      say('To answer you, to show you your earlier chats, and to keep the service working. Nothing else.'),
    ],
    ...(facts.signIn ? [[`### ${say('Signing in')}`, signingIn(facts.signIn, say)]] : []),
    [`### ${say('Who it is shared with')}`, shared(facts, say)],
    [
      `### ${say('Security')}`,
      say(
        'Your chats are opened by a secret key that only your browser has; the server stores its fingerprint, not the key. Whoever uses this browser can read them.',
      ),
    ],
    [`### ${say('How long it is kept')}`, kept(facts, say, language)],
    [
      `### ${say('Your rights')}`,
      say(
        'You can see what is stored about you, take it along as a file, and delete one chat, all chats or everything, at any time; for a deletion you get a signed receipt. You can withdraw your consent at any time, on this page, under “Privacy notice” or “My data”; you can then still have everything deleted, under “My data”. You may also complain to a data protection authority.',
      ),
    ],
    [
      `### ${say('Contact')}`,
      facts.contact
        ? say('Write to **{contact}**.', { contact: facts.contact })
        : say('Ask the operator of this site, who is named in its imprint.'),
    ],
    [`### ${say('Changes')}`, say('When this notice changes, you are asked again before you go on.')],
  ]
  return `${sections.flat().join('\n\n')}\n`
}

function collected(say: Translate): string {
  const items = [
    say('**Your name, email address and phone number are not asked for.** If you write them into a prompt, they are stored as part of it.'),
    say('**What you write, the files that you attach, and what is answered** is stored on this server, so that you can come back to it.'),
    say(
      '**Usage:** a random identity for your browser, and when your chats were started and last used. Your network address is not stored; to limit misuse, a fingerprint of it is kept, which changes every day. No analytics, no tracking.',
    ),
  ]
  return items.map((item) => `- ${item}`).join('\n')
}

function signingIn({ issuer, scope }: Pick<SignInSettings, 'issuer' | 'scope'>, say: Translate): string {
  return [
    say(
      'You may sign in to see your chats on your other devices; you need not. **{host}** then checks who you are, and learns that you use this site. It is not told what you write.',
      { host: new URL(issuer).host },
    ),
    asksForName(scope)
      ? say(
          'Stored here are a fingerprint of your account, from which nobody can tell whose it is, and the name that it gives us, to greet you with.',
        )
      : say('Stored here is a fingerprint of your account, from which nobody can tell whose it is; your name is not asked for.'),
    say(
      'The chats of this browser become your account’s. A cookie holds the sign-in together while you are there, for ten minutes at most.',
    ),
  ].join(' ')
}

function shared({ modelProvider, modelRunsHere, checkedBy, lookups, voiceInput }: NoticeFacts, say: Translate): string {
  const made = modelRunsHere
    ? () => say('Answers are written by a language model that runs on this server.')
    : () => say('Answers are made inside this server.')
  const sentences = [
    modelProvider
      ? say(
          'To answer, your prompts, files and the chat they belong to are sent to **{provider}**, which runs the language model. Its own terms say how long it keeps them.',
          { provider: modelProvider },
        )
      : made(),
    ...(modelProvider || checkedBy || lookups ? [] : [say('Your prompts are sent to nobody.')]),
    ...(checkedBy
      ? [
          say('What you write and what is answered is sent to **{checker}**, which checks it for what may not be said here.', {
            checker: checkedBy,
          }),
        ]
      : []),
    ...(lookups ? [say('What is looked up for an answer, perhaps in your words, is sent to **{endpoint}**.', { endpoint: lookups })] : []),
    ...(voiceInput
      ? [
          say(
            'If you speak instead of writing, your browser writes it down. Most browsers send your voice to their maker for that; you are told before.',
          ),
        ]
      : []),
    say('This page loads nothing from other sites. Nothing is sold or used for advertising.'),
  ]
  return sentences.join(' ')
}

function kept({ retentionDays }: NoticeFacts, say: Translate, language: string): string {
  const times = say(
    'A chat is deleted {time} after its last activity. A temporary chat is stored only while its answer is being written, and goes within a minute after it. If you say that others use your computer too, your chats are deleted when you close the tab, and at the latest 2 hours after the last use; nothing stays in the browser. Your decision about this notice is kept in a cookie for 180 days. The cookie that holds your key is set with your first prompt and lasts 30 days after your last one. Until you close the tab, this browser also keeps a copy of the open chat, and the colours and the language you chose until you withdraw your consent.',
    { time: keptInWords(retentionDays, language) },
  )
  const offline = say(
    'So that you can read without a connection, this browser keeps copies of the last 20 chats that you opened, and what you wrote without a connection for up to 7 days, until it is sent. A copy goes when you delete its chat, sign out or withdraw your consent; one whose time is over is not shown any more, and goes with your next visit.',
  )
  return `${times} ${say('What you wrote and did not send stays in this tab until you close it.')} ${offline}`
}
