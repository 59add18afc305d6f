/** A name as it is shown: one line, without invisible characters and those that change the direction. */
export function plainName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu, (run) => (/\s/.test(run) ? ' ' : ''))
  return plain.normalize('NFC').trim()
}
