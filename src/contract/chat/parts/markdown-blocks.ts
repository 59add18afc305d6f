/** The text as a Markdown quote, line by line. */
export function blockQuote(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`)
    .join('\n')
}

/** Text on one line. */
export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
