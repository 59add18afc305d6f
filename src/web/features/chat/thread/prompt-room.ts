/** Distance between the top of the view and a prompt there, in CSS pixels. */
const GAP_PX = 16
/** Share of the view that a long prompt leaves to its answer. */
const LEFT_TO_ANSWER = 0.6

/** Scrolls the newest prompt to the top of the view, with room for its answer below. Returns false if there is no prompt. */
export function showNewestPrompt(thread: HTMLElement): boolean {
  const prompt = [...thread.querySelectorAll<HTMLElement>('.human')].at(-1)
  if (!prompt) return false
  const page = document.documentElement
  const top = coveredAbove() + GAP_PX
  const visible = innerHeight - top - dockHeight(thread)
  // A prompt that would fill the view shows its end.
  const hidden = Math.max(0, prompt.offsetHeight - visible * (1 - LEFT_TO_ANSWER))
  const box = thread.getBoundingClientRect()
  const start = prompt.getBoundingClientRect().top - box.top + hidden
  const below = page.scrollHeight - (box.bottom + scrollY)
  thread.style.minHeight = `${Math.max(0, start + innerHeight - top - below)}px`
  scrollBy(0, prompt.getBoundingClientRect().top + hidden - top)
  return true
}

/** Whether the thread ends with room that no message fills yet. */
export function hasRoom(thread: HTMLElement): boolean {
  return thread.style.minHeight !== '' && thread.offsetHeight <= Math.ceil(Number.parseFloat(thread.style.minHeight))
}

export function removeRoom(thread: HTMLElement): void {
  thread.style.minHeight = ''
}

/** The bar stays at the top of the view, except at high zoom. */
function coveredAbove(): number {
  const bar = document.querySelector<HTMLElement>('.bar')
  return bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
}

function dockHeight({ nextElementSibling: dock }: HTMLElement): number {
  return dock instanceof HTMLElement ? dock.offsetHeight : 0
}
