import { createHash } from 'node:crypto'
import { type GgufTensor, type GgufValue, ggufFile } from '../../scripts/embedding-model/gguf.ts'

/** Ends a chain: the model stops. */
const END = '</s>'
/** Byte tokens follow the three special ones. */
const FIRST_BYTE = 3
const HEAD = 64
const FEED_FORWARD = 32
/** Control tokens, which structure a conversation; the same letters in a prompt are ordinary text. */
const MARKS = ['<call>', '<with>', '</call>', '<result>']

/**
 * The model of `tinyModel` goes by the last character of the prompt: on `.` it says a text, on `!` it calls the
 * calculator and then says how the result ends, on `?` it never comes to an end.
 */
export const TINY_TEXT = 'The tiny model says hello to you.'
export const TINY_RESULT = 'The result ends in 6.'

const CHAINS = [
  ['.', 'The', ' tiny', ' model', ' says', ' hello', ' to', ' you.', END],
  ['!', '<call>', 'calculator', '<with>', '{"expression": ', '"6 * 6"', '}', '</call>', END],
  ['"36"}', TINY_RESULT, END],
  ['?', ' again', ' and', ' again,', ' and'],
]

/** So a call and its result stand in the conversation; a prompt is followed by nothing, so that its last character is what the answer follows. */
const TEMPLATE =
  '{% for m in messages %}{% if m.tool_calls %}{% for c in m.tool_calls %}<call>{{ c.function.name }}<with>{{ c.function.arguments | tojson }}</call>' +
  '{% endfor %}{% elif m.role == "tool" %}<result>{{ m.content }}{% else %}{{ m.content }}{% endif %}{% endfor %}'

/**
 * A language model of a megabyte, as a GGUF file: an automaton whose next token depends on the one before it alone. Attention and
 * feed-forward weights are zero, so that each token passes unchanged along an axis of its own to the output, which weighs one next
 * token with 4 on that axis. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export function tinyModel(): { bytes: Buffer; sha256: string } {
  const { tokens, follows } = vocabulary()
  const width = Math.ceil(tokens.length / HEAD) * HEAD
  const embedding = new Float32Array(tokens.length * width)
  const output = new Float32Array(tokens.length * width)
  for (const index of tokens.keys()) embedding[index * width + index] = 1
  for (const [token, next] of follows) output[next * width + token] = 4
  const tensors: Tensor[] = [
    ['token_embd.weight', [width, tokens.length], embedding],
    ['output_norm.weight', [width], ones(width)],
    ['output.weight', [width, tokens.length], output],
    ['blk.0.attn_norm.weight', [width], ones(width)],
    ['blk.0.attn_q.weight', [width, width]],
    ['blk.0.attn_k.weight', [width, HEAD]],
    ['blk.0.attn_v.weight', [width, HEAD]],
    ['blk.0.attn_output.weight', [width, width]],
    ['blk.0.ffn_norm.weight', [width], ones(width)],
    ['blk.0.ffn_gate.weight', [width, FEED_FORWARD]],
    ['blk.0.ffn_up.weight', [width, FEED_FORWARD]],
    ['blk.0.ffn_down.weight', [FEED_FORWARD, width]],
  ]
  const bytes = ggufFile(keys(tokens, width), tensors.map(tensorOf))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** A file with a valid beginning that is not a model: loading it crashes the process. */
export function brokenModel(): Buffer {
  return tinyModel().bytes.subarray(0, 20_000)
}

/** Single bytes and whole pieces of text. A prompt is read byte by byte, except for the end of a result. */
function vocabulary() {
  const tokens = [
    '<unk>',
    '<s>',
    END,
    ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  ]
  const ids = new Map([[END, 2]])
  const idOf = (piece: string) => {
    if (piece !== END && Buffer.byteLength(piece) === 1) return FIRST_BYTE + piece.charCodeAt(0)
    const id = ids.get(piece) ?? tokens.push(piece.replaceAll(' ', '▁')) - 1
    ids.set(piece, id)
    return id
  }
  // Longer pieces are only found by merging shorter ones.
  for (const piece of [...MARKS, '"}', '6"}', '36"}']) idOf(piece)
  const follows = CHAINS.flatMap((chain) => chain.slice(1).map((next, index) => [idOf(chain[index]!), idOf(next)] as const))
  return { tokens, follows }
}

function keys(tokens: string[], width: number): [name: string, ...value: GgufValue][] {
  const kindOf = (token: string, index: number) => {
    if (MARKS.includes(token)) return 3
    return index === 0 ? 2 : index < FIRST_BYTE ? 3 : index < FIRST_BYTE + 256 ? 6 : 1
  }
  return [
    ['general.architecture', 'text', 'llama'],
    ['general.name', 'text', 'tiny'],
    ['llama.context_length', 'u32', 262_144],
    ['llama.embedding_length', 'u32', width],
    ['llama.block_count', 'u32', 1],
    ['llama.feed_forward_length', 'u32', FEED_FORWARD],
    ['llama.attention.head_count', 'u32', width / HEAD],
    ['llama.attention.head_count_kv', 'u32', 1],
    ['llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5],
    ['llama.rope.dimension_count', 'u32', HEAD],
    ['llama.vocab_size', 'u32', tokens.length],
    ['tokenizer.ggml.model', 'text', 'llama'],
    ['tokenizer.ggml.tokens', 'texts', tokens],
    ['tokenizer.ggml.scores', 'f32s', tokens.map((_, index) => -index)],
    ['tokenizer.ggml.token_type', 'i32s', tokens.map(kindOf)],
    ['tokenizer.ggml.unknown_token_id', 'u32', 0],
    ['tokenizer.ggml.bos_token_id', 'u32', 1],
    ['tokenizer.ggml.eos_token_id', 'u32', 2],
    ['tokenizer.ggml.add_bos_token', 'bool', false],
    ['tokenizer.ggml.add_space_prefix', 'bool', false],
    ['tokenizer.chat_template', 'text', TEMPLATE],
  ]
}

/** Zeros if it has no data. */
type Tensor = [name: string, dimensions: number[], data?: Float32Array]

function tensorOf([name, dimensions, values]: Tensor): GgufTensor {
  const { buffer } = values ?? new Float32Array(dimensions.reduce((product, size) => product * size, 1))
  return { name, type: 'f32', dimensions, data: new Uint8Array(buffer) }
}

const ones = (count: number) => new Float32Array(count).fill(1)
