import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'knowledge', 'left-out.json')

/** Stores why files are not used, for commands beside the server. */
export async function writeLeftOut(dataDirectory: string, problems: readonly string[]): Promise<void> {
  const path = pathIn(dataDirectory)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, JSON.stringify(problems))
  await rename(temporary, path)
}

/** Why files were not used when the folder was read last; nothing where it never was. */
export async function readLeftOut(dataDirectory: string): Promise<string[]> {
  const text = await readFile(pathIn(dataDirectory), 'utf8').catch(() => '[]')
  return z.array(z.string()).parse(JSON.parse(text))
}
