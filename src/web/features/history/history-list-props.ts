import type { FoundPlace } from '../../state/search-position.ts'

export interface HistoryListProps {
  addressOf(key: string): string
  onChoose(): void
  /** Starts a new chat in place of the open one. */
  onLeaveChat(): void
  /** Called when a search result is chosen; its session is being opened. */
  onFound(place: FoundPlace): void
}
