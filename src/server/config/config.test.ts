import { expect, test } from 'vitest'
import { Environment, readSettings, SettingsError } from './config.ts'
import { REMOVED_SETTINGS } from './removed-settings.ts'

function settingsTable(): string {
  const rows = Object.entries(Environment.shape).map(([name, schema]) => {
    const standard = String(schema.safeParse(undefined).data ?? '')
    return `| \`${name}\` | ${standard === '' ? '' : `\`${standard}\``} | ${schema.description} |`
  })
  return [
    '# Settings',
    '',
    'All settings are environment variables. An empty variable counts as unset. The server reports all mistakes at startup and does not start with any.',
    'A secret (`INSTALLATION_KEY`, `DATABASE_URL`, `REDIS_URL`, `METRICS_TOKEN`, `MODERATION_API_KEY`, and the API keys of models) must not be empty or an example value.',
    'You can also read a secret from a file: `OPENAI_API_KEY_FILE=/run/secrets/openai`.',
    '',
    '| Setting | Default | Description |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

test('docs/settings.md lists every setting (npm test -- -u writes it)', async () => {
  await expect(settingsTable()).toMatchFileSnapshot('../../../docs/settings.md')
})

test('requires no setting', () => {
  expect(readSettings({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    model: { kind: 'builtin' },
    database: { kind: 'sqlite' },
    clientIds: 'any-here',
  })
  expect(readSettings({ PORT: '', MODEL: '  ' })).toEqual(readSettings({}))
})

test.each([
  [
    { OPENAI_API_KEY: 'k', MODEL: 'm' },
    { kind: 'openai', apiKey: 'k', model: 'm' },
  ],
  [
    { OPENAI_API_KEY: 'k', MODEL: 'm', REASONING_EFFORT: 'low' },
    { kind: 'openai', apiKey: 'k', model: 'm', reasoningEffort: 'low' },
  ],
  [
    { OPENAI_BASE_URL: 'http://localhost:11434/v1', MODEL: 'm' },
    { kind: 'openai-compatible', baseUrl: 'http://localhost:11434/v1', apiKey: undefined, model: 'm' },
  ],
  [
    { ANTHROPIC_API_KEY: 'k', MODEL: 'm' },
    { kind: 'anthropic', apiKey: 'k', model: 'm' },
  ],
  [
    { GOOGLE_API_KEY: 'k', MODEL: 'm' },
    { kind: 'google', apiKey: 'k', model: 'm' },
  ],
  [
    { MISTRAL_API_KEY: 'k', MODEL: 'm', PROVIDER_URLS: 'google=http://other, mistral=http://gateway/v1' },
    { kind: 'mistral', apiKey: 'k', model: 'm', baseUrl: 'http://gateway/v1' },
  ],
  [
    { AZURE_BASE_URL: 'https://r.openai.azure.com', AZURE_API_KEY: 'k', MODEL: 'deployment' },
    { kind: 'azure', baseUrl: 'https://r.openai.azure.com', apiKey: 'k', model: 'deployment' },
  ],
  [
    { BEDROCK_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 's', MODEL: 'eu.a.b-v1:0' },
    { kind: 'bedrock', region: 'eu-central-1', credentials: { accessKeyId: 'i', secretAccessKey: 's' }, model: 'eu.a.b-v1:0' },
  ],
  [
    { OPENAI_API_KEY: 'k', GOOGLE_API_KEY: 'g', MODEL: 'google:m' },
    { kind: 'google', apiKey: 'g', model: 'm' },
  ],
  [
    { OPENAI_BASE_URL: 'http://localhost:11434/v1', MODEL: 'mistral:7b' },
    { kind: 'openai-compatible', baseUrl: 'http://localhost:11434/v1', apiKey: undefined, model: 'mistral:7b' },
  ],
  [{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', MODEL: 'builtin' }, { kind: 'builtin' }],
])('chooses the model from %o', (environment, model) => {
  expect(readSettings(environment).model).toEqual(model)
})

test.each([
  [{ OPENAI_API_KEY: 'k', GOOGLE_API_KEY: 'g', MODEL: 'm' }, 'MODEL has to say which is meant: openai:… or google:…'],
  [{ GOOGLE_API_KEY: 'g' }, 'MODEL is missing'],
  [{ MODEL: 'anthropic:claude-haiku-4-5' }, 'MODEL needs ANTHROPIC_API_KEY'],
  [{ MODEL: 'mistral' }, 'MODEL needs OPENAI_API_KEY, OPENAI_BASE_URL'],
  [{ MODEL: 'm' }, 'MODEL needs'],
  [{ AZURE_API_KEY: 'k', MODEL: 'm' }, 'AZURE_BASE_URL and AZURE_API_KEY go together'],
  [{ BEDROCK_REGION: 'eu-central-1', MODEL: 'm' }, 'BEDROCK_REGION needs'],
  [{ OPENAI_API_KEY: 'k', GOOGLE_API_KEY: 'g', MODEL: 'openai:m', FALLBACK_MODEL: 'm' }, 'FALLBACK_MODEL has to say'],
])('rejects the invalid choice of model %o', (environment, mistake) => {
  expect(() => readSettings(environment)).toThrow(mistake)
})

test('accepts a fallback model of another provider', () => {
  const environment = {
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'a',
    MODEL: 'openai:gpt-5-mini',
    FALLBACK_MODEL: 'anthropic:claude-haiku-4-5',
  }
  const { model, prices, fallback } = readSettings({ ...environment, BUDGET_PER_DAY: '1' })
  expect([model.kind, prices.of('gpt-5-mini')]).toMatchObject(['openai', { input: 0.25, output: 2 }])
  expect([fallback?.model.kind, fallback?.price]).toMatchObject(['anthropic', { input: 1, output: 5 }])
})

test('finds the price of an agent’s model in the settings or the list, and reports a missing one if there is a budget', () => {
  const environment = { OPENAI_API_KEY: 'k', MODEL: 'mine', PRICES: 'mine=1/2' }
  const { prices } = readSettings({ ...environment, PRICES: 'mine=1/2/0.1/1.25, small=0.25/2, eu.large:1=1.5/10', BUDGET_PER_MONTH: '1' })
  expect(['mine', 'small', 'eu.large:1', 'gpt-5-nano', 'builtin', 'other'].map((name) => prices.of(name))).toEqual([
    { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
    { input: 0.25, output: 2 },
    { input: 1.5, output: 10 },
    { input: 0.05, output: 0.4, cacheRead: 0.005 },
    null,
    { input: 0, output: 0 },
  ])
  expect(['mine', 'small', 'gpt-5-nano', 'builtin', 'local', 'other'].filter((name) => prices.isMissing(name))).toEqual(['other'])
  expect(readSettings(environment).prices.isMissing('other')).toBe(false)
})

test('MODEL_WINDOW sets the window of a local MODEL, not of one that stands in for another', () => {
  expect(readSettings({ MODEL: 'local' }).model).toMatchObject({ contextTokens: 8_192 })
  expect(readSettings({ MODEL: 'local', MODEL_WINDOW: '4000' }).model).toMatchObject({ contextTokens: 4_000 })
  const hosted = { OPENAI_API_KEY: 'k', MODEL: 'm', MODEL_WINDOW: '400000', FALLBACK_MODEL: 'local' }
  expect(readSettings(hosted).fallback?.model).toMatchObject({ contextTokens: 8_192 })
})

test.each(['anthropic', 'openai=https://gateway', 'mistral=gateway', 'google=http://a,google=http://b'])(
  'rejects PROVIDER_URLS=%s',
  (value) => {
    expect(() => readSettings({ PROVIDER_URLS: value })).toThrow('PROVIDER_URLS must be like anthropic=https://gateway.example.org/v1')
  },
)

test.each([
  [{ MODEL: 'mine', BUDGET_PER_DAY: '1' }, 'PRICES has to name the price of MODEL'],
  [{ MODEL: 'gpt-5', FALLBACK_MODEL: 'other', BUDGET_PER_DAY: '1' }, 'PRICES has to name the price of FALLBACK_MODEL'],
  [{ MODEL: 'gpt-5', PRICES: 'small=0.25' }, 'PRICES must be like small=0.25/2'],
])('refuses to start without required prices: %o', (environment, mistake) => {
  expect(() => readSettings({ OPENAI_API_KEY: 'k', ...environment })).toThrow(mistake)
})

test('DATABASE_URL selects PostgreSQL', () => {
  const url = 'postgres://user@host/name'
  expect(readSettings({ DATABASE_URL: url }).database).toEqual({ kind: 'postgres', url, connections: 10, timeoutMs: 2_000 })
})

test.each(Object.entries(REMOVED_SETTINGS))('%s, which was removed, stops the start and names itself', (name, instead) => {
  expect(Environment.shape).not.toHaveProperty(name)
  expect(() => readSettings({ [name]: 'secret' })).toThrow(`These settings need a change: ${name} was removed (${instead}), take it away.`)
  expect(readSettings({ [name]: '' })).toEqual(readSettings({}))
})

test('a removed secret that is read from a file stops the start', () => {
  expect(() => readSettings({ RERANK_API_KEY_FILE: '/run/secrets/key' })).toThrow('RERANK_API_KEY_FILE was removed')
})

test('fourteen settings are limits', () => {
  const limits = Object.keys(Environment.shape).filter((name) => /^(?:LIMIT|MAX)_/.test(name) && name !== 'LIMIT_LOOPBACK')
  expect(limits).toHaveLength(14)
})

test('reports all mistakes at once, without values', () => {
  const read = () => readSettings({ PORT: 'secret-a', RETENTION_DAYS: '-1', DATABASE_URL: 'mysql://secret-b', OPENAI_BASE_URL: 'secret-c' })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(/PORT.*RETENTION_DAYS|DATABASE_URL/)
  for (const name of ['PORT', 'RETENTION_DAYS', 'DATABASE_URL', 'OPENAI_BASE_URL']) expect(read).toThrow(name)
  expect(read).not.toThrow('secret')
  // Also those of combinations.
  expect(() => readSettings({ PORT: 'x', MODEL: 'gpt-5', TRUSTED_PROXIES: 'x' })).toThrow(/PORT.*TRUSTED_PROXIES.*MODEL needs/)
})

test.each([
  ['BUGET_PER_DAY', 'BUDGET_PER_DAY'],
  ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
  ['RETENTION_DAY', 'RETENTION_DAYS'],
  ['MODLE', 'MODEL'],
  ['METRICS_TOKEN_FIEL', 'METRICS_TOKEN_FILE'],
])('%s is told to be a mistyped %s', (name, meant) => {
  expect(readSettings({ [name]: 'secret' }).misnamed).toEqual([`${name}: did you mean ${meant}?`])
  expect(() => readSettings({ [name]: 'secret', STRICT_SETTINGS: '1', PORT: 'x' })).toThrow(
    `These settings need a change: ${name}: did you mean ${meant}?; PORT must be a whole number.`,
  )
})

test('a name with a prefix of its own is told, and the names of other programs are not', () => {
  expect(readSettings({ LIMIT_EVERYTHING: '1' }).misnamed).toEqual(['LIMIT_EVERYTHING is no setting'])
  const others = ['HOME', 'HOSTNAME', 'PATH', 'LANG', 'LANGUAGE', 'NODE_ENV', 'AWS_REGION', 'OTEL_TRACES_EXPORTER', 'KUBERNETES_PORT']
  const more = ['MODE', 'REDIS_PORT', 'npm_config_cache', 'INIT_CWD', 'PARLEY_ENV_FILE', 'OPENAI_ORGANIZATION', 'METRICS_TOKEN_FILE']
  expect(
    readSettings(Object.fromEntries([...others, ...more].map((name) => [name, name === 'METRICS_TOKEN_FILE' ? undefined : 'x']))).misnamed,
  ).toEqual([])
})

test.each(['proxy.local', '10.0.0.0/33', '10.0.0.0/8/8'])('rejects %s as a trusted proxy', (value) => {
  expect(() => readSettings({ TRUSTED_PROXIES: `127.0.0.1, ${value}` })).toThrow('TRUSTED_PROXIES')
  expect(readSettings({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, ::1' }).trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '::1'])
})

test('requires strong client-chosen ids where others can reach the server', () => {
  expect(readSettings({ HOST: '0.0.0.0' }).clientIds).toBe('strong')
  expect(readSettings({ HOST: '0.0.0.0', CLIENT_IDS: 'any' }).clientIds).toBe('any')
})

test.each([
  [{ PUBLIC_URL: 'https://example.org/chat' }, 'PUBLIC_URL must be like'],
  [{ PUBLIC_URL: 'nonsense' }, 'PUBLIC_URL must be like'],
])('rejects a public origin that cannot work: %o', (environment, mistake) => {
  expect(() => readSettings(environment)).toThrow(mistake)
})

test.each([
  ['mask', { card: 'mask', iban: 'mask', national_id: 'mask', email: 'mask', telephone: 'mask', address: 'mask' }],
  ['card:refuse, email:mask', { card: 'refuse', iban: 'ask', national_id: 'ask', email: 'mask', telephone: 'allow', address: 'allow' }],
])('PERSONAL_DATA=%s sets what happens to each kind', (value, rules) => {
  expect(readSettings({ PERSONAL_DATA: value }).personalData).toEqual(rules)
})

test.each(['block', 'card', 'card:block', 'passport:mask', 'card:mask,card:ask', 'card:mask,ask'])('rejects PERSONAL_DATA=%s', (value) => {
  expect(() => readSettings({ PERSONAL_DATA: value })).toThrow(/PERSONAL_DATA must be allow, ask, mask, refuse/)
})
