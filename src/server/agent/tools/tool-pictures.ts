import { fileTypeOf } from '../attachments/read-attachment.ts'

/** A picture that a tool returned. */
export interface ToolPicture {
  mediaType: string
  base64: string
}

/** What a tool returned, and the pictures beside it. Only `output` is shown and stored; the pictures go to a model that takes them. */
export class OutputWithPictures {
  readonly output: unknown
  readonly pictures: readonly ToolPicture[]

  constructor(output: unknown, pictures: readonly ToolPicture[]) {
    this.output = output
    this.pictures = pictures
  }
}

/** Of one result. */
const MAX_PICTURES = 4
/** Some 5 MB, which every provider takes. */
const MAX_BASE64_CHARACTERS = 6_500_000
/** The longest beginning of a known kind of picture, and some more. */
const BEGINNING_CHARACTERS = 32

/** Those that are what they say, as base64; the rest would make a provider refuse the whole conversation. */
export function knownPictures(candidates: readonly { data: unknown; mediaType: unknown }[]): ToolPicture[] {
  const pictures = candidates.flatMap(({ data, mediaType }): ToolPicture[] => {
    if (typeof data !== 'string' || typeof mediaType !== 'string' || data.length > MAX_BASE64_CHARACTERS) return []
    const type = fileTypeOf(Buffer.from(data.slice(0, BEGINNING_CHARACTERS), 'base64'))
    return type?.startsWith('image/') === true ? [{ mediaType: type, base64: data }] : []
  })
  return pictures.slice(0, MAX_PICTURES)
}
