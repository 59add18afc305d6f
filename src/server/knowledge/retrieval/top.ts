/** The positions of the highest positive values, highest first; equal ones in their order. */
export function highest(values: Float32Array, limit: number, isOpen: (position: number) => boolean): number[] {
  const found: number[] = []
  let least = 0
  const place = (position: number) => {
    const value = values[position] as number
    let at = found.length
    while (at > 0 && (values[found[at - 1] as number] as number) < value) at -= 1
    found.splice(at, 0, position)
    if (found.length > limit) found.pop()
    if (found.length === limit) least = values[found.at(-1) as number] as number
  }
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] as number
    if (value > 0 && (found.length < limit || value > least) && isOpen(position)) place(position)
  }
  return found
}
