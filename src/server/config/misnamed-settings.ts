import { editDistance } from '../knowledge/index/vocabulary.ts'
import { SECRETS } from './secrets.ts'

/** Beginnings of names that other programs on a machine don't use. */
const OWN_PREFIXES =
  /^(BACKUP|BUDGET|CONSOLE|EMBEDDING|FRAME|KNOWLEDGE|LIMIT|LOCAL_EMBEDDING|LOCAL_MODEL|MODEL|MODERATION|PERSONAL_DATA|PROVIDER|STAFF|STRICT)_/
/** Shorter names are near too many others. */
const MIN_CHARACTERS = 5
/** From so many characters on, two slips are still a mistyped name. */
const TWO_SLIPS_CHARACTERS = 8

/** Names that are set and look like settings, but aren't: near one, or with a prefix of Parley's own. As sentences without values. */
export function misnamedSettings(given: readonly string[], settings: readonly string[]): string[] {
  const known = [...settings, ...SECRETS.map((name) => `${name}_FILE`)]
  return given
    .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name) && !known.includes(name))
    .flatMap((name) => {
      const near = nearest(name, known)
      if (near !== undefined) return [`${name}: did you mean ${near}?`]
      return OWN_PREFIXES.test(name) ? [`${name} is no setting`] : []
    })
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((other) => Math.min(name.length, other.length) >= MIN_CHARACTERS)
    .map((other) => ({ other, slips: editDistance(name, other, 2), allowed: other.length < TWO_SLIPS_CHARACTERS ? 1 : 2 }))
    .filter(({ slips, allowed }) => slips <= allowed)
  return near.toSorted((one, two) => one.slips - two.slips)[0]?.other
}
