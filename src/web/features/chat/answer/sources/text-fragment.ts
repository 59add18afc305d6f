/** Long enough to be unique in a page, short enough to survive other edits to it. */
const MAX_CHARACTERS = 80
const MIN_CHARACTERS = 12

/** Files in which browsers do not highlight text fragments. */
const WITHOUT_FRAGMENTS = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|csv|json|txt|md|zip|png|jpe?g|gif|webp|svg|mp[34])$/i

/** The address of a web page with a text fragment (`#:~:text=`) for the start of the quote, if the quote is usable. */
export function addressOfQuote(address: string, quote: string): string {
  const url = new URL(address)
  const start = startOf(quote)
  if (start === '' || WITHOUT_FRAGMENTS.test(url.pathname) || url.hash.includes(':~:')) return address
  return `${address}${url.hash === '' ? '#' : ''}:~:text=${encoded(start)}`
}

/** The first words of the first line that is long enough. Browsers match whole words within one block. */
function startOf(quote: string): string {
  const line = quote
    .split('\n')
    .map((text) => text.replace(/^• /, '').trim())
    .find((text) => text.length >= MIN_CHARACTERS && !text.includes(' · '))
  if (line === undefined || line.length <= MAX_CHARACTERS) return line ?? ''
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(line.slice(0, MAX_CHARACTERS + 1))]
  const whole = words.slice(0, -1).map(({ segment }) => segment)
  return whole.join('').trim()
}

/** Percent-encodes also `-`, `,` and `&`, which are syntax in a text fragment. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll('-', '%2D').replaceAll(',', '%2C').replaceAll('&', '%26')
