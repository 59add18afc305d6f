import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import type { Picture } from '../diagram/diagram-messages.ts'
import { saveFile } from '../save-file.ts'
import { pngOf } from './picture-file.ts'
import { Viewer } from './viewer.tsx'

/** Shows a diagram, with its SVG and PNG files. */
export default function DiagramViewer({
  picture: { svg, widthPx, heightPx, name },
  onClose,
}: {
  picture: Picture
  onClose(): void
}): ReactNode {
  const t = useTranslate()
  const downloads = [
    { label: 'PNG', name: 'diagram.png', save: async () => saveFile('diagram.png', 'image/png', await pngOf(svg)) },
    { label: 'SVG', name: 'diagram.svg', save: () => saveFile('diagram.svg', 'image/svg+xml', svg) },
  ]
  const title = name || t('Diagram')
  return (
    <Viewer title={title} downloads={downloads} onClose={onClose}>
      <img
        className="diagram-image"
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        width={widthPx}
        height={heightPx}
        alt={title}
      />
    </Viewer>
  )
}
