/** Languages whose names of months are known. */
const LANGUAGES = 'ar bg cs da de el en es et fa fi fr he hi hr hu id it lt lv nb nl pl pt ro ru sk sl sr sv th tr uk'.split(' ')
const FORMATS = [{ month: 'long' }, { month: 'long', day: 'numeric' }, { month: 'short', day: 'numeric' }] as const

let names: Map<string, Set<number>> | undefined

/** Numbers of the months that a name stands for, as written and in lower case. Reads them from ICU once. */
export function monthNames(): ReadonlyMap<string, ReadonlySet<number>> {
  names ??= readNames()
  return names
}

function readNames(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  for (const language of LANGUAGES)
    for (const options of FORMATS) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
      for (let month = 1; month <= 12; month += 1) {
        const part = format.formatToParts(Date.UTC(2026, month - 1, 15)).find(({ type }) => type === 'month')
        const name = part?.value.replace(/\.$/, '') ?? ''
        if (/^[\p{L}\p{M}]{3}/u.test(name))
          for (const word of [name, name.toLowerCase()]) found.set(word, (found.get(word) ?? new Set()).add(month))
      }
    }
  return found
}
