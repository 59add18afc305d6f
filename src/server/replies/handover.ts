import { z } from 'zod'
import { escapeMarkdown } from '../../contract/chat/citation.ts'
import type { PublicHandover } from '../../contract/config.ts'
import type { PageLanguage } from '../../contract/page-languages.ts'
import { translated } from '../translations/translations.ts'
import { CONTACT_SENTENCE, NOBODY_IS_THERE, STAFF_ARE_THERE, STAFF_CAN_HELP, WAYS_TO_A_PERSON } from './fixed-sentences.ts'
import { orElse, orNull } from './front-matter.ts'
import { OpeningHours, presenceAt } from './opening-hours.ts'
import { localizedText, textIn } from './localized-text.ts'

/** Ways to a person, in an agent's policy. */
export const HandoverHeader = z
  .strictObject({
    /** Whether visitors can leave messages, which staff answer in the console. */
    messages: orElse(z.boolean(), false),
    contacts: orElse(
      z
        .array(
          z.strictObject({
            label: localizedText(60),
            url: z
              .string()
              .max(500)
              .regex(/^(?:https?:\/\/|mailto:|tel:)[^\s<>]+$/, 'must begin with https:, http:, mailto: or tel:, and have no spaces'),
          }),
        )
        .max(5),
      [],
    ),
    hours: orNull(OpeningHours),
  })
  .refine(({ messages, contacts }) => messages || contacts.length > 0, 'needs messages: true or a contact')
export type Handover = z.output<typeof HandoverHeader>

/** As the page shows it, in a language. */
export function publicHandover({ messages, contacts, hours }: Handover, language: PageLanguage | null, now: Date): PublicHandover {
  return {
    messages,
    contacts: contacts.map(({ label, url }) => ({ label: textIn(label, language), url })),
    presence: hours && { ...presenceAt(hours, now), timeZone: hours.timeZone },
  }
}

/** The reply to a visitor who asks for a person, in Markdown. `contact`: the operator's, which takes the place of missing contacts. */
export function handoverReply(
  handover: Handover,
  { language, contact, now }: { language: PageLanguage | null; contact: string | null; now: Date },
): string {
  const { contacts, presence } = publicHandover(handover, language, now)
  const links = contacts.map(({ label, url }) => `- [${literal(label)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`)
  const time = presence?.until && timeIn(presence.timeZone, language, new Date(presence.until))
  return [
    ...(links.length > 0
      ? [translated(WAYS_TO_A_PERSON, language), links.join('\n')]
      : [
          [
            translated(STAFF_CAN_HELP, language),
            ...(contact === null ? [] : [translated(CONTACT_SENTENCE, language, { contact: literal(contact) })]),
          ].join(' '),
        ]),
    ...(presence && time ? [translated(presence.isOpen ? STAFF_ARE_THERE : NOBODY_IS_THERE, language, { time })] : []),
  ].join('\n\n')
}

/** The text in Markdown that shows it as it is, in one line. */
function literal(text: string): string {
  return escapeMarkdown(text)
    .replaceAll('&', '&amp;')
    .replaceAll(/[*_~$|]/g, '\\$&')
}

function timeIn(timeZone: string, language: PageLanguage | null, at: Date): string {
  return new Intl.DateTimeFormat(language ?? 'en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  }).format(at)
}
