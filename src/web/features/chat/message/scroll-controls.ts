/** What the reader's place does when a message gets another version. */
export interface ScrollControls {
  /** The end of the page is not kept in view any more. */
  unpin(): void
  /** A new answer begins, and is to be followed from the message box. */
  follow(): void
}
