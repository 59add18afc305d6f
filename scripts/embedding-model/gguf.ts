/** Value of a metadata key. */
export type GgufValue =
  | ['u32', number]
  | ['f32', number]
  | ['bool', boolean]
  | ['text', string]
  | ['texts', readonly (string | Uint8Array)[]]
  | ['i32s', readonly number[]]
  | ['f32s', readonly number[]]

/** Numbers of 32 bits, or GGML's blocks of 32 numbers with four bits each. The first dimension is the innermost. */
export interface GgufTensor {
  name: string
  type: 'f32' | 'q4_0'
  dimensions: readonly number[]
  data: Uint8Array
}

const ALIGNMENT = 32
const TENSOR_TYPE = { f32: 0, q4_0: 2 } as const

/** A GGUF file: magic, version, counts, keys, tensor information and data. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export function ggufFile(pairs: readonly (readonly [name: string, ...value: GgufValue])[], tensors: readonly GgufTensor[]): Buffer {
  let offset = 0
  const infos = tensors.flatMap(({ name, type, dimensions, data }) => {
    const info = [text(name), u32(dimensions.length), ...dimensions.map(u64), u32(TENSOR_TYPE[type]), u64(offset)]
    offset += aligned(data.length)
    return info
  })
  const keys = pairs.flatMap(([name, ...value]) => [text(name), ...bytesOf(value)])
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(pairs.length), ...keys, ...infos])
  return Buffer.concat([...padded(head), ...tensors.flatMap(({ data }) => padded(data))])
}

function bytesOf([kind, value]: GgufValue): Buffer[] {
  switch (kind) {
    case 'u32':
      return [u32(4), u32(value)]
    case 'f32':
      return [u32(6), f32(value)]
    case 'bool':
      return [u32(7), Buffer.from([Number(value)])]
    case 'text':
      return [u32(8), text(value)]
    case 'texts':
      return [u32(9), u32(8), u64(value.length), ...value.map(text)]
    case 'i32s':
      return [u32(9), u32(5), u64(value.length), ...value.map(u32)]
    case 'f32s':
      return [u32(9), u32(6), u64(value.length), ...value.map(f32)]
  }
}

function aligned(size: number): number {
  return Math.ceil(size / ALIGNMENT) * ALIGNMENT
}

function padded(bytes: Uint8Array): Uint8Array[] {
  return [bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}
