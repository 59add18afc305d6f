/** Scroll position of the thread, for the actions of messages. */
export interface ScrollControls {
  /** Stops keeping the end of the thread in view. */
  unpin(): void
  /** Shows the newest prompt at the top of the view, with its answer below, and focuses the message box. */
  showPrompt(): void
}
