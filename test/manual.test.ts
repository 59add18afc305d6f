import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBundle } from '../scripts/release/bundle.mjs'
import { canMakeMachine, ManualMachine } from './support/manual-machine.ts'

/** Pages that are carried out, in an order that an operator could have. The page on deployment has a machine of its own. */
const RUNBOOKS = ['install', 'backup', 'restore', 'upgrade', 'roll-back', 'lost-key'].map((name) => `docs/operations/${name}.md`)
const PAGES = [
  ...RUNBOOKS,
  ...globSync('docs/operations/*.md')
    .toSorted()
    .filter((page) => !RUNBOOKS.includes(page)),
]
/** Before a block of commands that this test leaves out. */
const LEFT_OUT = /<!-- not run: .+ -->\s*$/
const FENCE = /^( *)```(\w*)\n([\s\S]*?)^\1```/gm

let place: string
let archive: string
let root: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'parley-manual-'))
  archive = await writeBundle({ folder: place })
  expect(spawnSync('tar', ['-xzf', archive, '-C', place]).status).toBe(0)
  root = archive.replace(/\.tar\.gz$/, '')
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** The scripts of a page: each block of `sh`, and in other blocks each line that begins with a prompt. */
function scriptsOf(page: string): string[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(FENCE)].flatMap(({ 1: indent = '', 2: language, 3: block = '', index }) => {
    const isLeftOut = LEFT_OUT.test(text.slice(0, index))
    const lines = block.split('\n').map((line) => line.slice(indent.length))
    if (isLeftOut) return []
    return language === 'sh' ? [lines.join('\n')] : lines.filter((line) => /^[$#] /.test(line)).map((line) => line.slice(2))
  })
}

describe.skipIf(!canMakeMachine)('on a machine, as another user and in a tree that is read-only', () => {
  let machine: ManualMachine
  beforeAll(async () => {
    machine = await ManualMachine.make(archive)
  })
  afterAll(() => machine.remove())

  const expectSuccess = async (script: string) => {
    const { code, output } = await machine.run(script)
    expect(code, `${script}\n${output}`).toBe(0)
    return output
  }

  test.each(PAGES)('every command of %s works', async (page) => {
    if (page !== RUNBOOKS[0]) await expectSuccess('systemctl start parley')
    const ids = new Map<string, string>()
    for (const script of scriptsOf(page)) {
      const output = await expectSuccess(script.replace(/--resume (\w+)/, (option, id: string) => option.replace(id, ids.get(id) ?? id)))
      const [, id] = /Stopped: (\w+)/.exec(output) ?? []
      if (id !== undefined) ids.set(/Stopped: (\w+)/.exec(readFileSync(page, 'utf8'))?.[1] ?? '', id)
    }
    if (page === RUNBOOKS[0]) {
      // As the page says between its commands; and the tree is read-only from here on.
      await expectSuccess('echo METRICS_TOKEN=$METRICS_TOKEN >> /etc/parley/parley.env; systemctl restart parley')
      await expectSuccess('cd /opt/parley-0.1.0; mount --bind . .; mount -o remount,bind,ro /opt/parley-0.1.0')
    }
  })

  test('the nightly backup can be restored', async () => {
    await expectSuccess('rm -f /var/backups/parley/*; systemctl start parley parley-backup; ls /var/backups/parley/parley-*.backup')
    await expectSuccess('systemctl stop parley; rm /var/lib/parley/parley.db*; parley restore /var/backups/parley; systemctl start parley')
  })

  test('files that a command is given are named from the folder it is called in', async () => {
    await expectSuccess(
      'install -d -o parley /home/here; cd /home/here; printf -- "- prompt: How long are my chats kept?\\n  state: answered\\n" > mine.yaml; parley eval mine.yaml --json out.json; parley agent prompt assistant; ls out.json',
    )
  })

  test('what the server knows of itself is right', async () => {
    expect(await expectSuccess('parley --version')).toBe(`${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`)
    expect(await expectSuccess('parley status')).toMatch(/Server +takes prompts/)
  })

  test('what Node reads before the settings reaches it, too', async () => {
    await expectSuccess('echo NODE_EXTRA_CA_CERTS=/etc/ssl/own.pem >> /etc/parley/parley.env; systemctl restart parley')
    const environment = await expectSuccess("tr '\\0' '\\n' < /proc/$(cat /run/parley.service.pid)/environ")
    expect(environment).toContain('NODE_EXTRA_CA_CERTS=/etc/ssl/own.pem\n')
  })
})

describe.skipIf(!canMakeMachine)('on a machine of its own', () => {
  test('every command of docs/deployment.md works', async () => {
    const machine = await ManualMachine.make(archive)
    try {
      for (const script of scriptsOf('docs/deployment.md')) {
        const { code, output } = await machine.run(script)
        expect(code, `${script}\n${output}`).toBe(0)
      }
    } finally {
      await machine.remove()
    }
  })
})

const documents = globSync('docs/**/*.md').filter((page) => !page.startsWith('docs/pictures'))

test('every link of the documents leads somewhere in the archive', () => {
  const dead = documents.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^(https?|mailto):/.test(link) && !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})

/** Whether the archive has the file, and the file the heading. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (!existsSync(file)) return false
  return heading === undefined || anchorsOf(file).includes(heading)
}

function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every command that the documents, the server and the console name exists', () => {
  const { stdout: help } = spawnSync(process.execPath, [join(root, 'dist/server/main.js'), 'help'], { encoding: 'utf8' })
  const known = [...help.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name)
  const files = [...documents, ...globSync('src/{server,console,contract}/**/*.{ts,tsx,json}'), 'README.md', 'deploy/bundle/README.md']
  const unknown = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:`|>|: |run )parley ([a-z-]+)/g)]
      .filter(([, name]) => !known.includes(name ?? ''))
      .map(([text]) => `${relative('.', file)}: ${text}`),
  )
  expect(unknown).toEqual([])
})
