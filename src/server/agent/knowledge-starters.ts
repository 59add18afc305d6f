import type { KnowledgeBase } from '../knowledge/knowledge-base.ts'

const MAX_STARTERS = 6
const MAX_STARTER_CHARACTERS = 200

/** Prompts to begin with, taken from the headings of the knowledge: those of one document after the other, questions first. */
export class KnowledgeStarters {
  readonly #knowledge: Pick<KnowledgeBase, 'search' | 'isInThread'>
  readonly #byFolders = new Map<string, { folders: readonly string[]; starters: readonly string[] }>()

  constructor(knowledge: Pick<KnowledgeBase, 'search' | 'isInThread'>) {
    this.#knowledge = knowledge
  }

  /** The starters of some folders as of the last refresh. */
  of(folders: readonly string[]): readonly string[] {
    return this.#byFolders.get(keyOf(folders))?.starters ?? []
  }

  /** Has the starters of these folders, from now if the knowledge is small, and otherwise from the next `refresh`. */
  async follow(folders: readonly string[]): Promise<void> {
    const key = keyOf(folders)
    if (this.#byFolders.has(key)) return
    this.#byFolders.set(key, { folders, starters: [] })
    if (!this.#knowledge.isInThread) await this.#read(key)
  }

  /** Reads all starters again, because the knowledge has changed. */
  async refresh(): Promise<void> {
    for (const key of this.#byFolders.keys()) await this.#read(key)
  }

  async #read(key: string): Promise<void> {
    const followed = this.#byFolders.get(key)
    if (!followed) return
    const { folders } = followed
    const topics = folders.length === 0 ? [] : (await this.#knowledge.search('', { folders, caller: 'builtin' })).topics
    this.#byFolders.set(key, { folders, starters: startersFrom(topics) })
  }
}

/** Of headings, the first questions, then the others. */
function startersFrom(headings: readonly string[]): string[] {
  const short = [...new Set(headings)].filter((heading) => heading.trim() !== '' && heading.length <= MAX_STARTER_CHARACTERS)
  const isQuestion = (heading: string) => /[?？؟]\s*$/.test(heading)
  return [...short.filter(isQuestion), ...short.filter((heading) => !isQuestion(heading))].slice(0, MAX_STARTERS)
}

const keyOf = (folders: readonly string[]) => folders.join('\n')
