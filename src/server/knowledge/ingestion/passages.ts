/** A piece of a knowledge file that answers a question by itself: the text under one heading. */
export interface Passage {
  /** Title of the document: its first heading of level 1, or its file name. */
  title: string
  /** Path inside the knowledge folder, with forward slashes. */
  file: string
  /** Heading of the passage; the title for text before the first heading of a lower level. */
  heading: string
  /** Markdown, without the heading. */
  text: string
  /** Where in the file, if it has pages or rows: "page 3", "rows 2–21". */
  place: string | null
  /** Words under which it is also found, from a comment `<!-- keywords: … -->`. */
  keywords: string
}

/** A longer section is cut between paragraphs into several passages, so that no answer is a book. */
const MAX_PASSAGE_CHARACTERS = 6_000

const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/
const FENCE = /^\s*(`{3,}|~{3,})/
const KEYWORDS = /<!--\s*keywords:\s*(.*?)-->/gi
const COMMENT = /<!--.*?-->/

/** Cuts a Markdown document at its headings. Lines in code fences are never headings or comments. Empty sections are left out. */
export function passagesOf(file: string, markdown: string): Passage[] {
  const sections = sectionsOf(markdown.replace(/\r\n?/g, '\n'))
  const title = sections.find((section) => section.level === 1)?.heading ?? titleOfFile(file)
  return sections.flatMap((section) => {
    const { text, keywords } = section
    return cutBetweenParagraphs(text.trim()).map((piece) => ({
      title,
      file,
      heading: section.heading || title,
      text: piece,
      keywords,
      place: null,
    }))
  })
}

/** The name of a file stands in for a title. */
export function titleOfFile(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '')
}

interface Section {
  level: number
  heading: string
  text: string
  keywords: string
}

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = []
  let lines: string[] = []
  let keywords: string[] = []
  let current = { level: 0, heading: '' }
  let fence: string | undefined
  const close = () => sections.push({ ...current, text: lines.join('\n'), keywords: keywords.join(' ') })
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (mark) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence
    const heading = fence === undefined && !mark ? HEADING.exec(line) : null
    if (heading) {
      close()
      current = { level: heading[1]?.length ?? 1, heading: heading[2] ?? '' }
      lines = []
      keywords = []
    } else if (fence === undefined && COMMENT.test(line)) {
      keywords.push(...[...line.matchAll(KEYWORDS)].map((match) => match[1] ?? ''))
      lines.push(line.replace(new RegExp(COMMENT, 'g'), ''))
    } else {
      lines.push(line)
    }
  }
  close()
  return sections
}

/** A long text in pieces, cut between paragraphs where it has some. */
export function cutBetweenParagraphs(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const paragraph of paragraphsOf(text)) {
    if (piece !== '' && piece.length + paragraph.length > MAX_PASSAGE_CHARACTERS) {
      pieces.push(piece)
      piece = ''
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** A paragraph longer than a passage is cut between its words. */
function paragraphsOf(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph) => (paragraph.length > MAX_PASSAGE_CHARACTERS ? cutBetweenWords(paragraph) : paragraph))
}

function cutBetweenWords(text: string): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > MAX_PASSAGE_CHARACTERS) {
    const space = rest.lastIndexOf(' ', MAX_PASSAGE_CHARACTERS)
    const end = space > MAX_PASSAGE_CHARACTERS / 2 ? space : MAX_PASSAGE_CHARACTERS
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return rest === '' ? pieces : [...pieces, rest]
}
