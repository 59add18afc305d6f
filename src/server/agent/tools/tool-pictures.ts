import { fileTypeOf } from '../attachments/read-attachment.ts'

/** A picture that a tool returned. */
export interface ToolPicture {
  mediaType: string
  base64: string
}

/** A tool's output with pictures. Only `output` is shown and stored; pictures go to a model that accepts them. */
export class OutputWithPictures {
  readonly output: unknown
  readonly pictures: readonly ToolPicture[]

  constructor(output: unknown, pictures: readonly ToolPicture[]) {
    this.output = output
    this.pictures = pictures
  }
}

/** Most pictures per result. */
const MAX_PICTURES = 4
/** About 5 MB, which every provider accepts. */
const MAX_BASE64_CHARACTERS = 6_500_000
/** Enough for the signature of every supported format. */
const BEGINNING_CHARACTERS = 32

/** Pictures in base64 whose content matches their type; others would make a provider reject the conversation. */
export function knownPictures(candidates: readonly { data: unknown; mediaType: unknown }[]): ToolPicture[] {
  const pictures = candidates.flatMap(({ data, mediaType }): ToolPicture[] => {
    if (typeof data !== 'string' || typeof mediaType !== 'string' || data.length > MAX_BASE64_CHARACTERS) return []
    const type = fileTypeOf(Buffer.from(data.slice(0, BEGINNING_CHARACTERS), 'base64'))
    return type?.startsWith('image/') === true ? [{ mediaType: type, base64: data }] : []
  })
  return pictures.slice(0, MAX_PICTURES)
}
