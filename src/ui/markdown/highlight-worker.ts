import { createHighlighterCore, type HighlighterCore, type LanguageRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { CodeLanguage } from './code-languages.ts'
import type { CodeLine, HighlightRequest } from './highlight.ts'

const LIGHT = 'github-light-high-contrast'
const DARK = 'github-dark-high-contrast'

/** Loaded when code in the language first appears. */
const LANGUAGES: Record<CodeLanguage, () => Promise<{ default: LanguageRegistration[] }>> = {
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

let starting: Promise<HighlighterCore> | undefined

const start = () =>
  createHighlighterCore({
    themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark-high-contrast.mjs')],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })

/** Highlights code, one message at a time. Replies with the lines, or null on failure. */
self.addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  colour(data).then(answer, (cause) => {
    console.error(cause)
    answer(null)
  })
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const answer = (lines: CodeLine[] | null) => self.postMessage(lines)

async function colour({ code, language }: HighlightRequest): Promise<CodeLine[]> {
  starting ??= start()
  const highlighter = await starting
  await highlighter.loadLanguage(LANGUAGES[language]())
  const options = {
    lang: language,
    themes: { light: LIGHT, dark: DARK },
    // No time limit per line: the first takes longest, and text after the limit would lose its colours.
    tokenizeTimeLimit: 0,
  }
  // Shiki counts a line after the last line break.
  return highlighter.codeToTokensWithThemes(code.replace(/\n$/, ''), options).map(lineOf)
}

const lineOf = (line: ReturnType<HighlighterCore['codeToTokensWithThemes']>[number]): CodeLine =>
  line.map(({ content, variants }) => ({
    text: content,
    color: `light-dark(${variants['light']?.color ?? 'inherit'}, ${variants['dark']?.color ?? 'inherit'})`,
  }))
