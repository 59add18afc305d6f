import { parseArgs } from 'node:util'
import { type Settings, SettingsError } from '../../config/config.ts'
import { missingOcr } from '../../knowledge/ingestion/extract/pdf/ocr-programs.ts'
import { existingInstallationKey } from '../../visitors/installation-key.ts'
import { readingRequests } from '../../app/staff-reading.ts'
import { type CommandResult, assertOwner } from '../operator-command.ts'
import { checkAddress } from './check-address.ts'
import { checkDatabase, checkDisk } from './check-machine.ts'
import { checkModels } from './check-model.ts'
import { type Finding, findingsOf, printed } from './finding.ts'

const USAGE = `Checks this installation from outside in, and says what to change. Changes nothing.

  parley doctor                            the address in PUBLIC_URL, or of this machine
  parley doctor https://chat.example.org   another address
                --no-model               does not ask the model, which costs a few tokens
                --json                   findings as JSON
`

/** Runs `doctor …` beside a running server. The exit code is 1 if there is a problem. */
export async function runDoctor(args: readonly string[], readSettings: () => Settings): Promise<CommandResult> {
  let command: { address: string | undefined; asksModel: boolean; isJson: boolean }
  try {
    command = commandOf(args)
  } catch (error) {
    return { output: `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, exitCode: 2 }
  }
  const findings = await findingsFor(command, readSettings)
  const exitCode = findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0
  return { output: command.isJson ? `${JSON.stringify(findings, null, 2)}\n` : printed(findings), exitCode }
}

function commandOf(args: readonly string[]) {
  const options = { 'no-model': { type: 'boolean' }, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [address, ...more] = positionals
  if (more.length > 0 || (address !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(address)))
    throw new Error('Give one address, such as https://chat.example.org.')
  return { address, asksModel: values['no-model'] !== true, isJson: values.json === true }
}

async function findingsFor(
  { address, asksModel }: { address: string | undefined; asksModel: boolean },
  readSettings: () => Settings,
): Promise<Finding[]> {
  const area = findingsOf('settings')
  let settings: Settings
  try {
    settings = readSettings()
    await assertOwner(settings.dataDirectory)
  } catch (error) {
    if (error instanceof SettingsError)
      return [area.problem(error.message, 'Correct it, and run the doctor again; docs/settings.md describes each setting.')]
    throw error
  }
  const key = await existingInstallationKey(settings.installationKey, settings.dataDirectory)
  const reading = readingRequests(settings).map((text) =>
    area.warning(text, 'Set STAFF_READING=reports unless that is intended; it hides all chats from staff at once.'),
  )
  const scans = missingOcr(settings).map(({ text, change }) => area.problem(text, change))
  const misnamed = settings.misnamed.map((text) => area.problem(text, 'Correct the name, or remove it.'))
  const valid = misnamed.length > 0 ? misnamed : [area.ok('All settings are valid.')]
  const findings = [...valid, ...reading, ...scans, ...(await checkAddress(settings, address, key))]
  findings.push(...(await checkDatabase(settings)), ...(await checkDisk(settings)))
  return asksModel ? [...findings, ...(await checkModels(settings))] : findings
}
