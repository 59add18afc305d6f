import { plainLower } from './folding.ts'

const MAX_QUERY_CHARACTERS = 500

/** Chat style that no document has; words that only make a question are left out by the search itself. */
const FILLER = new Set(
  (
    'hi hey hello hallo hola bonjour salut thx thanks pls plz please bitte danke gracias merci svp stp lol omg btw um umm ummm uh hmm er yo ok okay so well just kinda kind sort quick question guys dude bro ' +
    'mate sorry bother excuse wondering wonder worried gonna wanna gotta u r ur im ive id dont cant rn asap actually really maybe like stuff thing things anyway basically literally honestly ' +
    'hang hello there ye ya yeah nope yep wat waht hwo wich whats somwhere sumwhere plese pleas teh possible possibly able supposed allowed exactly simply always ever even still already anymore somehow sometime sometimes somewhere ' +
    'morning afternoon evening bekomme bekommen kriege frage fragen wollte wissen mal denn eigentlich ob wurde gerne gern mochte vielleicht etwa bloss halt eben ihr euch gibt gibts ' +
    'voudrais savoir aimerais petite est-ce estce donc alors bon quisiera gustaria saber pues entonces'
  ).split(' '),
)

/** Words that ask and name nothing: what they ask about was said before. */
const QUESTION_WORDS = new Set(
  (
    'how long much many often far time when where who whom why what which whose for until till since from to in on at of and or but then now so about is are was were do does did can could will would ' +
    'should may might it its that this these those they them there one ones he she i me my you your we us a an the if not no be been have has had get with by as also too again same else more ' +
    'between whether wie lange viel viele oft weit wann wo wer wem warum wieso was welche welcher welches fur bis seit von zu im in auf an und oder aber dann jetzt ist sind war kann konnen wird werden soll es das dies ' +
    'diese die der den dem dies sie er man ich mich mein meine meinen meiner meinem du dein deine wir uns ein eine nicht mit auch noch dafur davon dazu damit gelten gilt ' +
    'comment mes mon ma ses combien temps quand ou qui pourquoi quoi quel quelle quels quelles pour jusqu depuis de a dans sur et ou mais alors est sont peut peux puis ca cela ce il elle ils elles on je tu nous vous le la les un une pas avec aussi ' +
    'cuanto cuanta cuantos cuantas tiempo cuando donde quien que cual como para hasta desde de a en y o pero entonces es son puede puedo eso esto lo la los las el ella un una no con tambien'
  ).split(' '),
)

/** Words that ask for a duration or an amount: they tell which passage is meant. */
const KEPT = new Set('long lange temps combien tiempo cuanto cuantos viel viele much many'.split(' '))

/** Questions in words so common that no search knows them, and what they ask for. */
const REWRITTEN: readonly (readonly [RegExp, string])[] = [
  [/\b(?:know|have|hold|got|save|store|keep) (?:about|on|of) me\b|\buber mich\b|\bsur moi\b|\bsobre mi\b/, 'personal data stored'],
  [
    /\bwhat (?:can'?t|cannot|can not|can you not|are you not able to|are you unable to)\b|\bwas kannst du nicht\b|\bwas konnen sie nicht\b|\bque ne peux-tu pas\b|\bque no puedes\b/,
    'cannot unable limits',
  ],
]

/** A question for opening hours, and who opens. It is no question about opening a chat. */
const OPENING_HOURS =
  /^(?:when|what time|at what time|how long) (?:do|does|are|is|will) (.{0,40}?)\b(?:open|close|closed|closing)(?: .{0,20})?[?!. ]*$/

/** Questions that are better searched for in other words. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [
    /^how many (?:characters|words|letters)\b.{0,25}\b(?:type|write|send|use|enter|prompt|message)\b|^(?:how long|wie lang|quelle longueur|que longitud) .{0,20}\b(?:can|may|could|should|must|darf|kann|peut|puede)\b.{0,30}\b(?:message|messages|prompt|prompts|question|text|nachricht|frage|eingabe|mensaje|pregunta)\b/,
    'maximum length prompt characters',
  ],
]

/** Queries to try until one finds something: the prompt without filler, then the words that name something. */
export function searchQueriesOf(prompt: string): string[] {
  const start = prompt.slice(0, MAX_QUERY_CHARACTERS)
  const folded = plainLower(start)
  const subject = OPENING_HOURS.exec(folded)?.[1]
  if (subject !== undefined) {
    const named = contentWordsOf(subject).join(' ')
    return named === '' ? ['opening hours'] : [withoutFiller(start), `${named} opening hours`]
  }
  const [, replaced] = REPLACED.find(([pattern]) => pattern.test(folded)) ?? []
  if (replaced !== undefined) return [replaced]
  const [, rewritten] = REWRITTEN.find(([pattern]) => pattern.test(folded)) ?? []
  const naming = start
    .split(/[^\p{L}\p{N}\p{M}'\u2019-]+/u)
    .map((word) => word.replace(/^(?:[ldjmnsct]|qu)['\u2019]/i, ''))
    .filter((word) => word !== '' && (KEPT.has(bare(word)) || (!QUESTION_WORDS.has(bare(word)) && !FILLER.has(bare(word)))))
  const hasNames = naming.some((word) => !KEPT.has(bare(word)))
  const queries = [withoutFiller(start), ...(hasNames ? [naming.join(' ')] : []), ...(rewritten === undefined ? [] : [rewritten])]
  return [...new Set(queries.map((query) => query.toWellFormed().slice(0, MAX_QUERY_CHARACTERS)))]
}

function withoutFiller(text: string): string {
  const words = text.split(/\s+/)
  const meant = words.filter((word) => !FILLER.has(bare(word)))
  return (meant.length > 0 ? meant : words).join(' ')
}

/** The words of a text that name something, folded. */
export function contentWordsOf(text: string): string[] {
  const words = plainLower(text.slice(0, MAX_QUERY_CHARACTERS)).match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []
  return words.filter((word) => !QUESTION_WORDS.has(word) && !FILLER.has(word))
}

/** The words of a text that ask for a duration or an amount, folded. */
export function measureWordsOf(text: string): string[] {
  const words = plainLower(text.slice(0, MAX_QUERY_CHARACTERS)).match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => KEPT.has(word))
}

const bare = (word: string) => plainLower(word).replace(/[^\p{L}\p{N}'-]/gu, '')
