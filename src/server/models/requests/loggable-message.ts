const MAX_LOGGED_CHARACTERS = 300
const MAX_READ_CHARACTERS = 600
/** Longest part of a conversation that is compared, from its end. */
const MAX_COMPARED_CHARACTERS = 200_000
const MASK = '[…]'
/** This many consecutive words from the conversation are a quotation, even if they are common. */
const QUOTED_WORDS = 4
/** Shorter words don't identify their author. */
const LEAST_CHARACTERS = 5

/** API keys by prefix, bearer tokens, and identifiers that look random. */
const SECRET =
  /\b(?:bearer|basic)\s+\S+|\b(?:sk|pk|rk|key|gsk|hf|ghp|xai|pplx|AKIA|ASIA|AIza|org|proj|sess)[-_]?[A-Za-z0-9*][\w*.-]{7,}|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9+/=]{20,}|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}|(?<=[?&][\w-]{1,40}=)[^\s&]+/gi

/** Words of error messages that may also occur in a conversation. */
const COMMON = new Set(
  `about access account again allowed already answer argument array assistant authentication available balance batch because before billing
  cannot check choice choices completion configured content context contact could credit credits current currently default deployment
  details disabled doesn't during either empty enable enabled endpoint error errors exceed exceeded exceeds exist expected failed failure
  field filter found function functions greater image images include included incorrect input inputs insufficient instead integer internal
  invalid large larger later least length limit limits longer maximum message messages method minute minutes missing model models number
  object organization other output outputs overloaded parameter parameters permission please policy prompt prompts property provided provider
  providers quota range reached reasoning receive received reduce region remove request requested requests required requires resource response
  retry schema seconds server service should shorter short small status stream streaming string support supported supports system
  temperature their there these thinking this those token tokens tools total triggered unavailable unknown unsupported until usage value
  values version visit when where which while window without would`.split(/\s+/),
)

export interface LoggableOptions {
  /** Texts that the message may quote. */
  conversation: readonly string[]
  /** Values that are always masked. */
  secrets?: readonly string[]
}

/** Makes a provider's message safe to log: one line of bounded length, without keys and quotations of the conversation. */
export function loggableMessage(message: string, { conversation, secrets = [] }: LoggableOptions): string {
  let text = message.slice(0, MAX_READ_CHARACTERS).toWellFormed()
  for (const secret of secrets) if (secret.length > 3) text = text.replaceAll(secret, MASK)
  text = text.replace(SECRET, MASK)
  text = withoutQuotations(text, plain(conversation.join('\n').slice(-MAX_COMPARED_CHARACTERS)))
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > MAX_LOGGED_CHARACTERS ? `${line.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed()}…` : line
}

function withoutQuotations(text: string, conversation: string): string {
  if (conversation === '') return text
  const isInConversation = (words: string) => conversation.includes(plain(words))
  const quoted = text.replaceAll(/(?<=(["'`“‘]))[^"'`”’]{2,}(?=["'`”’])/gu, (inner) =>
    !isCommon(inner) && isInConversation(inner) ? MASK : inner,
  )
  const words = quoted.split(/(\s+)/u)
  const masked = new Set<number>()
  // Words are at even indexes, spaces at odd ones.
  for (let at = 0; at < words.length; at += 2) {
    const run = words.slice(at, at + QUOTED_WORDS * 2 - 1)
    if (run.length === QUOTED_WORDS * 2 - 1 && isInConversation(run.join('')))
      for (let word = at; word < at + run.length; word += 1) masked.add(word)
    if (quotes(words[at] ?? '', isInConversation)) masked.add(at)
  }
  return words
    .map((word, at) => (masked.has(at) ? (at % 2 === 0 ? MASK : ' ') : word))
    .join('')
    .replaceAll(/\[…\](?:[\s\p{P}]*\[…\])+/gu, MASK)
}

/** Whether an uncommon word, or part of a text without spaces, occurs in the conversation. */
function quotes(word: string, isSaid: (words: string) => boolean): boolean {
  const bare = word.replaceAll(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '')
  if (/[^\p{ASCII}]{2}/u.test(bare)) return isSaid(bare) || pieces(bare).some(isSaid)
  if (bare.length < LEAST_CHARACTERS || isCommon(bare)) return false
  return isSaid(bare)
}

const PIECE_CHARACTERS = 4

function pieces(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PIECE_CHARACTERS + 1) }, (_, at) => text.slice(at, at + PIECE_CHARACTERS))
}

function isCommon(word: string): boolean {
  return COMMON.has(word.toLowerCase())
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/gu, ' ')
}
