/** Repeats a piece of text up to a number of characters. */
const repeated = (piece: string) => (characters: number) => piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters)

/** Repeats a text of lines, each with a mark once more or less often than the line before it. */
const stairs = (mark: string, steps: (index: number) => number) =>
  repeated(`${Array.from({ length: 24 }, (_, index) => `${mark.repeat(steps(index))}a`).join('\n')}\n\n`)

/** Markdown that takes an unbounded page seconds or minutes to lex, render or lay out, by name, in any length. */
export const HOSTILE_MARKDOWN: Readonly<Record<string, (characters: number) => string>> = {
  // Nested containers.
  'nested numbered lists': paragraphs('1) '),
  'nested quotes': paragraphs('> '),
  'quotes and lists in each other': paragraphs('> 1) - '),
  'quotes that end a level a line': stairs('> ', (index) => 24 - index),
  'quotes and lists that end a level a line': stairs('> - > ', (index) => 24 - index),
  'lists that begin a level a line': stairs('  ', (index) => index),
  'many short quotes': repeated('> \n\n'),
  'many short lists': repeated('- \n](\n'),
  'a list item of many lines': (characters) => `- a\n${repeated('  [\n')(characters - 4)}`,
  'lists with tabs and fences': repeated('\n  *\t~~~\nwww.'),
  // Tables.
  'a wide table': (characters) => `${'|a'.repeat(characters / 6)}|\n${'|-'.repeat(characters / 6)}|\n${'|1'.repeat(characters / 6)}|\n`,
  'a table of empty cells': (characters) => `${'|a'.repeat(90)}|\n${'|-'.repeat(90)}|\n${repeated('|1|\n')(characters - 364)}`,
  'heads without a table': repeated('*|a|b|\n|-|-|\n'),
  'indented heads without a table': repeated('\t(|a|b|\n|-|-|\n'),
  'rules of tables': repeated('|-\n\n)\n'),
  // Inline marks, in paragraphs that are just short enough to be searched for them.
  'emphasis in emphasis': paragraphs('**a *b'),
  'emphasis between dots': paragraphs('a.**'),
  'underscores between dots': paragraphs('__a.'),
  'emphasis that opens and never closes': paragraphs('(***a'),
  'nested emphasis': repeated(`${'*a '.repeat(600)}${'b* '.repeat(600)}\n\n`),
  'strikethrough and addresses': paragraphs('~~a@'),
  'mail addresses': paragraphs('a@a.'),
  'web addresses': paragraphs('www.**'),
  'angle brackets': paragraphs('<a '),
  'escaped brackets': paragraphs('\\['),
  'brackets in brackets': paragraphs('![['),
  'links without an end': paragraphs('[a](<b'),
  backticks: repeated(`${Array.from({ length: 80 }, (_, index) => '`'.repeat(index + 1)).join(' a ')}\n\n`),
  'character references': paragraphs('&#0;&amp'),
  // Definitions, HTML and code.
  'link definitions': (characters) =>
    repeated(Array.from({ length: characters / 16 }, (_, index) => `[${index}]: /a "b\n`).join(''))(characters),
  'uses of a link definition': (characters) => `[a]: /b\n\n${paragraphs('[[a][a]')(characters - 9)}`,
  'open HTML': repeated('<div>\n<!--\n'),
  'lines of HTML': (characters) => `<div>\n${repeated('x\n')(characters - 6)}`,
  'lines of text': repeated('x\n'),
  'HTML attributes': paragraphs('<a b="'),
  'open fences': repeated('~~~\n\n```\n'),
  // Extensions.
  'footnotes in the text': repeated('\\\n[^1]\n[^1]: \\'),
  'open formulas': paragraphs('$x\\('),
  'formulas in formulas': repeated(`$$${'\\frac{1}{'.repeat(400)}x${'}'.repeat(400)}$$\n\n`),
  'formulas that grow': repeated(`$$\\def\\a#1{#1#1#1#1}${'\\a{'.repeat(12)}x${'}'.repeat(12)}$$\n\n`),
  'formulas of several lines': repeated('$$\n\\\n'),
}

function paragraphs(mark: string): (characters: number) => string {
  return repeated(`${mark.repeat(Math.floor(3_900 / mark.length))}\n\n`)
}
