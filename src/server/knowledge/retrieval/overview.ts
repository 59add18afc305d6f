import { detectLanguage } from '../../language.ts'
import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import { isInFolders } from './search.ts'

/** A summary of some knowledge folders. Titles are as in the documents. */
export interface KnowledgeOverview {
  documents: number
  /** Titles of the documents, or where there are many, the folders with how many each has, and some titles. */
  topics: string[]
  /** English names of the languages that most of it is written in. */
  languages: string[]
  /** Newest ISO date of a document; null when none has one. */
  newest: string | null
  /** The files with the hash of their content, a line each, by name: what identifies this state of the knowledge. */
  files: string
}

const MAX_TITLES = 24
const MAX_FOLDERS = 16
/** Titles beside the folders. */
const MAX_SAMPLES = 8
const MAX_TITLE_CHARACTERS = 80
/** Documents sampled for their language. */
const MAX_LANGUAGE_SAMPLES = 60
/** A language has at least this share of the samples. */
const MIN_LANGUAGE_SHARE = 0.1

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

/** Describes the documents in these folders, with sample texts. */
export function overviewOf(
  index: KnowledgeIndex,
  hashes: ReadonlyMap<string, { hash: string }>,
  folders: readonly string[],
): KnowledgeOverview {
  const isOpen = isInFolders(folders)
  const documents = [...index.documents.values()].filter(({ file }) => isOpen(file))
  const texts = samplesOf(documents).flatMap(({ passages: [first] }) => (first === undefined ? [] : (index.passage(first)?.text ?? [])))
  return describeDocuments(documents, texts, hashes)
}

/** A sample of documents, spread over the list, for language detection. */
export function samplesOf<T>(documents: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(documents.length / MAX_LANGUAGE_SAMPLES))
  return documents.filter((_, at) => at % step === 0).slice(0, MAX_LANGUAGE_SAMPLES)
}

/** @param texts Texts of the sampled documents. */
export function describeDocuments(
  documents: readonly { file: string; title: string; asOf: string | null }[],
  texts: readonly string[],
  hashes: ReadonlyMap<string, { hash: string }>,
): KnowledgeOverview {
  const newest = documents.flatMap(({ asOf }) => asOf ?? []).reduce((latest, date) => (date > latest ? date : latest), '')
  return {
    documents: documents.length,
    topics: topicsOf(documents),
    languages: languagesOf(texts),
    newest: newest === '' ? null : newest,
    files: documents
      .map(({ file }) => `${file} ${hashes.get(file)?.hash ?? ''}`)
      .toSorted()
      .join('\n'),
  }
}

function topicsOf(documents: readonly { file: string; title: string }[]): string[] {
  const titles = [...new Set(documents.map(({ title }) => inOneLine(title)))]
  if (titles.length <= MAX_TITLES) return titles
  const counts = new Map<string, number>()
  for (const { file } of documents) {
    const [folder = '', ...below] = file.split('/')
    if (below.length > 0) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const largest = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_FOLDERS)
  const step = Math.floor(titles.length / MAX_SAMPLES)
  const samples = titles.filter((_, at) => at % step === 0).slice(0, MAX_SAMPLES)
  return [...largest.map(([folder, count]) => `${inOneLine(folder)} (${count} documents)`), ...samples]
}

function languagesOf(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const language of texts.flatMap((text) => languageNameOf(text) ?? [])) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= MIN_LANGUAGE_SHARE * texts.length)
    .toSorted(([, one], [, other]) => other - one)
    .map(([language]) => language)
}

/** English name of the language of a text; null if uncertain. */
export function languageNameOf(text: string): string | null {
  const language = detectLanguage(text)
  return language && (NAMES.of(language) ?? null)
}

function inOneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARACTERS).toWellFormed()
}
