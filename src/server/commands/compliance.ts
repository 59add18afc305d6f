import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatRetention } from '../../contract/chat/retention.ts'
import { kindsWith, PERSONAL_DATA_ACTIONS, type PersonalDataAction, type PersonalDataKind } from '../../personal-data/kinds.ts'
import type { Agent } from '../answering/agents/agent.ts'
import { lookupsOf } from '../app/open-answering.ts'
import { openNotices, recipientsOf } from '../app/open-http.ts'
import { isModelSet } from '../config/connected-model.ts'
import type { Settings } from '../config/config.ts'
import { fillIn } from '../knowledge/ingestion/placeholders.ts'
import { describeModel } from '../models/connect-model.ts'
import { withAgents } from './agent-command.ts'
import type { CommandResult } from './operator-command.ts'

const TEMPLATES = fileURLToPath(new URL('./compliance', import.meta.url))

const USAGE = `Writes drafts of the records that privacy and AI law ask for, from the settings and agents of this installation.

  parley compliance <folder>    record of processing, impact assessment, recipients, article 50 of the AI Act,
                                accessibility statement, algorithmic transparency record, privacy notice

What a person has to decide is marked. Files of these names in the folder are replaced.
`

/** Runs `compliance …` with these arguments. */
export async function writeCompliance(
  args: readonly string[],
  settings: Settings,
  { release, now }: { release: string; now: Date },
): Promise<CommandResult> {
  const [name, ...others] = args
  if (name === undefined || name.startsWith('-') || others.length > 0) return { output: USAGE, exitCode: 2 }
  const folder = resolve(name)
  const [facts, notice] = await withAgents(
    settings,
    async (agents) =>
      [
        { ...factsOf(settings, agents.all), release, today: now.toISOString().slice(0, 10) },
        (await openNotices(settings, describeModel(settings.model), agents)).in(undefined).markdown,
      ] as const,
  )
  await mkdir(folder, { recursive: true })
  const templates = await readdir(TEMPLATES)
  for (const file of templates) await writeFile(join(folder, file), fillIn(await readFile(join(TEMPLATES, file), 'utf8'), facts))
  await writeFile(join(folder, 'privacy-notice.md'), notice)
  return { output: `${templates.length + 1} files written to ${folder}. Begin with README.md.\n`, exitCode: 0 }
}

function factsOf(settings: Settings, agents: readonly Agent[]): Record<string, string> {
  const { name, contact, publicUrl, database, retentionDays, reportDays, staffReading, moderation, console: staff, logLevel } = settings
  const model = describeModel(settings.model)
  const recipients = recipientsOf(settings)
  const policies = agents.map(({ policy }) => policy.definition)
  const quotes = policies.filter(({ strictness }) => strictness === 'quote').length
  return {
    name,
    address: publicUrl ?? '**to decide** (`PUBLIC_URL` is not set)',
    contact: contact ?? '**to decide** (`CONTACT` is not set)',
    storage: database.kind === 'sqlite' ? 'a database file on the server' : 'a PostgreSQL database that the operator runs',
    retention: formatRetention(retentionDays),
    reportDays: formatRetention(reportDays),
    logLevel,
    modelSentence: modelSentence(settings),
    agents: agents.map(describe).join('\n'),
    agentNames: agents.map((agent) => agent.name).join(', '),
    recipients: recipients.length > 0 ? `${recipients.join(', ')}; see \`recipients.md\`.` : 'nobody outside; see `recipients.md`.',
    recipientTable: recipientTable(settings),
    personalData: personalDataSentence(agents),
    staffReading: staffReading
      ? 'Staff can read what visitors send after accepting a notice that says so (`STAFF_READING=all`).'
      : 'Staff read only what a visitor hands over.',
    oidc: staff?.provider ? ' or with the organisation’s identity provider' : '',
    backupEncryption:
      settings.backupPassphrase === null ? 'Backups are not encrypted (`BACKUP_PASSPHRASE` is not set).' : 'Backups are encrypted.',
    moderation: moderation ? `by ${moderation.checkedBy ?? 'a list of words'}` : 'off',
    strictness: `${quotes} of ${agents.length} assistants leave out numbers, dates and addresses that no document states`,
    emergency: emergencySentence(policies),
    handover: handoverSentence(policies),
    record: model.provider === null ? 'Texts stay on the organisation’s server.' : 'Texts are sent to the provider named below.',
  }
}

