import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTextFile } from './read-regular-file.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-regular-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const read = (name: string) => readTextFile(join(directory, name), 1_000)

test('reads a file that is mounted from a ConfigMap, and the one that replaces it', async () => {
  for (const [version, text] of ['first', 'second'].entries()) {
    mkdirSync(join(directory, `..${version}`))
    writeFileSync(join(directory, `..${version}`, 'agent.md'), text)
  }
  symlinkSync('..data/agent.md', join(directory, 'agent.md'))
  symlinkSync('..0', join(directory, '..data'))
  expect(await read('agent.md')).toBe('first')
  rmSync(join(directory, '..data'))
  symlinkSync('..1', join(directory, '..data'))
  expect(await read('agent.md')).toBe('second')
})

test('reads no link that leads elsewhere, no pipe, no folder and nothing too large', async () => {
  symlinkSync('/etc/hostname', join(directory, 'out.md'))
  symlinkSync('gone.md', join(directory, 'nowhere.md'))
  execFileSync('mkfifo', [join(directory, 'pipe.md')])
  mkdirSync(join(directory, 'folder.md'))
  writeFileSync(join(directory, 'large.md'), 'x'.repeat(1_001))
  await expect(read('out.md')).rejects.toThrow('It is a link that leads out of its folder.')
  await expect(read('nowhere.md')).rejects.toThrow('ENOENT')
  await expect(read('pipe.md')).rejects.toThrow('It is not a regular file.')
  await expect(read('folder.md')).rejects.toThrow('It is not a regular file.')
  await expect(read('large.md')).rejects.toThrow('It is larger than 1 KB.')
})
