export type CodeLanguage = (typeof CODE_LANGUAGES)[number]

const CODE_LANGUAGES = [
  'bash', 'c', 'cpp', 'csharp', 'css', 'diff', 'dockerfile', 'go', 'html', 'java', 'javascript', 'json', 'kotlin', 'markdown', 'php',
  'python', 'ruby', 'rust', 'sql', 'swift', 'toml', 'tsx', 'typescript', 'xml', 'yaml',
] as const // biome-ignore format: a table

const OTHER_NAMES: Record<string, CodeLanguage> = {
  'c#': 'csharp', 'c++': 'cpp', cs: 'csharp', docker: 'dockerfile', golang: 'go', js: 'javascript', jsx: 'tsx', kt: 'kotlin',
  md: 'markdown', mjs: 'javascript', py: 'python', rb: 'ruby', rs: 'rust', sh: 'bash', shell: 'bash', svg: 'xml', ts: 'typescript',
  yml: 'yaml', zsh: 'bash',
} // biome-ignore format: a table

/** The language for an info string, case-insensitive; undefined if unsupported. */
export function languageNamed(written: string): CodeLanguage | undefined {
  const name = written.toLowerCase()
  return CODE_LANGUAGES.find((one) => one === name) ?? (Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined)
}
