import { stemsOf, wordsOf } from '../knowledge/index/analyzer.ts'
import { isStopWord } from '../knowledge/index/grammars.ts'

/** Languages of the page that have a stemmer. */
const STEMMED = ['english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'russian'] as const

/** Longer prompts are compared by their beginning. */
const MAX_READ_CHARACTERS = 4_000
const MAX_KNOWN_WORDS = 5_000
const SENTENCE_END = /(?<=[.!?。！？؟।\n])\s*/u

/** Words that make a sentence a request and say nothing about its subject. */
export const REQUEST_WORDS: ReadonlySet<string> = new Set(
  (
    'want wanted would like need please could help hello hi hey thanks thank tell know let get got ' +
    'möchte moechte mochte will würde wurde gerne gern bitte hallo brauche kann können konnen danke sagen ' +
    'voudrais veux souhaite souhaiterais peux puis bonjour merci svp plait plaît besoin ' +
    'quiero quisiera puedo hola gracias favor necesito gustaria gustaría ' +
    'voglio vorrei posso ciao grazie favore bisogno ' +
    'quero queria gostaria preciso ola olá obrigado obrigada favor ' +
    'хочу хотел хотела можно пожалуйста здравствуйте нужно мне'
  ).split(' '),
)

/** A word that carries meaning: its stems, one per language. */
export type ContentWord = readonly string[]

/** Reads the words of a text that carry meaning. */
export class ContentWordReader {
  /** By word as it is written: stemming takes longest. */
  readonly #known = new Map<string, { stems: ContentWord; isContent: boolean }>()

  /** The content words of a text, without repetitions; all words if it has no others. */
  read(text: string): ContentWord[] {
    const words = wordsOf(text.slice(0, MAX_READ_CHARACTERS)).map((token) => this.#wordOf(token))
    const content = words.filter(({ isContent }) => isContent)
    const stems = (content.length > 0 ? content : words).map((word) => word.stems).filter((word) => word.length > 0)
    return [...new Map(stems.map((word) => [word[0], word])).values()]
  }

  /** The words of a text that carry meaning, in their order and as they are written. */
  readForms(text: string): { form: string; stems: ContentWord; at: number }[] {
    const start = text.slice(0, MAX_READ_CHARACTERS)
    const forms: { form: string; stems: ContentWord; at: number }[] = []
    let at = 0
    for (const form of wordsOf(start)) {
      at = Math.max(at, start.indexOf(form, at))
      const { stems, isContent } = this.#wordOf(form)
      if (isContent && stems.length > 0) forms.push({ form, stems, at })
      at += form.length
    }
    return forms
  }

  #wordOf(token: string): { stems: ContentWord; isContent: boolean } {
    const known = this.#known.get(token)
    if (known) return known
    const isContent = !isStopWord(token, STEMMED) && !REQUEST_WORDS.has(token.toLowerCase())
    const word = { stems: stemsOf(token, STEMMED), isContent }
    if (this.#known.size >= MAX_KNOWN_WORDS) this.#known.clear()
    this.#known.set(token, word)
    return word
  }

  /** A text and each of its sentences, since a request is often one of several. */
  readSentences(text: string): ContentWord[][] {
    const start = text.slice(0, MAX_READ_CHARACTERS)
    const sentences = start.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')
    return (sentences.length > 1 ? [start, ...sentences.slice(0, 20)] : [start]).map((sentence) => this.read(sentence))
  }
}
