/** White space after the end of a sentence (also in Hindi, Arabic and Urdu), or the place after one in Chinese and Japanese. */
const BETWEEN_SENTENCES = /(?<=[.!?\u2026:\u0964\u061f\u06d4][)\]"'\u2019\u201d]{0,2})\s+(?=\S)|(?<=[\u3002\uff01\uff1f])/u

/** The sentences of a text with the white space between them kept, in order; together they are the text. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { index, 0: gap } of text.matchAll(new RegExp(BETWEEN_SENTENCES, 'gu'))) {
    const end = index + gap.length
    if (end > start) sentences.push(text.slice(start, end))
    start = end
  }
  if (start < text.length) sentences.push(text.slice(start))
  return sentences
}

/** The text in pieces of at most `maxCharacters`, cut at white space where there is some. */
export function cutAtSpaces(text: string, maxCharacters: number): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > maxCharacters) {
    // Only this window is searched: looking back from its end through all of the text takes quadratic time.
    const window = start + Math.ceil(maxCharacters / 2)
    const space = text.slice(window, start + maxCharacters + 1).lastIndexOf(' ')
    let end = space > 0 ? window + space : start + maxCharacters
    if (isLowSurrogate(text.charCodeAt(end))) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  pieces.push(text.slice(start))
  return pieces
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** The longest beginning of whole sentences that fits, at most `maxCharacters`; of whole words if the first sentence is too long. */
export function trimmedAtSentence(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  let end = 0
  for (const sentence of sentencesOf(text)) {
    if (end + sentence.trimEnd().length > maxCharacters) break
    end += sentence.length
  }
  const isUsable = end > maxCharacters / 2
  const piece = isUsable ? text.slice(0, end) : (cutAtSpaces(text.slice(0, maxCharacters + 1), maxCharacters)[0] ?? '')
  return piece.trimEnd()
}
