import { create } from 'zustand'
import { CONTEXT_KEY, MAX_CONTEXT_LENGTH, MAX_CONTEXT_CHARACTERS } from '../../contract/size-limits.ts'

/** The embedding page's own description, which goes along with prompts unless the visitor has removed it; empty without one. */
export const usePageContext = create<{ context: Readonly<Record<string, string>>; isRemoved: boolean }>(() => ({
  context: {},
  isRemoved: false,
}))

/** Takes over what the page says: short texts, and addresses without query and fragment, up to the size that the server accepts. */
export function setPageContext(values: object): void {
  const context: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== 'string' || !CONTEXT_KEY.test(key)) continue
    const more = { ...context, [key]: shortened(value) }
    if (JSON.stringify(more).length <= MAX_CONTEXT_LENGTH) Object.assign(context, more)
  }
  usePageContext.setState({ context })
}

export const removePageContext = (): void => usePageContext.setState({ isRemoved: true })

function shortened(value: string): string {
  const url = URL.parse(value)
  const text = url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname : value
  return text.slice(0, MAX_CONTEXT_CHARACTERS).toWellFormed().replaceAll('\0', '')
}
