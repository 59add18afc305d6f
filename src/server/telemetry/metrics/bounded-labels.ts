/** Returns a function that keeps up to `max` values of a label and makes later ones `other`, so that the series stay bounded. */
export function boundedLabels(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.size < max) known.add(value)
    return known.has(value) ? value : 'other'
  }
}
