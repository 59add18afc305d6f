import { hash } from 'node:crypto'
import { BackupTable } from '../../../contract/backup-header.ts'

/** Sums of hashes stay below this. */
const MODULUS = 1n << 256n

/** The table that a line announces; `undefined` for a row. */
export function tableOfLine(line: string): string | undefined {
  return line.startsWith('{"table":') ? BackupTable.safeParse(JSON.parse(line)).data?.table : undefined
}

/** Number of rows of each table, and the sum of their SHA-256, which depends neither on their order nor on how a database writes numbers. */
export type Digests = Map<string, { rows: number; sum: bigint }>

/** Passes on exported lines, and fills `digests` with what they contain. */
export async function* digested(lines: AsyncIterable<string> | Iterable<string>, digests: Digests): AsyncGenerator<string> {
  let current = { rows: 0, sum: 0n }
  for await (const line of lines) {
    const table = tableOfLine(line)
    if (table === undefined) {
      current.rows += 1
      current.sum = (current.sum + BigInt(`0x${hash('sha256', JSON.stringify(JSON.parse(line)))}`)) % MODULUS
    } else {
      current = { rows: 0, sum: 0n }
      digests.set(table, current)
    }
    yield line
  }
}

export function differences(source: Digests, copy: Digests): string[] {
  return [...source]
    .filter(([table, { rows, sum }]) => copy.get(table)?.rows !== rows || copy.get(table)?.sum !== sum)
    .map(([table]) => table)
}
