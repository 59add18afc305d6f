import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** The files of a ZIP, by name, as text. Throws when the archive is broken. */
export async function readZip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { strictFileNames: true })
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  return files
}
