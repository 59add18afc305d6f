import mammoth from 'mammoth'
import { type ExtractedDocument, MAX_ANSWERS_CHARACTERS } from '../document.ts'
import { readFragment } from './html.ts'

/** The text of a Word document; pictures are left out. */
export async function readDocx(bytes: Buffer): Promise<ExtractedDocument> {
  const withoutPictures = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage: withoutPictures })
  return { ...readFragment(value), hasStandaloneSections: value.length <= MAX_ANSWERS_CHARACTERS }
}
