import { use, useEffect, useState } from 'react'
import type { DataReport } from '../../../contract/rights.ts'
import type { Outcome } from '../../api/request.ts'
import { fetchDataReport } from '../../api/rights-calls.ts'
import { LanguageContext } from '../../language/translate.ts'

/** What is known about the visitor, asked now, in another language, and whenever `again` is called; undefined while it is first on its way. */
export function useDataReport(): { report: Outcome<DataReport> | undefined; again: () => void } {
  const [report, setReport] = useState<Outcome<DataReport>>()
  const [attempt, setAttempt] = useState(0)
  const { language } = use(LanguageContext)
  useEffect(() => {
    let isCurrent = true
    fetchDataReport(language)
      .then((outcome) => isCurrent && setReport(outcome))
      .catch(console.error)
    return () => {
      isCurrent = false
    }
  }, [attempt, language])
  return { report, again: () => setAttempt((before) => before + 1) }
}
