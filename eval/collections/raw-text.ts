import { Parser } from 'htmlparser2'
import { normalized } from '../../src/server/insights/evaluation/source-ranks.ts'

const HIDDEN = new Set(['script', 'style'])
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var'.split(' '),
)

/** All text of a page except scripts and styles: tags removed, entities decoded, white space normalised. */
export function rawText(html: string): string {
  let text = ''
  let hidden = 0
  const parser = new Parser({
    onopentag(name) {
      if (HIDDEN.has(name)) hidden += 1
      if (!INLINE.has(name)) text += ' '
    },
    ontext(piece) {
      if (hidden === 0) text += piece
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden -= 1
      if (!INLINE.has(name)) text += ' '
    },
  })
  parser.end(html)
  return normalized(text)
}
