import { join } from 'node:path'
import { expect } from 'vitest'
import { REACHED_VARIABLE } from './insert-faults.ts'

// Runs before each test file: what it and its servers reach is listed under its name.
const folder = process.env['PARLEY_MUTATION_REACHED_IN']
if (folder) process.env[REACHED_VARIABLE] = join(folder, encodeURIComponent(expect.getState().testPath ?? ''))
