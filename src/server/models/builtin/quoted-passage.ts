export interface QuotedPassage {
  heading: string
  text: string
}

const QUOTED = /(?:^|\n\n)\*\*([^\n]{1,300})\*\*\n\n([\s\S]+)$/
/** Abbreviations and numbers before a full stop end no sentence. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|z\.B|etc|No|Nr|St|Dr|approx))[.!?](?=\s|$)/g
const MAX_SHORT_CHARACTERS = 200

/** The passage that an answer quotes. */
export function quotedPassage(answer: string): QuotedPassage | undefined {
  const [, heading, text] = QUOTED.exec(answer) ?? []
  return heading === undefined || text === undefined ? undefined : { heading, text }
}

/** Formats a passage as a quotation. */
export function quote({ heading, text }: QuotedPassage): string {
  return `**${heading}**\n\n${text}`
}

/** The first sentence of a passage, with the next one where the first says little ("Yes."); undefined when that is all of it. */
export function shortened({ heading, text }: QuotedPassage): string | undefined {
  const paragraph = text.split('\n\n').find((part) => !/^\s*(?:[|>#-]|```)/.test(part)) ?? ''
  const ends = [...paragraph.matchAll(SENTENCE_END)].map(({ index }) => index + 1)
  const end = ends.find((position) => position > 25) ?? ends.at(-1)
  const sentence = paragraph.slice(0, end ?? MAX_SHORT_CHARACTERS).trim()
  return sentence === '' || sentence.length >= text.trim().length ? undefined : `**${heading}**\n\n${sentence}`
}
