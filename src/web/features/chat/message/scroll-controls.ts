/** Scroll position of the thread, for the actions of messages. */
export interface ScrollControls {
  /** Stops keeping the end of the thread in view. */
  unpin(): void
  /** Scrolls to the new answer, follows it, and focuses the message box. */
  follow(): void
}
