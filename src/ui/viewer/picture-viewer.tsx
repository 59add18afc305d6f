import { type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from '../language/translate.ts'
import { saveFile } from '../save-file.ts'
import { Viewer } from './viewer.tsx'

interface PictureViewerProps {
  /** The file, or its address. */
  content: string | Blob
  name: string
  onClose(): void
}

export default function PictureViewer({ content, name, onClose }: PictureViewerProps): ReactNode {
  const t = useTranslate()
  const address = useAddress(content)
  if (!address) return null
  const label = t('Download')
  const download =
    typeof content === 'string' ? { label, name, address } : { label, name, save: () => saveFile(name, content.type, content) }
  return (
    <Viewer title={name} downloads={[download]} onClose={onClose}>
      <img src={address} alt={name} />
    </Viewer>
  )
}

/** An address that the content security policy allows for pictures; undefined until the file is read. */
function useAddress(content: string | Blob): string | undefined {
  const [read, setRead] = useState<string>()
  useEffect(() => {
    if (typeof content === 'string') return
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') setRead(reader.result)
    })
    reader.readAsDataURL(content)
    return () => reader.abort()
  }, [content])
  return typeof content === 'string' ? content : read
}
