import type { Fault } from './find-faults.ts'

export interface NumberedFault extends Fault {
  id: number
}

/** The variable that names the fault to switch on, and the one that names a file to list those in that were reached. */
export const FAULT_VARIABLE = 'PARLEY_MUTATION_FAULT'
export const REACHED_VARIABLE = 'PARLEY_MUTATION_REACHED'

const SWITCH = [
  'var __fault = globalThis.__parleyFault ??= (() => {',
  `const { ${FAULT_VARIABLE}: on, ${REACHED_VARIABLE}: list } = process.env, seen = new Set();`,
  "return (id) => { if (list && !seen.has(id)) { seen.add(id); process.getBuiltinModule('node:fs').appendFileSync(list, `${id}\\n`) }",
  'return id === Number(on) } })(); ',
].join(' ')

/** The text with all faults in it, each switched on by its id in the environment. The faults may lie in each other. */
export function insertFaults(text: string, faults: readonly NumberedFault[]): string {
  const ordered = faults.toSorted((one, other) => one.start - other.start || other.end - one.end)
  return SWITCH + render(text, 0, text.length, ordered)
}

function render(text: string, start: number, end: number, faults: readonly NumberedFault[]): string {
  let rendered = ''
  let at = start
  for (let index = 0; index < faults.length; ) {
    const fault = faults[index]!
    let next = index + 1
    while (next < faults.length && faults[next]!.end <= fault.end && faults[next]!.start < Math.max(fault.end, fault.start + 1)) next += 1
    const inner = fault.start === fault.end ? '' : render(text, fault.start, fault.end, faults.slice(index + 1, next))
    rendered += text.slice(at, fault.start) + withSwitch(fault, inner)
    at = fault.end
    index = fault.start === fault.end ? index + 1 : next
  }
  return rendered + text.slice(at, end)
}

function withSwitch({ id, form, instead }: NumberedFault, original: string): string {
  if (form === 'statement') return `{ if (!__fault(${id})) { ${original} } }`
  if (form === 'body') return ` if (__fault(${id})) return; `
  return `(__fault(${id}) ? (${instead}) : (${original}))`
}
