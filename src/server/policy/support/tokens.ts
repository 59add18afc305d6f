import type { PageLanguage } from '../../../contract/page-languages.ts'
import { DENIALS, NEGATORS, EXCEPTIONS, CONDITIONS, UNIVERSALS, AMBIGUOUS, CONTRASTS, SPEAKS_OF_ITSELF } from './logic-words.ts'
import { DAY_GROUPS, MONTH_WORDS, RANGE_WORDS, WEEKDAY_WORDS } from './calendar-words.ts'
import { HALF_WORDS, NUMBER_WORDS } from './number-words.ts'
import { PERIOD_WORDS, UNIT_WORDS } from './units.ts'

export interface Token {
  kind: 'word' | 'number' | 'time' | 'date' | 'address' | 'mark'
  /** In lower case, without Markdown. */
  text: string
  /** As it is written. */
  raw: string
}

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\u30fc\u3005'
const CJK_TEXT = new RegExp(`[${CJK}]`, 'u')

/** Known words in scripts without spaces, the longest first. */
const KNOWN_CJK = [
  DENIALS,
  NEGATORS,
  EXCEPTIONS,
  CONDITIONS,
  UNIVERSALS,
  AMBIGUOUS,
  CONTRASTS,
  SPEAKS_OF_ITSELF,
  RANGE_WORDS,
  HALF_WORDS,
  UNIT_WORDS,
]
  .flatMap((words) => [...words])
  .concat(...[DAY_GROUPS, MONTH_WORDS, WEEKDAY_WORDS, NUMBER_WORDS, PERIOD_WORDS].map((words) => [...words.keys()]))
  .filter((word) => CJK_TEXT.test(word))
  .toSorted((one, other) => other.length - one.length)

const TOKEN = new RegExp(
  [
    String.raw`(?<address>https?://[^\s)>\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)`,
    String.raw`(?<phone>(?:\+|(?<![\d.,:])0)\d[\d ()/-]{4,30}\d)`,
    String.raw`(?<date>\d{4}-\d{2}-\d{2}|\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{4}|\d{2})(?!\d))`,
    String.raw`(?<time>\d{1,2}:\d{2}(?!\d)|\d{1,2}\s?h\s?\d{2}(?!\d)|\d{1,2}\.\d{2}(?=\s?uhr))`,
    String.raw`(?<number>\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,]\d+)?)`,
    `(?<cjk>${KNOWN_CJK.join('|')}|[${CJK}])`,
    String.raw`(?<word>(?:(?![${CJK}])[\p{L}\p{M}])+[²³]?(?:-(?:(?![${CJK}])[\p{L}\p{M}])+)*)`,
    String.raw`(?<symbol>[€$£¥₹₽₩%])`,
    String.raw`(?<mark>[,;:()،؛，；：、（）–—~～/-])`,
  ].join('|'),
  'giu',
)

/** Words of one language that mean something else in others. The lists of words have them with their language: `once~es`. */
const HOMOGRAPHS: ReadonlyMap<string, PageLanguage> = new Map([
  ['once', 'es'],
  ['dos', 'es'],
  ['media', 'es'],
  ['medio', 'es'],
  ['due', 'it'],
  ['sei', 'it'],
  ['otto', 'it'],
  ['mai', 'it'],
  ['ora', 'it'],
  ['mezzo', 'it'],
  ['cent', 'fr'],
  ['cents', 'fr'],
  ['neuf', 'fr'],
  ['ne', 'fr'],
  ['an', 'fr'],
  ['meio', 'pt'],
  ['meia', 'pt'],
  ['no', 'pt'],
  ['alle', 'de'],
  ['elf', 'de'],
])

/** Reads the words, numbers and marks of a text in Markdown. `language` is that of the text, if it is known. */
export function tokensOf(text: string, language: PageLanguage | null = null): Token[] {
  return [...plainText(text).matchAll(TOKEN)].map(({ 0: raw, groups = {} }) => {
    if (groups['phone']) return { kind: 'address', text: raw.replace(/\D/g, '').replace(/^0+/, ''), raw }
    const kind = groups['address'] ? 'address' : groups['date'] ? 'date' : groups['time'] ? 'time' : groups['number'] ? 'number' : null
    const lower = raw.toLowerCase()
    const isHomograph = language !== null && HOMOGRAPHS.get(lower) === language
    return { kind: kind ?? (groups['mark'] ? 'mark' : 'word'), text: isHomograph ? `${lower}~${language}` : lower, raw }
  })
}

export function isCjk(text: string): boolean {
  return CJK_TEXT.test(text)
}

/** Removes citations and emphasis, and writes digits and contractions in one way. */
function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\uFF01-\uFF5E]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/[٠-٩۰-۹०-९]/g, (digit) => String(digitOf(digit)))
    .replace(/٪/g, '%')
    .replace(/每(?=周[一二三四五六日])/g, ' ')
    .replace(/\[\d{1,3}(?:, \d{1,3})*\]/g, ' ')
    .replace(/(?<=\d)\*(?=\d)/g, ' ')
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replace(/\b([ap])\.\s?m\b\.?/gi, '$1m')
    .replace(/\b(?:per|pour) cent\b|\bpor ciento\b|\bp[eo]r cento\b/gi, ' % ')
    .replace(/(?<=\d) ?½/g, '.5')
    .replace(/½/g, ' half ')
    .replace(/\bcan['’]t\b/gi, 'can not')
    .replace(/\bwon['’]t\b/gi, 'will not')
    .replace(/n['’]t\b/gi, ' not')
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, ' ')
}

function digitOf(digit: string): number {
  const code = digit.charCodeAt(0)
  return code - (code >= 0x966 ? 0x966 : code >= 0x6f0 ? 0x6f0 : 0x660)
}
