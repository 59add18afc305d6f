import type { Measurement } from './measurement.ts'

const HEAD = ['figure', 'ours', 'limit', 'verdict']

/** The measurements as a table for a terminal. */
export function table(measurements: readonly Measurement[]): string {
  const rows = [HEAD, ...measurements.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function rowOf({ figure, ours, limit, holds }: Measurement): string[] {
  return [figure, ours, limit, holds === null ? 'recorded' : holds ? 'holds' : 'EXCEEDED']
}
