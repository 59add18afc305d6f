import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import { readTextFile } from '../../knowledge/files/read-regular-file.ts'
import type { ApprovedAnswer } from './approved-answer.ts'
import { readApprovedAnswer } from './read-approved-answer.ts'

const MAX_FILES = 500
const MAX_FILE_BYTES = 64 * 1024

export interface ApprovedFile {
  /** Path below the knowledge folder. */
  file: string
  /** `null` if the file has mistakes. */
  answer: ApprovedAnswer | null
  /** Sentences that name the file. */
  mistakes: string[]
  /** The line of a key or list item of the front matter. */
  placed: (path: PropertyKey[]) => number
}

/** Reads the approved answers of a knowledge folder, in the order of their paths. Without the folder there are none. */
export async function readApprovedFiles(directory: string, onWarning: (message: string, cause?: unknown) => void): Promise<ApprovedFile[]> {
  const names = await listNames(directory)
  const files: ApprovedFile[] = []
  for (const name of names.slice(0, MAX_FILES)) files.push(await readOne(directory, `${APPROVED_FOLDER}/${name}`, onWarning))
  if (names.length > MAX_FILES)
    files.push(leftOut(APPROVED_FOLDER, [`${APPROVED_FOLDER}: more than ${MAX_FILES} approved answers; ignoring the rest.`]))
  return files
}

const leftOut = (file: string, mistakes: string[]): ApprovedFile => ({ file, answer: null, mistakes, placed: () => 1 })

async function listNames(directory: string): Promise<string[]> {
  try {
    const names = await readdir(join(directory, APPROVED_FOLDER), { recursive: true })
    return names
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /^(?!\.)(?!.*\/\.).*\.md$/i.test(name))
      .toSorted()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
}

async function readOne(directory: string, file: string, onWarning: (message: string, cause?: unknown) => void): Promise<ApprovedFile> {
  try {
    const reading = readApprovedAnswer(file, await readTextFile(join(directory, file), MAX_FILE_BYTES))
    if (reading.kind === 'read') return { file, answer: reading.answer, mistakes: [], placed: reading.placed }
    const mistakes = reading.mistakes.map(({ line, message }) => `${file}, line ${line}: ${message}; it is left out`)
    return leftOut(file, mistakes)
  } catch (cause) {
    onWarning(`Reading ${file} failed; leaving it out`, cause)
    return leftOut(file, [`${file}: left out. It cannot be read.`])
  }
}
