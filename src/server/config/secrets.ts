import { readFileSync } from 'node:fs'

export const SECRETS = [
  'INSTALLATION_KEY',
  'INSTALLATION_KEY_PREVIOUS',
  'BACKUP_PASSPHRASE',
  'DATABASE_URL',
  'REDIS_URL',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'MISTRAL_API_KEY',
  'AZURE_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'EMBEDDING_API_KEY',
  'STAFF_OIDC_CLIENT_SECRET',
  'MODERATION_API_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const
type Secret = (typeof SECRETS)[number]

/** 32 random hexadecimal digits have 128 bits. */
const MIN_KEY_CHARACTERS = 32
const MIN_DISTINCT_CHARACTERS = 10

/** Placeholders that documentation and templates use instead of a secret. */
const EXAMPLES = [
  /^(?:<.*>|\[.*\]|\{.*\}|\$.*|[.…*]+|x+|(?:sk-)?(?:\.\.\.|…|x{6,}).*|sk-x{3,}.*)$/i,
  /change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|with)|your[-_ ]?(?:own|api|secret|key|token|installation)/i,
  /example|placeholder|insert[-_ ]?(?:here|your|key)|secret[-_ ]?(?:key|here)|s3cr3t|passw(?:or)?d/i,
]

/** The environment with secrets read from files (`X_FILE` sets `X`). `mistakes` names blank, example and unreadable ones, never values. */
export function readSecrets(environment: NodeJS.ProcessEnv): { environment: NodeJS.ProcessEnv; mistakes: string[] } {
  const read = { ...environment }
  const mistakes: string[] = []
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`]
    const fromFile = file === undefined ? undefined : contentOf(file)
    if (file !== undefined && environment[name] !== undefined) mistakes.push(`${name} and ${name}_FILE are both set, keep one`)
    else if (fromFile === null) mistakes.push(`${name}_FILE names no file that can be read`)
    else {
      read[name] = fromFile ?? environment[name]
      mistakes.push(...faultsOf(name, read[name]).map((fault) => `${file === undefined ? name : `${name}_FILE`} ${fault}`))
    }
  }
  return { environment: read, mistakes }
}

/** Whether a file of a secret has changed since. The installation key has a procedure of its own. */
export function haveOtherSecrets(now: WithVariables, before: WithVariables): boolean {
  return SECRETS.some((name) => !name.startsWith('INSTALLATION_KEY') && now.variables[name] !== before.variables[name])
}

interface WithVariables {
  variables: Readonly<Record<string, string>>
}

/** Why an installation key is unsafe, without quoting it; `undefined` if it is safe. */
export function faultOfKey(key: string): string | undefined {
  if (EXAMPLES.some((example) => example.test(key))) return 'is an example, take a random one'
  if (key.length < MIN_KEY_CHARACTERS) return `must have at least ${MIN_KEY_CHARACTERS} characters`
  return isGuessable(key) ? 'can be guessed, take a random one' : undefined
}

function faultsOf(name: Secret, value: string | undefined): string[] {
  if (value === undefined) return []
  if (value.trim() === '') return ['is blank, give it a value or leave it out']
  const fault =
    name === 'INSTALLATION_KEY'
      ? faultOfKey(value.trim())
      : isExample(name, value.trim())
        ? 'is an example value: replace it with your own'
        : undefined
  return fault === undefined ? [] : [fault]
}

/** Database and Redis URLs are exempt: they contain arbitrary words, and a wrong one fails on connection. */
function isExample(name: Secret, value: string): boolean {
  return !name.endsWith('_URL') && EXAMPLES.some((example) => example.test(value))
}

/** Detects few distinct characters, repetition, and sequences like `abcdef` and `98765`. */
function isGuessable(key: string): boolean {
  if (new Set(key).size < MIN_DISTINCT_CHARACTERS || /^(.{1,32}?)\1+.{0,8}$/s.test(key)) return true
  const steps = Array.from(key.slice(1), (character, index) => character.charCodeAt(0) - key.charCodeAt(index))
  return steps.filter((step) => Math.abs(step) <= 1).length > steps.length / 2
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
