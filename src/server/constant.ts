/** Where a module that tests and benches load before the server puts other values of constants. */
const OTHER_VALUES = Symbol.for('parley.constants')

/** The value of a constant, unless a test has set another. No setting or environment variable of the server changes it. */
export function constant(name: string, value: number): number {
  return (globalThis as { [OTHER_VALUES]?: Readonly<Record<string, number>> })[OTHER_VALUES]?.[name] ?? value
}
