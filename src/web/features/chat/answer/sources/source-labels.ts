const MAX_CHARACTERS = 200

/** A unique label for each source: its title, extended by section, location and origin where titles repeat, and by a number as a last resort. */
export function sourceLabels(sources: readonly { title: string; shortSections: string; place: string; origin: string }[]): string[] {
  let labels = sources.map(({ title }) => oneLine(title))
  for (const field of ['shortSections', 'place', 'origin'] as const) {
    const shared = sharedIn(labels)
    labels = labels.map((label, index) => {
      const more = oneLine(sources[index]?.[field] ?? '')
      return shared.has(label) && more !== '' && !label.includes(more) ? [label, more].filter((text) => text !== '').join(' – ') : label
    })
  }
  const taken = new Set<string>()
  return labels.map((label) => {
    let unique = label
    for (let count = 2; taken.has(unique); count += 1) unique = `${label} (${count})`
    taken.add(unique)
    return unique
  })
}

function sharedIn(labels: readonly string[]): Set<string> {
  return new Set(labels.filter((label, index) => labels.indexOf(label) !== index))
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS).toWellFormed().trimEnd()}…` : line
}
