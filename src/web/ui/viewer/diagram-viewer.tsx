import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import type { Picture } from '../diagram/diagram-messages.ts'
import { saveFile } from '../save-file.ts'
import { pngOf } from './picture-file.ts'
import { Viewer } from './viewer.tsx'

/** Small diagrams fill the window up to this scale. */
const MOST = 2

/** Shows a diagram, with its SVG and PNG files. */
export default function DiagramViewer({ picture: { svg, name }, onClose }: { picture: Picture; onClose(): void }): ReactNode {
  const t = useTranslate()
  const downloads = [
    { label: 'PNG', name: 'diagram.png', save: async () => saveFile('diagram.png', 'image/png', await pngOf(svg)) },
    { label: 'SVG', name: 'diagram.svg', save: () => saveFile('diagram.svg', 'image/svg+xml', svg) },
  ]
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  return (
    <Viewer
      title={name || t('Diagram')}
      picture={{ address, name: name || t('Diagram'), most: MOST }}
      downloads={downloads}
      onClose={onClose}
    />
  )
}
