import type { ReactNode } from 'react'
import { dataFailureSentence } from '../../api/data-failure.ts'
import type { FailureCode } from '../../api/failure.ts'

export function FailureNote({ code }: { code: FailureCode | null | undefined }): ReactNode {
  return (
    code && (
      <p role="alert" className="bad">
        {dataFailureSentence(code)}
      </p>
    )
  )
}
