import type { ErasureScope } from '../../state/my-data.ts'

export interface MyDataActions {
  erased(scope: ErasureScope): void
  withdraw(): void
  /** This browser belongs to another visitor now. */
  moved(): void
  openNotice(): void
}
