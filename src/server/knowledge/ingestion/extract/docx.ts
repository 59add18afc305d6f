import mammoth from 'mammoth'
import type { Passage } from '../passages.ts'
import { htmlPassages } from './html.ts'

/** The text of a Word document, cut at its headings; pictures are left out. */
export async function docxPassages(file: string, bytes: Buffer): Promise<Passage[]> {
  const withoutPictures = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage: withoutPictures })
  return htmlPassages(file, value)
}
