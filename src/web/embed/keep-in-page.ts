import { DARK_TEXT } from './panel-styles.ts'

export type Theme = 'system' | 'light' | 'dark'

interface Listener {
  /** The element was put into the page, for the first time or again: its frame loads anew. */
  attached(): void
  /** In which theme the panel is drawn, after `attached` and whenever it changes. */
  drawn(theme: 'light' | 'dark'): void
}

/** Keeps `host` in the page, as soon as that has a body, and its theme that of the page, until it is released. */
export function keepInPage(host: HTMLElement, panel: HTMLElement, signal: AbortSignal, listener: Listener) {
  let theme: Theme = 'system'
  let drawn: 'light' | 'dark' | null = null
  const applyTheme = () => {
    if (!host.isConnected) return
    const stated = theme === 'system' ? statedTheme() : theme
    if (stated) host.style.setProperty('--parley-scheme', stated)
    else host.style.removeProperty('--parley-scheme')
    const now = getComputedStyle(panel).color === DARK_TEXT ? 'dark' : 'light'
    if (now !== drawn) listener.drawn(now)
    drawn = now
  }
  /** Beside the body, which routers replace and pages transform. */
  const attach = () => {
    const { documentElement: page, body } = document
    // Also after the page's element was replaced.
    if (page) changes.observe(page, { childList: true, attributes: true })
    if (!body) return
    if (host.parentNode !== page) {
      page.append(host)
      host.showPopover?.()
      drawn = null
      listener.attached()
    }
    applyTheme()
  }
  const changes = new MutationObserver(attach)
  changes.observe(document, { childList: true })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme, { signal })
  attach()
  return {
    setTheme(to: Theme) {
      theme = to
      applyTheme()
    },
    release: () => changes.disconnect(),
  }
}

/** Theme of pages that switch it by an attribute or a class, without `color-scheme`. */
function statedTheme(): 'light' | 'dark' | undefined {
  const page = document.documentElement
  return (['dark', 'light'] as const).find((theme) => page.matches(`.${theme}, [data-theme='${theme}']`))
}
