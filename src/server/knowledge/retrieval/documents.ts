import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KnowledgeDocument } from '../../../contract/staff/content/knowledge.ts'
import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import { detectLanguage } from '../../language.ts'
import { isInFolders } from './search.ts'

export interface DocumentFacts extends Pick<KnowledgeDocument, 'file' | 'asOf' | 'passages' | 'bytes'> {
  title: string
  /** English name of the language of its first passage; null if uncertain. */
  language: string | null
}

const STEP = 100

export async function documentsOf(
  index: KnowledgeIndex,
  files: ReadonlyMap<string, { size: number }>,
  limit: number,
): Promise<DocumentFacts[]> {
  const documents = [...index.documents.values()].toSorted((one, other) => (one.file < other.file ? -1 : 1)).slice(0, limit)
  const facts: DocumentFacts[] = []
  for (const [at, { file, title, asOf, passages }] of documents.entries()) {
    if (at % STEP === STEP - 1) await nextTurn()
    const [first] = passages
    const text = first === undefined ? undefined : index.passage(first)?.text
    const language = text === undefined ? null : languageNameOf(text)
    facts.push({ file, title, asOf, passages: passages.length, bytes: files.get(file)?.size ?? null, language })
  }
  return facts
}

/** The files of these folders with the hash of their content, a line each, by name: identifies this state of the knowledge. */
export function versionOf(index: KnowledgeIndex, hashes: ReadonlyMap<string, { hash: string }>, folders: readonly string[]): string {
  const files = [...index.documents.values()].map(({ file }) => file).filter(isInFolders(folders))
  return files
    .map((file) => `${file} ${hashes.get(file)?.hash ?? ''}`)
    .toSorted()
    .join('\n')
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

function languageNameOf(text: string): string | null {
  const language = detectLanguage(text)
  return language && (NAMES.of(language) ?? null)
}
