import { DARK_TEXT, OWN_COLOR } from './panel-styles.ts'

export type Theme = 'system' | 'light' | 'dark'

interface Listener {
  /** The element was put into the page, for the first time or again: its frame loads anew. */
  attached(): void
  /** The theme in which the panel is drawn, and the page's colour if it has chosen one: after `attached` and whenever they change. */
  drawn(theme: 'light' | 'dark', color: string | undefined): void
}

/**
 * Keeps `host` in the page, as soon as that has a body, or in its element of the selector `inline`, and its theme that of the page, until it
 * is released.
 */
export function keepInPage(host: HTMLElement, panel: HTMLElement, inline: string | undefined, signal: AbortSignal, listener: Listener) {
  let theme: Theme = 'system'
  let drawn = ''
  const applyTheme = () => {
    if (!host.isConnected) return
    const stated = theme === 'system' ? statedTheme() : theme
    if (stated) host.style.setProperty('--parley-scheme', stated)
    else host.style.removeProperty('--parley-scheme')
    const { color } = getComputedStyle(panel)
    const chosen = getComputedStyle(host).getPropertyValue('--parley-color')
    if (drawn === color + chosen) return
    drawn = color + chosen
    listener.drawn(color === DARK_TEXT ? 'dark' : 'light', chosen === OWN_COLOR ? undefined : chosen)
  }
  /** Beside the body, which routers replace and pages transform. */
  const attach = () => {
    const { documentElement: page, body } = document
    // Also after the page's element was replaced.
    if (page) changes.observe(page, { childList: true, attributes: true })
    const place = inline ? document.querySelector(inline) : page
    if (!body || !place) return
    if (host.parentNode !== place) {
      place.append(host)
      if (!inline) host.showPopover?.()
      drawn = ''
      listener.attached()
    }
    applyTheme()
  }
  const changes = new MutationObserver(attach)
  changes.observe(document, { childList: true, subtree: inline !== undefined })
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
