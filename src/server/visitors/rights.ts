import { Eraser, type EraserOptions } from './eraser.ts'
import { createReceiptSigner, type ReceiptSigner } from './receipts.ts'

/** What visitors may ask for: each is an own part, and all of them stand on the same few facts. */
export interface Rights {
  eraser: Eraser
  receipts: ReceiptSigner
}

export function createRights(options: Omit<EraserOptions, 'receipts'> & { installationKey: string }): Rights {
  const receipts = createReceiptSigner(options.installationKey)
  return { eraser: new Eraser({ ...options, receipts }), receipts }
}
