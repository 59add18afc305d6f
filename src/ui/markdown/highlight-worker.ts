import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import { codeToTokensWithThemes, createShikiPrimitiveAsync, type LanguageRegistration, type ShikiPrimitive } from '@shikijs/primitive'
import type { CodeLanguage } from './code-languages.ts'
import type { CodeLine, HighlightRequest } from './highlight.ts'

const LIGHT = 'github-light-high-contrast'
const DARK = 'github-dark-high-contrast'

/** Loaded when code in the language first appears. */
const LANGUAGES: Record<CodeLanguage, () => Promise<{ default: LanguageRegistration[] }>> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  diff: () => import('@shikijs/langs/diff'),
  dockerfile: () => import('@shikijs/langs/dockerfile'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  swift: () => import('@shikijs/langs/swift'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
}

let starting: Promise<ShikiPrimitive> | undefined

const start = () =>
  createShikiPrimitiveAsync({
    themes: [import('@shikijs/themes/github-light-high-contrast'), import('@shikijs/themes/github-dark-high-contrast')],
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
  return codeToTokensWithThemes(highlighter, code.replace(/\n$/, ''), options).map(lineOf)
}

const lineOf = (line: ReturnType<typeof codeToTokensWithThemes>[number]): CodeLine =>
  line.map(({ content, variants }) => ({
    text: content,
    color: `light-dark(${variants['light']?.color ?? 'inherit'}, ${variants['dark']?.color ?? 'inherit'})`,
  }))
