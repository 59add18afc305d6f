/** Name of the first person on the staff until they choose one. */
export const FIRST_OWNER_NAME = 'First owner'

/** A name as it is shown: one line, without invisible characters and those that change the direction. */
export function plainName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu, (run) => (/\s/.test(run) ? ' ' : ''))
  return plain.normalize('NFC').trim()
}
