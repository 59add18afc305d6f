/** Gap to the anchor and to the window's edges, in CSS pixels. */
const GAP_PX = 6
const MARGIN_PX = 8

/**
 * Places an open popover below its anchor, or above it if there is more room, and follows the anchor while the page scrolls. Returns a
 * function that stops it. CSS anchor positioning keeps wide popovers inside narrow windows inconsistently across browsers.
 */
export function placeNear(anchor: HTMLElement, popover: HTMLElement): () => void {
  const place = () => {
    const { top, bottom, left, right } = anchor.getBoundingClientRect()
    const above = top - GAP_PX - MARGIN_PX
    const below = innerHeight - bottom - GAP_PX - MARGIN_PX
    popover.style.maxHeight = ''
    const isAbove = popover.offsetHeight > below && above > below
    const { offsetWidth } = popover
    const start = getComputedStyle(anchor).direction === 'rtl' ? right - offsetWidth : left
    const end = document.documentElement.clientWidth - offsetWidth - MARGIN_PX
    const room = Math.max(isAbove ? above : below, 0)
    Object.assign(popover.style, {
      top: isAbove ? 'auto' : `${bottom + GAP_PX}px`,
      bottom: isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto',
      left: `${Math.max(MARGIN_PX, Math.min(start, end))}px`,
      maxHeight: popover.offsetHeight > room ? `${room}px` : '',
    })
  }
  const follow = ({ target }: Event) => {
    if (target instanceof Node && popover.contains(target)) return
    const { top, bottom } = anchor.getBoundingClientRect()
    if (bottom < 0 || top > innerHeight) popover.hidePopover()
    else place()
  }
  const options = { capture: true, passive: true }
  place()
  addEventListener('scroll', follow, options)
  addEventListener('resize', follow)
  return () => {
    removeEventListener('scroll', follow, options)
    removeEventListener('resize', follow)
  }
}
