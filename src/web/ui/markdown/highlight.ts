import { createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** A line's pieces; the colour is a CSS value for both themes. */
export type CodeLine = { text: string; color: string }[]

const LIGHT = 'github-light-high-contrast'
const DARK = 'github-dark-high-contrast'

/** Each is fetched when code of its language first appears. */
const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  dockerfile: () => import('shiki/langs/dockerfile.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

type Language = keyof typeof LANGUAGES

const OTHER_NAMES: Record<string, Language> = {
  'c#': 'csharp', 'c++': 'cpp', cs: 'csharp', docker: 'dockerfile', golang: 'go', js: 'javascript', jsx: 'tsx', kt: 'kotlin',
  md: 'markdown', mjs: 'javascript', py: 'python', rb: 'ruby', rs: 'rust', sh: 'bash', shell: 'bash', svg: 'xml', ts: 'typescript',
  yml: 'yaml', zsh: 'bash',
} // biome-ignore format: a table

let starting: Promise<HighlighterCore> | undefined

const start = () =>
  createHighlighterCore({
    themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark-high-contrast.mjs')],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })

/** Colours code; undefined when the language is not one of ours. */
export async function highlight(code: string, language: string): Promise<CodeLine[] | undefined> {
  const name = languageNamed(language.toLowerCase())
  if (!name) return undefined
  starting ??= start()
  const highlighter = await starting
  await highlighter.loadLanguage(LANGUAGES[name]())
  const lines = highlighter.codeToTokensWithThemes(code, { lang: name, themes: { light: LIGHT, dark: DARK } })
  return lines.map((line) =>
    line.map(({ content, variants }) => ({
      text: content,
      color: `light-dark(${variants['light']?.color ?? 'inherit'}, ${variants['dark']?.color ?? 'inherit'})`,
    })),
  )
}

const languageNamed = (name: string): Language | undefined => (Object.hasOwn(LANGUAGES, name) ? (name as Language) : OTHER_NAMES[name])
