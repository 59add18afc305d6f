import { fileTypeOf } from '../attachments/read-attachment.ts'

export interface ToolImage {
  mediaType: string
  base64: string
}

/** A tool's output with images. Only `output` is shown and stored; images go to a model that accepts them. */
export class OutputWithImages {
  readonly output: unknown
  readonly images: readonly ToolImage[]

  constructor(output: unknown, images: readonly ToolImage[]) {
    this.output = output
    this.images = images
  }
}

const MAX_IMAGES = 4
/** About 5 MB, which every provider accepts. */
const MAX_BASE64_CHARACTERS = 6_500_000
/** Enough for the signature of every supported format. */
const BEGINNING_CHARACTERS = 32

/** Images in base64 whose content matches their type; others would make a provider reject the conversation. */
export function knownImages(candidates: readonly { data: unknown; mediaType: unknown }[]): ToolImage[] {
  const images = candidates.flatMap(({ data, mediaType }): ToolImage[] => {
    if (typeof data !== 'string' || typeof mediaType !== 'string' || data.length > MAX_BASE64_CHARACTERS) return []
    const type = fileTypeOf(Buffer.from(data.slice(0, BEGINNING_CHARACTERS), 'base64'))
    return type?.startsWith('image/') === true ? [{ mediaType: type, base64: data }] : []
  })
  return images.slice(0, MAX_IMAGES)
}
