import type { Transform } from 'node:stream'
import { createInflate } from 'node:zlib'

/** Fails with a sentence for the operator. */
export class TooLargeUnpacked extends Error {
  constructor() {
    super('It is too large when unpacked.')
  }
}

/** Counts what streams inflate to, and throws `TooLargeUnpacked` once the sum exceeds a limit. */
export class InflatedSize {
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Reads a stream to its end or its first error, which is the parser's to report. Counts by events, because an iterator drops what is
   * buffered before an error. The last 256 KB before an error may be missed.
   */
  add(stream: NodeJS.ReadableStream & { destroy?: () => unknown }): Promise<void> {
    return new Promise((resolve, reject) => {
      stream.on('data', ({ length }: Uint8Array) => {
        this.#bytes += length
        if (this.#bytes <= this.#maxBytes) return
        reject(new TooLargeUnpacked())
        stream.destroy?.()
      })
      for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
    })
  }
}

const BEGIN = Buffer.from('stream')
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
/** Size of output chunks, above Node's default because each is a round trip. */
const CHUNK_BYTES = 256 * 1024

/** Rejects with `TooLargeUnpacked` if the compressed streams of a PDF inflate to more than a limit. Doesn't see nested filters. */
export async function checkInflatedPdf(bytes: Uint8Array, maxBytes: number): Promise<void> {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = new InflatedSize(maxBytes)
  for (let at = pdf.indexOf(BEGIN); at >= 0; at = pdf.indexOf(BEGIN, at + BEGIN.length)) {
    const start = startOfData(pdf, at + BEGIN.length)
    if (isZlib(pdf, start)) await size.add(inflated(pdf.subarray(start)))
  }
}

function startOfData(pdf: Buffer, at: number): number {
  const afterReturn = pdf[at] === CARRIAGE_RETURN ? at + 1 : at
  return pdf[afterReturn] === LINE_FEED ? afterReturn + 1 : afterReturn
}

/** RFC 1950: deflate with a window of at most 32 KB, and a checksum of the two bytes. */
function isZlib(bytes: Buffer, at: number): boolean {
  const method = bytes[at]
  const flags = bytes[at + 1]
  return method !== undefined && flags !== undefined && (method & 0x8f) === 8 && (method * 256 + flags) % 31 === 0
}

/** Ignores what follows the compressed data. */
function inflated(bytes: Uint8Array): Transform {
  const stream = createInflate({ chunkSize: CHUNK_BYTES })
  stream.end(bytes)
  return stream
}
