const STOP_WORDS = new Set(
  (
    'a an and are as at be but by can could did do does for from had has have he her his how i in into is it its just me my no not of on ' +
    'only or our out she should so some than that the their them then there they this to too up was we were what when where which who why ' +
    'will with would you your'
  ).split(' '),
)
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const K1 = 1.2
const B = 0.75

export interface BaselineDocument {
  id: string
  title: string
  text: string
}

export interface RankedText {
  index: number
  score: number
}

/** Lower-case words without stop words; English words are stemmed, Chinese and Japanese are read in pairs of characters. */
export function termsOf(text: string, stem: (word: string) => string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  return words
    .flatMap((word) => (CJK.test(word) && word.length > 2 ? Array.from(word.slice(1), (letter, at) => `${word[at]}${letter}`) : word))
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => (/^[a-z]+$/.test(word) ? stem(word) : word))
}

/** Splits documents at white space into chunks of about `characters`, each starting with its document's title. */
export function chunksOf(documents: readonly BaselineDocument[], characters = 1_000): string[] {
  return documents.flatMap(({ title, text }) => {
    const chunks: string[] = []
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + characters)
      if (end < text.length) end = Math.max(text.lastIndexOf(' ', end), start + characters / 2)
      chunks.push(`${title}\n${text.slice(start, end)}`)
      start = end
    }
    return chunks
  })
}

/**
 * The baseline: Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over one field, k1 1.2, b 0.75.
 * Nothing is tuned. Returns a search that ranks the texts, best first.
 */
export function bm25(texts: readonly string[], stem: (word: string) => string): (query: string, limit: number) => RankedText[] {
  const postings = new Map<string, [index: number, count: number][]>()
  const lengths = texts.map((text, index) => {
    const terms = termsOf(text, stem)
    for (const [term, count] of countsOf(terms)) {
      const found = postings.get(term)
      if (found) found.push([index, count])
      else postings.set(term, [[index, count]])
    }
    return terms.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / texts.length
  return (query, limit) => {
    const scores = new Map<number, number>()
    for (const term of new Set(termsOf(query, stem))) {
      const found = postings.get(term) ?? []
      const idf = Math.log(1 + (texts.length - found.length + 0.5) / (found.length + 0.5))
      for (const [index, count] of found) {
        const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / average)
        scores.set(index, (scores.get(index) ?? 0) + (idf * count * (K1 + 1)) / (count + norm))
      }
    }
    return [...scores]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, limit)
      .map(([index, score]) => ({ index, score }))
  }
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
