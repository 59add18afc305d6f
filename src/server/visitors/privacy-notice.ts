import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PrivacyNotice } from '../../contract/config.ts'
import { keptInWords } from '../../contract/retention.ts'
import type { SignInSettings } from '../config.ts'
import { asksForName } from './sign-in/scope.ts'

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
  /** The provider with which visitors may sign in, if there is one. */
  signIn: Pick<SignInSettings, 'issuer' | 'scope'> | null
}

/** The notice of this installation: the operator's file, or the one below with the facts of the live configuration. */
export async function loadPrivacyNotice(facts: NoticeFacts, file: string | null): Promise<PrivacyNotice> {
  const markdown = file ? await readFile(file, 'utf8') : standardNotice(facts)
  return { version: createHash('sha256').update(markdown).digest('hex').slice(0, 16), markdown }
}

function standardNotice({ name, retentionDays, contact, modelProvider, modelRunsHere, checkedBy, signIn }: NoticeFacts): string {
  const kept = keptInWords(retentionDays)
  const sharing = modelProvider
    ? `To answer, your prompts, files and the chat they belong to are sent to **${modelProvider}**, which runs the language model. Its own terms say how long it keeps them.`
    : `${madeHere(modelRunsHere)}${checkedBy ? '' : ' Your prompts are sent to nobody.'}`
  const ask = contact ? `Write to **${contact}**.` : 'Ask the operator of this site, who is named in its imprint.'
  return `## Privacy notice

You can use ${name} without an account. Please read what happens with what you write.

### What is collected
- **Your name, email address and phone number are not asked for.** If you write them into a prompt, they are stored as part of it.
- **What you write, the files that you attach, and what is answered** is stored on this server, so that you can come back to it.
- **Usage:** a random identity for your browser, and when your chats were started and last used. Your network address is not stored; to limit misuse, a fingerprint of it is kept, which changes every day. No analytics, no tracking.

### What it is used for
To answer you, to show you your earlier chats, and to keep the service working. Nothing else.

${signIn ? signingIn(signIn) : ''}### Who it is shared with
${sharing}${checkedBy ? ` What you write and what is answered is sent to **${checkedBy}**, which checks it for what may not be said here.` : ''} This page loads nothing from other sites. Nothing is sold or used for advertising.

### Security
Your chats are opened by a secret key that only your browser has; the server stores its fingerprint, not the key. Whoever uses this browser can read them.

### How long it is kept
A chat is deleted ${kept} after its last activity. A temporary chat is stored only while its answer is being written, and goes within a minute after it. If you say that others use your computer too, your chats are deleted when you close the tab, and at the latest 2 hours after the last use; nothing stays in the browser. Your decision about this notice is kept in a cookie for 180 days. The cookie that holds your key is set with your first prompt and lasts 30 days after your last one. Until you close the tab, this browser also keeps a copy of the open chat, and the colours you chose until you withdraw your consent.

### Your rights
You can see what is stored about you, take it along as a file, and delete one chat, all chats or everything, at any time; for a deletion you get a signed receipt. You can withdraw your consent at any time, on this page, under "Privacy notice" or "My data"; you can then still have everything deleted, under "My data". You may also complain to a data protection authority.

### Contact
${ask}

### Changes
When this notice changes, you are asked again before you go on.
`
}

function madeHere(byModel: boolean): string {
  return byModel ? 'Answers are written by a language model that runs on this server.' : 'Answers are made inside this server.'
}

function signingIn({ issuer, scope }: Pick<SignInSettings, 'issuer' | 'scope'>): string {
  const name = asksForName(scope) ? ' and the name that it gives us, to greet you with' : '; your name is not asked for'
  return `### Signing in
You may sign in to see your chats on your other devices; you need not. **${new URL(issuer).host}** then checks who you are, and learns that you use this site. It is not told what you write. Stored here are a fingerprint of your account, from which nobody can tell whose it is${name}. The chats of this browser become your account's. A cookie holds the sign-in together while you are there, for ten minutes at most.

`
}
