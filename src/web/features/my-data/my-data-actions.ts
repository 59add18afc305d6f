import type { ErasureScope } from '../../state/my-data.ts'

/** Callbacks for changes that affect the rest of the page. */
export interface MyDataActions {
  /** Data was deleted on the server. */
  erased(scope: ErasureScope): void
  withdraw(): void
  /** Chats were imported. */
  imported(): void
  /** This browser belongs to another visitor now. */
  moved(): void
  openNotice(): void
  sharedComputerChanged(isShared: boolean): void
}
