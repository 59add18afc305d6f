import { Lexer } from 'marked'
import { minifySync, parseSync } from 'vite'

/** Settings of the Markdown parser in the page. */
const SETTINGS = [
  ['pedantic', 'false'],
  ['gfm', 'true'],
  ['breaks', 'false'],
  ['extensions', 'null'],
  ['hooks', 'null'],
  ['silent', 'false'],
]
/** Tables of block and inline rules by setting. */
const TABLES = /(\w+)=\{normal:\w+,gfm:\w+,pedantic:\w+\},(\w+)=\{normal:\w+,gfm:\w+,breaks:\w+,pedantic:\w+\}/
/** A rule of the table `other`, shared by all settings. */
const OTHER_RULE = /,(\w+):\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*(?=,)/g

/**
 * The lexer of marked's one bundle, which builds its renderer, and rules for every setting, at load: everything from the default instance on is
 * cut off, what the page never sets is written in, and the rules that are left are written out. Saves 5 kB gz.
 * @param {string} bundle @returns {string | undefined} A module that exports `Lexer` and `Tokenizer`; undefined for a bundle of another form than expected.
 */
export function lexerOfMarked(bundle) {
  const instance = bundle.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/)
  const names = ['Lexer', 'Tokenizer'].map((name) => new RegExp(`[{,]\\w+ as ${name}(?=[,}])`).exec(bundle)?.[0].slice(1))
  if (instance < 0 || names.includes(undefined) || !TABLES.test(bundle)) return undefined
  const settled = SETTINGS.reduce(
    (text, [option = '', value = '']) => text.replaceAll(`this.options.${option}`, value),
    bundle.slice(0, instance),
  )
  const { block, inline } = Lexer.rules
  const written = settled.replace(
    TABLES,
    (_, blocks, inlines) => `${blocks}={gfm:${literal(block.gfm)}},${inlines}={gfm:${literal(inline.gfm)}}`,
  )
  const { code } = minifySync('marked.js', `${withoutUnusedValues(written)}export{${names.join(',')}};`, { module: true, mangle: false })
  return code.replaceAll(OTHER_RULE, (rule, name) => (code.includes(`.${name}`) ? rule : ''))
}

/** @param {Readonly<Record<string, RegExp>>} rules */
const literal = (rules) =>
  `{${Object.entries(rules)
    .map(([name, rule]) => `${name}:${rule}`)
    .join()}}`

/** Removes unused top-level values, which the bundler can't prove to be free of side effects. @param {string} code @returns {string} */
function withoutUnusedValues(code) {
  const unused = parseSync('marked.js', code)
    .program.body.flatMap((statement) => (statement.type === 'VariableDeclaration' ? statement.declarations : []))
    .flatMap(({ id, init }) => (id.type === 'Identifier' && init && isNamedOnce(id.name, code) ? [init] : []))
    .filter(({ end, start }) => end - start > 1)
  if (unused.length === 0) return code
  return withoutUnusedValues(unused.reduceRight((text, { start, end }) => `${text.slice(0, start)}0${text.slice(end)}`, code))
}

/** @param {string} name @param {string} code */
const isNamedOnce = (name, code) => code.match(new RegExp(`(?<![\\w$&])${name.replace('$', '\\$')}(?![\\w$])`, 'g'))?.length === 1
