/** Most groups of phrases are ruled out by their first words, which costs less than their patterns. */
export class FirstWords {
  readonly #byWord = new Map<string, Set<number>>()
  readonly #byBeginning = new Map<string, Set<number>>()
  readonly #anywhere = new Set<number>()
  #size = 0

  /** The number of a group: phrases separated by `|`, in the form that `AttackRules` describes. */
  add(alternatives: string): number {
    const group = this.#size
    this.#size += 1
    for (const phrase of alternatives.split('|')) {
      const [first = ''] = phrase.split(/[_-]/, 1)
      const star = first.indexOf('*')
      if (star < 0) groupsIn(this.#byWord, first).add(group)
      else if (star > 0) groupsIn(this.#byBeginning, first.slice(0, Math.min(star, KEY_CHARACTERS))).add(group)
      else this.#anywhere.add(group)
    }
    return group
  }

  /** The numbers of the groups of which the words may contain a phrase; all others have none. */
  possibleIn(words: readonly string[]): ReadonlySet<number> {
    const possible = new Set(this.#anywhere)
    for (const word of words) {
      for (const group of this.#byWord.get(word) ?? []) possible.add(group)
      for (let length = Math.min(KEY_CHARACTERS, word.length); length > 0; length -= 1)
        for (const group of this.#byBeginning.get(word.slice(0, length)) ?? []) possible.add(group)
    }
    return possible
  }
}

/** Beginnings of words are looked up by so many characters, or fewer where they are shorter. */
const KEY_CHARACTERS = 3

function groupsIn(index: Map<string, Set<number>>, key: string): Set<number> {
  const groups = index.get(key) ?? new Set<number>()
  index.set(key, groups)
  return groups
}
