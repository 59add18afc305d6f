import { promptLanguage } from '../prompt-language.ts'
import type { Fact, NumberFact } from './read-facts.ts'
import { type Claims, type Clause, includesAlike, isAlike, namesIn, readClaims } from './read-claims.ts'
import { EACH, EVERYONE, FREE, LOWER_BOUND, SPEAKS_OF_ITSELF, UNIVERSALS, UPPER_BOUND } from './logic-words.ts'
import { type Evidence, isSameNumber, isSmallCount, isStated } from './match-facts.ts'
import { MONEY } from './units.ts'

/** Why a sentence is not supported. */
export type Mismatch = 'fact' | 'assignment' | 'name' | 'negation' | 'universal' | 'bound'

const NO_UNIT = { dimension: 'none', factor: 1 }
const SENTENCE_END = /(?<=[.!?。！？؟।])(?:\s+(?=[\p{Lu}\p{Lo}\d"„“«([])|(?<=[。！？।]))|\n+/u
const MAX_EVIDENCE_CHARACTERS = 20_000
const MAX_SENTENCES = 200
/** Share of a sentence's words that a sentence of the source must have before their negations are compared. */
const ALIGNED_SHARE = 0.7
/** Words that say nothing about which of several numbers is meant. */
const SAID_OF_EVERYTHING: ReadonlySet<string> = new Set(
  (
    'cost costs pay pays paid price fee fees charge charges rate amount amounts get gets receive receives last lasts take takes run runs kostet kosten zahlt zahlen bezahlt ' +
    'gebühr preis beträgt liegt erhält erhalten bekommt bekommen gilt dauert coûte coûtent prix tarif montant paie reçoit dure cuesta cuestan precio tarifa importe paga ' +
    'pagan dura costa costano prezzo tariffa pagano custa custam preço taxa pagam стоит стоимость цена платят составляет يدفع رسوم शुल्क'
  ).split(' '),
)

/** Reads a text that can support sentences. */
export function readEvidence(text: string): Evidence {
  const kept = text.slice(0, MAX_EVIDENCE_CHARACTERS)
  const language = promptLanguage(kept)
  const sentences = kept
    .split(SENTENCE_END)
    .filter((sentence) => sentence.trim() !== '')
    .slice(0, MAX_SENTENCES)
    .map((sentence) => readClaims(sentence, language))
  return { text: kept.toLowerCase(), language, sentences, facts: sentences.flatMap(({ facts }) => facts) }
}

/**
 * Compares a sentence with the texts that should support it. Returns `null` if nothing in it is missing there or contradicts them. Only
 * what can be compared without understanding counts: numbers, units, dates, names, negations. `results` of tools only confirm.
 */
export function findMismatch(sentence: string, passages: readonly Evidence[], results: readonly Evidence[] = []): Mismatch | null {
  const evidence = [...passages, ...results]
  if (!/[\p{L}\p{N}]/u.test(sentence)) return null
  const [language, sourceLanguage] = [promptLanguage(sentence), evidence[0]?.language ?? null]
  const claims = readClaims(sentence, language ?? sourceLanguage)
  const isLeadIn = /[:：](?:\s|$)/.test(sentence)
  const facts = evidence.flatMap((one) => one.facts)
  const isMissing = (fact: Fact) => !(isLeadIn && isSmallCount(fact)) && !isStated(fact, claims, facts, evidence)
  if (claims.facts.some(isMissing)) return 'fact'
  const texts = evidence.map(({ text }) => text)
  const isGerman = (language ?? sourceLanguage) === 'de'
  const isTranslated = language !== null && sourceLanguage !== null && language !== sourceLanguage
  if (evidence.length > 0 && !isTranslated && namesIn(claims.tokens, isGerman).some((name) => !isNamed(name, texts, evidence)))
    return 'name'
  if (claims.tokens.some(({ text }) => SPEAKS_OF_ITSELF.has(text) && !texts.some((source) => text.length > 3 && source.includes(text))))
    return null
  const sentences = passages.flatMap((one) => one.sentences).slice(0, MAX_SENTENCES)
  if (hasOtherAssignment(claims, passages)) return 'assignment'
  if (hasOtherBound(claims, sentences)) return 'bound'
  if (isContradicted(claims, sentences) || isFreeOnlyHere(claims, sentences)) return 'negation'
  if (isTooGeneral(claims, sentences)) return 'universal'
  return null
}

function isNamed(name: string, texts: readonly string[], evidence: readonly Evidence[]): boolean {
  return (
    texts.some((text) => text.includes(name)) || evidence.some(({ sentences }) => sentences.some(({ words }) => includesAlike(words, name)))
  )
}

/**
 * Whether a number of the sentence belongs to something else in each source that has it: there it stands in a part without any word of
 * the sentence, and the sentence's words stand with another number.
 */
function hasOtherAssignment(claims: Claims, evidence: readonly Evidence[]): boolean {
  return claims.clauses.some((clause) =>
    clause.facts.some((fact) => {
      if (fact.kind !== 'number' || !isMeasured(fact)) return false
      const having = evidence.filter(({ facts }) => facts.some((other) => isSameNumber(fact, other, facts)))
      const about = wordsAbout(claims, clause, fact)
      return having.length > 0 && having.every(({ sentences }) => isElsewhere(fact, about, sentences))
    }),
  )
}

/** Has a unit, or digits after the point, which only measured values have. */
const isMeasured = ({ unit, values }: NumberFact): boolean => unit !== null || !values.every(Number.isInteger)

/** The words that say what a fact is about: those of the whole sentence if it is its only measure of this kind. */
function wordsAbout(claims: Claims, clause: Clause, fact: NumberFact): readonly string[] {
  const rivals = claims.facts.filter((other) => other !== fact && other.kind === 'number' && other.unit?.dimension === fact.unit?.dimension)
  return rivals.length === 0 ? claims.words : clause.words
}

function isElsewhere(fact: NumberFact, about: readonly string[], sentences: readonly Claims[]): boolean {
  const words = about.filter((word) => word !== String(fact.values[0]))
  const clauses = sentences.flatMap((sentence) => sentence.clauses.map((clause) => ({ clause, sentence })))
  const isMatch = (other: Fact) =>
    other.kind === 'number' &&
    (other.unit === null || other.unit.dimension === fact.unit?.dimension) &&
    isSameNumber(fact, other, [{ kind: 'unit', unit: fact.unit ?? NO_UNIT, isRate: false, at: 0 }])
  const isRival = (other: Fact) =>
    other.kind === 'number' && isMeasured(other) && other.unit?.dimension === fact.unit?.dimension && !isMatch(other)
  const own = clauses.filter(({ clause }) => clause.facts.some(isMatch))
  const rivals = clauses.filter(({ clause }) => clause.facts.some(isRival) && !clause.facts.some(isMatch))
  if (own.length === 0 || rivals.length === 0) return false
  const isIn = (places: typeof clauses, word: string) => places.some(({ clause }) => includesAlike(clause.words, word))
  const inOwn = words.filter((word) => isIn(own, word))
  const inRivals = words.filter((word) => isIn(rivals, word))
  // "The course costs 30 euros for children and 45 for adults": both are about the course.
  const shared = own.filter(({ clause, sentence }) => sentence.clauses[0] === clause && rivals.some((rival) => rival.sentence === sentence))
  const named = new Set(shared.flatMap(({ clause }) => clause.words.slice(0, 1)))
  const exclusive = inRivals.filter((word) => !inOwn.includes(word) && !SAID_OF_EVERYTHING.has(word))
  const onlyOwn = inOwn.filter((word) => !inRivals.includes(word) && !includesAlike([...named], word) && !SAID_OF_EVERYTHING.has(word))
  const nowhere = words.filter((word) => !isIn(clauses, word))
  return exclusive.length > 0 && onlyOwn.length === 0 && nowhere.length * 3 <= words.length
}

/** Whether "at least" and "at most" are exchanged before a number. */
function hasOtherBound(claims: Claims, sentences: readonly Claims[]): boolean {
  return claims.facts.some((fact) => {
    if (fact.kind !== 'number') return false
    const bound = boundBefore(claims, fact)
    if (bound === null) return false
    const others = sentences.flatMap((sentence) =>
      sentence.facts
        .filter((other) => other.kind === 'number' && isSameNumber(fact, other, sentence.facts))
        .map((other) => boundBefore(sentence, other)),
    )
    return others.length > 0 && others.every((other) => other !== null && other !== bound)
  })
}

function boundBefore({ tokens }: Claims, { at }: Fact): 'upper' | 'lower' | null {
  const before = tokens.slice(Math.max(0, at - 3), at).map(({ text }) => text)
  const isDenied = before.some((text) => /^(?:no|not|nicht|keine|ne~fr|pas|non|não|не)$/.test(text))
  const phrase = before.join(' ').replace(/ [€$£]$/, '')
  if (UPPER_BOUND.test(phrase) && !isDenied) return 'upper'
  return LOWER_BOUND.test(phrase) && !isDenied ? 'lower' : null
}

/** Whether the part of the source that is most like a part of the sentence says the opposite. */
function isContradicted(claims: Claims, sentences: readonly Claims[]): boolean {
  const shares = sentences.map((other) => ({ other, share: sharedPart(claims.words, other.words) }))
  const exceptions = shares.filter(({ other, share }) => share > 0 && other.clauses.some(({ isAmbiguous }) => isAmbiguous))
  return claims.clauses.some((clause) => {
    if (clause.words.length === 0 || clause.isAmbiguous) return false
    // The words of a short source may all be in a longer sentence; what a sentence denies must be there itself.
    const aligned = shares
      .filter(({ share }) => share > 0)
      .map(({ other, share }) => {
        const reverse = clause.isNegative || other.words.length < 2 ? 0 : sharedPart(other.words, claims.words)
        return { other, share: Math.max(share, reverse) }
      })
    const most = Math.max(0, ...aligned.map(({ share }) => share))
    if (most < ALIGNED_SHARE) return false
    const nearest = aligned.filter(({ share }) => share === most).map(({ other }) => other)
    return nearest.every((best) => {
      const deciding = decidingClause(clause.words, best)
      if (!deciding || deciding.isAmbiguous || deciding.isNegative === clause.isNegative) return false
      return !exceptions.some(({ other }) => other !== best && isExceptionFor(other, claims.words, best))
    })
  })
}

/** Whether the sentence says that something is free for which the source names a price, and nothing there is free. */
function isFreeOnlyHere(claims: Claims, sentences: readonly Claims[]): boolean {
  if (
    !claims.tokens.some(({ text }) => FREE.has(text)) ||
    sentences.some(({ clauses }) => clauses.some(({ isAmbiguous, isNegative }) => isAmbiguous || isNegative))
  )
    return false
  return sentences.some(
    ({ facts, words }) =>
      facts.some((fact) => fact.kind === 'number' && fact.unit !== null && MONEY.has(fact.unit.dimension)) &&
      sharedPart(claims.words, words) >= ALIGNED_SHARE,
  )
}

/** The share of the words that the others include. */
function sharedPart(words: readonly string[], others: readonly string[]): number {
  return words.filter((word) => includesAlike(others, word)).length / Math.max(1, words.length)
}

/** The last clause that shares a word with the sentence which no clause before it has. */
function decidingClause(words: readonly string[], { clauses }: Claims): Clause | undefined {
  return clauses.findLast((clause, at) =>
    words.some((word) => includesAlike(clause.words, word) && !clauses.slice(0, at).some((earlier) => includesAlike(earlier.words, word))),
  )
}

function isExceptionFor(other: Claims, words: readonly string[], best: Claims): boolean {
  return other.clauses.some(
    (clause) => clause.isAmbiguous && words.some((word) => includesAlike(clause.words, word) && !includesAlike(best.words, word)),
  )
}

/** Whether the sentence says "all" or "always" where the source, in the sentences about it, has a condition and says neither. */
function isTooGeneral(claims: Claims, sentences: readonly Claims[]): boolean {
  if (!claims.hasUniversal || claims.words.length === 0) return false
  const numbers = claims.facts.flatMap((fact) => (fact.kind === 'number' ? fact.values : []))
  const about = sentences.filter(
    ({ words }) => claims.words.filter((word) => words.some((other) => isAlike(other, word))).length * 2 >= claims.words.length,
  )
  const saysEveryone = claims.tokens.some(({ text }) => EVERYONE.has(text))
  const adds = ({ facts }: Claims) => facts.some((fact) => fact.kind === 'number' && !fact.values.some((value) => numbers.includes(value)))
  return (
    about.length > 0 &&
    about.every(({ tokens }) => !tokens.some(({ text }) => UNIVERSALS.has(text) || EACH.has(text))) &&
    about.some(
      (other) => other.isRestricted || adds(other) || (saysEveryone && other.words.some((word) => !includesAlike(claims.words, word))),
    )
  )
}
