import { crc32 } from 'node:zlib'

/** Header type: string. */
const STRING = 7
/** Lengths and their checksum come before the headers; a checksum of everything after the payload. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

/** A frame of AWS's event stream, https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html. */
export function eventFrame(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const body = Buffer.from(payload)
  const frame = Buffer.alloc(PRELUDE_BYTES + head.length + body.length + CHECKSUM_BYTES)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  head.copy(frame, PRELUDE_BYTES)
  body.copy(frame, PRELUDE_BYTES + head.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -CHECKSUM_BYTES)), frame.length - CHECKSUM_BYTES)
  return frame
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([STRING]), length, Buffer.from(value)])
}

/** A valid frame without JSON, so that the provider's package reports an error in its place. */
export const UNREADABLE_FRAME = eventFrame({ ':message-type': 'event', ':event-type': 'broken' }, 'the stream broke here')
