'use strict'

/** Loaded before a server by tests, benches and evaluations: `TEST_CONSTANT_<name>` is the value of a constant (`src/server/constant.ts`). */
const PREFIX = 'TEST_CONSTANT_'

globalThis[Symbol.for('parley.constants')] = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([name, value]) => [name.slice(PREFIX.length), Number(value)]),
)
