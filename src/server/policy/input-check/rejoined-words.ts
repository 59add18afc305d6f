/** Words of attacks, which are recognised in fragments and without spaces. */
const WORDS = new Set(
  (
    'ignore disregard forget override bypass reveal print show output repeat all any every previous prior earlier above your the and ' +
    'instructions instruction rules rule guidelines restrictions prompt system hidden secret you are now without filter filters jailbreak ' +
    'ignoriere ignorier vergiss alle deine vorherigen bisherigen anweisungen regeln vorgaben zeige gib systemprompt ohne ' +
    'oublie ignorez oubliez toutes tes les instructions regles consignes precedentes affiche montre ton sans filtre ' +
    'ignora olvida todas tus las instrucciones reglas anteriores muestra dimentica tutte tue istruzioni regole precedenti ' +
    'ignore esqueca suas instrucoes regras anteriores забудь игнорируй все правила инструкции предыдущие твои свои покажи промпт'
  ).split(' '),
)
const BEGINNINGS = new Set([...WORDS].flatMap((word) => Array.from({ length: word.length }, (_, index) => word.slice(0, index + 1))))
const LONGEST = Math.max(...[...WORDS].map((word) => word.length))
const MAX_FRAGMENTS = 12
const MAX_TOKENS = 800

/** A text whose fragments are joined to words and whose joined words are separated, as far as these are words of attacks; '' if none is. */
export function rejoinedWords(text: string): string {
  const tokens = (
    text
      .normalize('NFD')
      .replaceAll(/\p{Mn}/gu, '')
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  ).slice(0, MAX_TOKENS)
  const words: string[] = []
  let found = 0
  for (let at = 0; at < tokens.length; ) {
    const count = fragmentsAt(tokens, at)
    const token = tokens.slice(at, at + count).join('')
    const parts = count === 1 ? separated(token) : [token]
    if (count > 1 || parts.length > 1) found += 1
    words.push(...parts)
    at += count
  }
  return found === 0 ? '' : words.join(' ')
}

/** How many tokens from here are one word of attacks. */
function fragmentsAt(tokens: readonly string[], at: number): number {
  if (WORDS.has(tokens[at] ?? '')) return 1
  let joined = tokens[at] ?? ''
  for (let count = 2; count <= MAX_FRAGMENTS && BEGINNINGS.has(joined); count += 1) {
    joined += tokens[at + count - 1] ?? ''
    if (joined.length > 2 && WORDS.has(joined)) return count
  }
  return 1
}

/** The words of attacks that a long token consists of; the token itself if it contains something else. */
function separated(token: string): string[] {
  if (token.length < 10 || token.length > 80 || WORDS.has(token)) return [token]
  const words: string[] = []
  for (let at = 0; at < token.length; ) {
    let end = Math.min(token.length, at + LONGEST)
    while (end > at && !WORDS.has(token.slice(at, end))) end -= 1
    if (end === at) return [token]
    words.push(token.slice(at, end))
    at = end
  }
  return words
}
