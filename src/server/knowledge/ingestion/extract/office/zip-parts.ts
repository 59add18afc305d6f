import { Readable } from 'node:stream'
import JsZip from 'jszip'
import { InflatedSize } from '../../../../parsing/inflated-size.ts'

/** Most bytes that a document's files may inflate to. */
const MAX_INFLATED_BYTES = 256 * 1024 * 1024
/** Begins old Office formats, and new ones that are encrypted. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

/** The archive that a document is, within the limit. Throws with a sentence for the operator otherwise. */
export async function openZip(bytes: Buffer, maxInflatedBytes = MAX_INFLATED_BYTES): Promise<JsZip> {
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    throw new Error(bytes.includes(ENCRYPTED) ? 'It is protected by a password.' : 'It is of an old Office format.')
  const zip = await JsZip.loadAsync(bytes).catch(() => {
    throw new Error('It is broken or cut off.')
  })
  const size = new InflatedSize(maxInflatedBytes)
  // Its streams are older than async iteration.
  for (const file of Object.values(zip.files)) await size.add(new Readable().wrap(file.nodeStream()))
  return zip
}

/** The text of a part; empty where there is none. */
export async function partOf(zip: JsZip, name: string): Promise<string> {
  return (await zip.file(name)?.async('string')) ?? ''
}
