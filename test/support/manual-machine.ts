import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders that the manual writes to. Each is the machine's own; `/etc` begins as a copy. */
const OWN_FOLDERS = ['/opt', '/var/lib', '/var/backups', '/var/cache', '/run', '/usr/local/bin', '/home']

/** Whether a machine can be made here: it takes Linux and root. */
export const canMakeMachine = spawnSync('unshare', ['--mount', '--net', 'true']).status === 0 && process.getuid?.() === 0

/** A machine with its own files and network, on which the manual is carried out as it stands. */
export class ManualMachine {
  readonly #place: string
  readonly #child

  private constructor(place: string) {
    this.#place = place
    const namespaces = ['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child']
    // It ends with this process.
    this.#child = spawn('setpriv', ['--pdeathsig', 'KILL', ...namespaces, 'sh', '-euc', SETUP, 'setup', place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /** Makes a machine with `archive` in the folder that commands are given in. */
  static async make(archive: string): Promise<ManualMachine> {
    const place = mkdtempSync(join(tmpdir(), 'parley-machine-'))
    for (const folder of [...OWN_FOLDERS, '/etc', '/work']) mkdirSync(join(place, folder), { recursive: true })
    const programs = join(place, 'usr/local/bin')
    // Not linked: the service's user can't enter everybody's folders.
    cpSync(process.execPath, join(programs, 'node'))
    cpSync(join(import.meta.dirname, 'systemctl.sh'), join(programs, 'systemctl'))
    writeFileSync(join(place, '.curlrc'), 'fail\n')
    writeFileSync(join(programs, 'journalctl'), '#!/bin/sh\ncat /run/journal\n', { mode: 0o755 })
    cpSync('/etc', join(place, 'etc'), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    cpSync(archive, join(place, 'work/parley-0.1.0.tar.gz'))
    const machine = new ManualMachine(place)
    await once(machine.#child.stdout, 'data')
    return machine
  }

  /** Runs a shell script as root. Resolves with its exit code and both streams. */
  run(script: string): Promise<{ code: number | null; output: string }> {
    const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>()
    const [namespace = ''] = spawnSync('pgrep', ['-P', String(this.#child.pid)], { encoding: 'utf8' }).stdout.split('\n')
    const env = {
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      METRICS_TOKEN: 'metrics-of-the-manual-0123456789',
      CURL_HOME: this.#place,
    }
    const args = ['--target', namespace, '--mount', '--net', '--pid', `--wd=${join(this.#place, 'work')}`, 'sh', '-euc', script]
    const child = spawn('nsenter', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    // Not "close": a server that the script starts keeps the streams.
    child.once('exit', (code) => resolve({ code, output }))
    return promise
  }

  async remove(): Promise<void> {
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
    rmSync(this.#place, { recursive: true, force: true })
  }
}

/** Puts the folders into place in the new namespace, and stays until it is killed. Its loop reaps what has ended. */
const SETUP = `
mount --make-rprivate /
for folder in ${OWN_FOLDERS.join(' ')} /etc; do mount --bind "$1$folder" "$folder"; done
mount -t proc proc /proc
ip link set lo up
echo ready
while sleep 0.2; do :; done
`
