import { MAX_TITLE_CHARACTERS } from '../../contract/size-limits.ts'

/** The first line of the prompt, cut at a word. */
export function titleOf(prompt: string): string {
  const line = prompt.split(/[\r\n\u2028\u2029]/, 1)[0]?.trim() ?? ''
  const characters = [...line]
  if (characters.length <= MAX_TITLE_CHARACTERS) return line
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_TITLE_CHARACTERS / 2 ? cut.slice(0, space) : cut}…`
}
