import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'

/** Sets of folders whose starters are kept; drafts may name any. */
const MAX_FOLLOWED = 200

/** Starter prompts from the headings of the knowledge: one document after the other, questions first. */
export class KnowledgeStarters {
  readonly #knowledge: Pick<KnowledgeBase, 'search' | 'isInThread'>
  readonly #byFolders = new Map<string, { folders: readonly string[]; starters: readonly string[] }>()

  constructor(knowledge: Pick<KnowledgeBase, 'search' | 'isInThread'>) {
    this.#knowledge = knowledge
  }

  /** Starters by folders, as of the last refresh. */
  of(folders: readonly string[]): readonly string[] {
    return this.#byFolders.get(keyOf(folders))?.starters ?? []
  }

  /** Registers folders: their starters are available at once if the knowledge is small, otherwise after the next `refresh`. */
  async follow(folders: readonly string[]): Promise<void> {
    const key = keyOf(folders)
    if (this.#byFolders.has(key) || this.#byFolders.size >= MAX_FOLLOWED) return
    this.#byFolders.set(key, { folders, starters: [] })
    if (!this.#knowledge.isInThread) await this.#read(key)
  }

  async refresh(): Promise<void> {
    for (const key of this.#byFolders.keys()) await this.#read(key)
  }

  async #read(key: string): Promise<void> {
    const followed = this.#byFolders.get(key)
    if (!followed) return
    const { folders } = followed
    const topics = folders.length === 0 ? [] : (await this.#knowledge.search('', { folders, caller: 'builtin' })).topics
    this.#byFolders.set(key, { folders, starters: questionsFirst(topics) })
  }
}

function questionsFirst(topics: readonly string[]): string[] {
  const isQuestion = (topic: string) => /[?？؟]\s*$/.test(topic)
  return [...topics.filter(isQuestion), ...topics.filter((topic) => !isQuestion(topic))]
}

const keyOf = (folders: readonly string[]) => folders.join('\n')
