import type { ReactNode } from 'react'
import { useTranslate } from '../language/translate.ts'
import type { Picture } from '../diagram/diagram-messages.ts'
import { saveFile } from '../save-file.ts'
import { Viewer } from './viewer.tsx'

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

/** Pixels of a saved side, within what browsers draw, and the density of small pictures. */
const MAX_SIDE_PX = 8_000
const DENSITY = 2

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const { naturalWidth, naturalHeight } = image
  const scale = Math.min(DENSITY, MAX_SIDE_PX / Math.max(naturalWidth, naturalHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(naturalWidth * scale)
  canvas.height = Math.round(naturalHeight * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser wrote no PNG'))), 'image/png')
  })
}
