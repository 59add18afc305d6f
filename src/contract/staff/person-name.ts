/** A name as it is shown: one line, without invisible characters and those that change the direction. */
export const plainName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
