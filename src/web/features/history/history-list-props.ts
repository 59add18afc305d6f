export interface HistoryListProps {
  addressOf(key: string): string
  onChoose(): void
  /** Starts a new chat in place of the open one. */
  onLeaveChat(): void
}
