import { Importer, type ImporterOptions } from './copy/importer.ts'
import { Eraser, type EraserOptions } from './eraser.ts'
import { createReceiptSigner, type ReceiptSigner } from './receipts.ts'

/** What visitors may ask for: each is an own part, and all of them stand on the same few facts. */
export interface Rights {
  eraser: Eraser
  receipts: ReceiptSigner
  importer: Importer
}

export function createRights(options: Omit<EraserOptions, 'receipts'> & ImporterOptions & { installationKey: string }): Rights {
  const receipts = createReceiptSigner(options.installationKey)
  return { eraser: new Eraser({ ...options, receipts }), receipts, importer: new Importer(options) }
}