function modelSentence(settings: Settings): string {
  const { label, provider, runsHere } = describeModel(settings.model)
  const connected = isModelSet(settings) ? '' : ' **To check:** a model that owners connected in the console is not in these texts.'
  if (provider !== null) return `The model is ${label}, run by ${provider}.${connected}`
  return runsHere
    ? `The model is ${label}, on this server.${connected}`
    : `No language model is used: a program of the software quotes the documents.${connected}`
}

function describe({ id, name, policy, model }: Agent): string {
  const { purpose, notFor } = policy.definition
  const refused = notFor.length > 0 ? `; not for ${notFor.join(', ')}` : ''
  return `- **${name}** (\`${id}\`), ${model.label}: ${purpose ?? '**to decide:** its purpose (`policy.purpose`)'}${refused}`
}

const KINDS: Record<PersonalDataKind, string> = {
  iban: 'IBANs',
  card: 'card numbers',
  national_id: 'national ids',
  email: 'e-mail addresses',
  telephone: 'telephone numbers',
  address: 'postal addresses',
}
const ACTIONS: Record<PersonalDataAction, string> = {
  allow: 'stored as typed',
  ask: 'asked about before they are sent',
  mask: 'replaced by placeholders in the browser',
  refuse: 'refused',
}

function personalDataSentence(agents: readonly Agent[]): string {
  const sentences = agents.map(({ personalData }) =>
    PERSONAL_DATA_ACTIONS.flatMap((action) => {
      const kinds = kindsWith(personalData, action).map((kind) => KINDS[kind])
      return kinds.length > 0 ? `${kinds.join(', ')} are ${ACTIONS[action]}` : []
    }).join('; '),
  )
  const [first = ''] = sentences
  if (new Set(sentences).size <= 1) return first
  return agents.map(({ id }, index) => `${id}: ${sentences[index]}`).join('; ')
}

function emergencySentence(policies: readonly Agent['policy']['definition'][]): string {
  const off = policies.filter(({ emergency }) => emergency === 'off').length
  const countries = [...new Set(policies.flatMap((policy) => policy.countries))].join(', ') || 'none, so 112 is given'
  return off === 0
    ? `a fixed reply with telephone numbers (countries: ${countries})`
    : `**to decide:** ${off} of ${policies.length} assistants give no reply with telephone numbers (\`emergency: off\`)`
}

function handoverSentence(policies: readonly Agent['policy']['definition'][]): string {
  const offered = policies.filter(({ handover }) => handover !== null)
  if (offered.length === 0) return '**To decide:** no assistant offers a way to a person (`policy.handover`).'
  const ways = offered.some(({ handover }) => handover?.messages) ? 'contacts, and messages that staff answer' : 'contacts'
  return `Visitors who ask for a person are offered ${ways} (${offered.length} of ${policies.length} assistants).`
}

function recipientTable(settings: Settings): string {
  const { model, fallback, moderation, voiceInput, tracing, redis, mcpFile, httpToolsFile } = settings
  const rows: (readonly [string | null | undefined, string])[] = [
    [describeModel(model).provider, 'prompts, attached files and the chat so far, to write answers'],
    [fallback && describeModel(fallback.model).provider, 'the same, when the first model fails or its budget is used up'],
    [moderation?.checkedBy, 'prompts and answers, to check them'],
    [lookupsOf(settings), 'searches, which may contain a visitor’s words'],
    [voiceInput ? 'the maker of the visitor’s browser' : null, 'speech, if the visitor dictates'],
    [tracing?.endpoint, 'traces of requests, without texts'],
    [redis ? 'Redis, run by the operator' : null, 'ids and counts'],
    [existsSync(mcpFile) ? `the servers of ${mcpFile}` : null, 'what the model passes on from a chat to their tools'],
    [existsSync(httpToolsFile) ? `the APIs of ${httpToolsFile}` : null, 'what the model passes on from a chat to them'],
  ]
  const known = rows.filter(([name]) => name).map(([name, what]) => `| ${name} | ${what} |`)
  return known.length > 0 ? ['| recipient | what |', '|---|---|', ...known].join('\n') : 'Nobody: no data of visitors leaves the server.'
}
