import { Readable } from 'node:stream'
import JsZip from 'jszip'
import mammoth from 'mammoth'
import { InflatedSize } from '../../../parsing/inflated-size.ts'
import { type ExtractedDocument, MAX_ANSWERS_CHARACTERS } from '../document.ts'
import { readFragment } from './html.ts'

/** Most bytes that a document's files may inflate to. */
const MAX_INFLATED_BYTES = 256 * 1024 * 1024

/** The text of a Word document; images are left out. */
export async function readDocx(bytes: Buffer, maxInflatedBytes = MAX_INFLATED_BYTES): Promise<ExtractedDocument> {
  await checkInflatedZip(bytes, maxInflatedBytes)
  const withoutPictures = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage: withoutPictures })
  return { ...readFragment(value), hasStandaloneSections: value.length <= MAX_ANSWERS_CHARACTERS }
}

/** Reads the archive with the library that mammoth uses, so that both see the same files. */
async function checkInflatedZip(bytes: Buffer, maxBytes: number): Promise<void> {
  const size = new InflatedSize(maxBytes)
  const { files } = await JsZip.loadAsync(bytes)
  // Its streams are older than async iteration.
  for (const file of Object.values(files)) await size.add(new Readable().wrap(file.nodeStream()))
}
