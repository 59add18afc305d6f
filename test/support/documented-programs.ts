import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

interface Place {
  /** The server's address without a slash at the end. */
  address: string
  token: string
  /** The interpreter of Python. */
  python?: string
}

/** The first program of docs/integrations.md in this language that has the text. */
export function documentedProgram(language: string, uses: string): string {
  const blocks = [...readFileSync(join(ROOT, 'docs/integrations.md'), 'utf8').matchAll(/```(\w+)\n([^]*?)```/g)]
  const [, , text] = blocks.find(([, kind, code = '']) => kind === language && code.includes(uses)) ?? []
  if (!text) throw new Error(`docs/integrations.md has no program in ${language} that uses ${uses}`)
  return text
}

/** Runs a program of docs/integrations.md. Resolves with its output. */
export async function runSnippet(language: 'js' | 'python', uses: string, { address, token, python = 'python3' }: Place): Promise<string> {
  const program = documentedProgram(language, uses).replaceAll('https://chat.example.org', address)
  const [command, args] = language === 'js' ? [process.execPath, ['--input-type=module', '-e', program]] : [python, ['-c', program]]
  const { stdout } = await promisify(execFile)(command, args, { cwd: ROOT, env: { ...process.env, PARLEY_TOKEN: token } })
  return stdout
}
