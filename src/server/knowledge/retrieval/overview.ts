/** Scripts and words that identify a language. */
const MARKS: [language: string, marks: RegExp][] = [
  ['Japanese', /[\u3041-\u30ff]/g],
  ['Korean', /[\uac00-\ud7af]/g],
  ['Chinese', /[\u4e00-\u9fff]/g],
  ['Russian', /[\u0430-\u044f]+/g],
  ['Arabic', /[\u0621-\u064a]+/g],
  ['Hindi', /[\u0905-\u0939]+/g],
  ['English', /\b(?:the|and|with|this|which|are|from|not)\b/gi],
  ['German', /\b(?:und|der|die|das|nicht|ist|mit|werden|oder)\b/gi],
  ['French', /\b(?:les|des|est|une|dans|pour|vous|qui|avec)\b/gi],
  ['Spanish', /\b(?:los|las|del|una|para|que|por|como|con)\b/gi],
  ['Italian', /\b(?:gli|della|che|sono|nel|alla|degli|per)\b/gi],
  ['Portuguese', /\b(?:uma|n\u00e3o|dos|das|com|para|voc\u00ea|s\u00e3o)\b/gi],
  ['Dutch', /\b(?:het|een|niet|van|voor|wordt|zijn|ook)\b/gi],
]

/** Returns null if uncertain. */
export function languageOf(text: string): string | null {
  const [best] = MARKS.map(([language, marks]) => ({ language, found: text.match(marks)?.length ?? 0 })).toSorted(
    (one, other) => other.found - one.found,
  )
  return best && best.found >= 2 ? best.language : null
}
