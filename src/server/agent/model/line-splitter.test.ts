import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.ts'

function linesOf(chunks: Buffer[], maxLineBytes = 100): string[] {
  const splitter = new LineSplitter(maxLineBytes)
  const lines: string[] = []
  for (const chunk of chunks) splitter.write(chunk, (line) => lines.push(line))
  return [...lines, splitter.end()]
}

test('gives the same lines however the bytes are cut', () => {
  const bytes = Buffer.from('data: grüße \u{1F600}\r\n\r\n: x\n\nlast')
  const expected = ['data: grüße \u{1F600}', '', ': x', '', 'last']
  expect(linesOf([bytes])).toEqual(expected)
  expect(linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected)
  for (let cut = 1; cut < bytes.length; cut += 1) expect(linesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
})

test('ends lines with LF, CRLF or CR, and drops a leading BOM', () => {
  const bytes = Buffer.from('\uFEFFa\r\rb\r\nc\n\r\n\rd \uFEFF')
  const expected = ['a', '', 'b', 'c', '', '', 'd \uFEFF']
  for (let cut = 0; cut <= bytes.length; cut += 1) expect(linesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
  expect(linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected)
})

test('refuses a line that is too long, whole or in pieces, and bytes that are no UTF-8', () => {
  const refused = expect.objectContaining({ code: 'model_failed' })
  expect(() => linesOf([Buffer.from(`${'x'.repeat(101)}\n`)])).toThrow(refused)
  expect(() => linesOf([Buffer.from('x'.repeat(60)), Buffer.from('x'.repeat(60))])).toThrow(refused)
  expect(() => linesOf([Buffer.from([0x61, 0xff, 0x0a])])).toThrow(refused)
})
