import { type ReactNode, useRef } from 'react'
import { useTranslate } from '../language/translate.ts'
import { saveFile } from '../save-file.ts'
import { cellsOf, csvOf } from './table-file.ts'
import { Viewer } from './viewer.tsx'

/** Shows a table, with its CSV file. */
export default function TableViewer({ children, onClose }: { children: ReactNode; onClose(): void }): ReactNode {
  const t = useTranslate()
  const place = useRef<HTMLDivElement>(null)
  const save = () => {
    const table = place.current?.querySelector('table')
    if (table) saveFile('table.csv', 'text/csv', csvOf(cellsOf(table)))
  }
  return (
    <Viewer title={t('Table')} downloads={[{ label: 'CSV', name: 'table.csv', save }]} onClose={onClose}>
      <div ref={place} className="table-whole">
        {children}
      </div>
    </Viewer>
  )
}
