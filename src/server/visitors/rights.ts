import type { ErasureLedger } from './erasure-ledger.ts'
import type { ReportFacts } from './data-report.ts'
import { Eraser, type EraserOptions } from './eraser.ts'
import { createReceiptSigner, type ReceiptSigner } from './receipts.ts'
import { FirstKeys, type FirstKeysOptions } from './first-keys.ts'
import { Transfers, type TransfersOptions } from './transfers.ts'

/** Services for visitors' rights: the data report, deletion, receipts and transfers. */
export interface Rights {
  eraser: Eraser
  receipts: ReceiptSigner
  ledger: ErasureLedger
  transfers: Transfers
  firstKeys: FirstKeys
  facts: ReportFacts
}

type Options = Omit<EraserOptions, 'receipts' | 'storage' | 'modelProvider' | 'checkedBy'> &
  TransfersOptions &
  FirstKeysOptions & { facts: ReportFacts; ledger: ErasureLedger }

export function createRights(options: Options): Rights {
  const { facts } = options
  const receipts = createReceiptSigner(options.keys)
  return {
    eraser: new Eraser({ ...options, receipts, storage: facts.storage, modelProvider: facts.model.provider, checkedBy: facts.checkedBy }),
    receipts,
    ledger: options.ledger,
    transfers: new Transfers(options),
    firstKeys: new FirstKeys(options),
    facts,
  }
}
