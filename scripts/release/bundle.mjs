import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { EMBEDDING_MODEL_FILE, hasEmbeddingModel } from '../embedding-model.mjs'
import { ROOT } from '../processes.mjs'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../server-command.mjs'
import { LaunchError } from '../steps.mjs'
import { noticesOf } from './notices.mjs'
import { pack } from './pack.mjs'
import { sbomOf } from './sbom.mjs'
import { shippedPackages } from './shipped-packages.mjs'

/** Where a release's files are written. */
export const RELEASE_FOLDER = join(ROOT, 'dist/release')

/** Files that an installation needs besides the build, by path in the repository. */
export const RELEASE_FILES = [
  'agents',
  'knowledge',
  'deploy',
  'docs',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'eval/README.md',
  'eval/cases.yaml',
  'scripts/check-receipt.mjs',
]
const LEFT_OUT = ['docs/pictures', 'deploy/.env']

/** Files of the archive and the image about the software in them. */
export const NOTICES = 'THIRD_PARTY_NOTICES.txt'
export const SBOM = 'sbom.cdx.json'

/** Files that the server's code finds by `require.resolve` while it runs, since their packages read what lies beside them. */
const RESOLVED = /require\.resolve\("((?:@[\w.-]+\/)?[\w.-]+)\//g

/**
 * Writes `parley-<version>.tar.gz`, and the client's package beside it. With the local model's library, which is compiled, the name ends
 * with the platform.
 *
 * @param {{ folder?: string, localModel?: boolean }} [options]
 * @returns {Promise<string>} The archive's path.
 * @throws {LaunchError} if the build is missing or `tar` fails.
 */
export async function writeBundle({ folder = RELEASE_FOLDER, localModel = false } = {}) {
  const { version } = readPackage(ROOT)
  const name = `parley-${version}${localModel ? `-${process.platform}-${process.arch}` : ''}`
  mkdirSync(folder, { recursive: true })
  const staging = mkdtempSync(join(folder, 'bundle-'))
  try {
    stageRelease(join(staging, name), { localModel })
    const archive = join(folder, `${name}.tar.gz`)
    await pack(archive, staging, name)
    cpSync(join(ROOT, 'dist/web/client.tgz'), join(folder, `parley-client-${version}.tgz`))
    return archive
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * Writes what the archive and the image contain into an empty folder.
 *
 * @param {string} place
 * @param {{ localModel?: boolean }} [options]
 * @throws {LaunchError} if the build is missing.
 */
export function stageRelease(place, { localModel = false } = {}) {
  for (const built of ['dist/server/main.js', 'dist/web/index.html', 'dist/console/index.html']) {
    if (!existsSync(join(ROOT, built))) throw new LaunchError(`${built} is missing: run npm run build first.`)
  }
  for (const built of ['dist/server', 'dist/web', 'dist/console', ...resolvedPackages()]) copy(built, place)
  for (const path of RELEASE_FILES) copy(path, place)
  if (localModel) copy('.runtime/local-model', place)
  if (hasEmbeddingModel()) copy(relative(ROOT, EMBEDDING_MODEL_FILE), place)
  cpSync(join(ROOT, 'deploy/bundle/README.md'), join(place, 'README.md'))
  rmSync(join(place, 'deploy/bundle'), { recursive: true })
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  writeLicenses(place)
  writeFileSync(join(place, 'parley'), commandScript(), { mode: 0o755 })
}

/** Writes the licenses and the bill of materials of the build into a folder. @param {string} folder */
export function writeLicenses(folder) {
  const packages = shippedPackages()
  writeFileSync(join(folder, NOTICES), noticesOf(packages, hasEmbeddingModel()))
  writeFileSync(join(folder, SBOM), `${JSON.stringify(sbomOf(packages), null, 2)}\n`)
}

/** @param {string} path Relative to the repository. @param {string} place */
function copy(path, place) {
  mkdirSync(dirname(join(place, path)), { recursive: true })
  cpSync(join(ROOT, path), join(place, path), {
    recursive: true,
    filter: (source) => !LEFT_OUT.includes(relative(ROOT, source).replaceAll('\\', '/')),
  })
}

/** Folders of the packages that the built server resolves while it runs. All others are in the build itself. */
export function resolvedPackages() {
  const server = join(ROOT, 'dist/server')
  const code = readdirSync(server).filter((file) => file.endsWith('.js'))
  const names = code.flatMap((file) => [...readFileSync(join(server, file), 'utf8').matchAll(RESOLVED)].map(([, name]) => name))
  return [...new Set(names)].map((name) => `node_modules/${name}`)
}

/** The archive's package.json: there is nothing to install and nothing to build. */
function manifest() {
  const { name, version, description, license, type, engines } = readPackage(ROOT)
  const start = ['node', ...serverArguments('dist'), 'start'].join(' ')
  return { name, version, description, license, private: true, type, engines, scripts: { start } }
}

/** The command `parley`: finds Node, the settings and the user, and runs one of the server's commands. POSIX shell. */
function commandScript() {
  const { NODE_COMPILE_CACHE: cache, ...environment } = SERVER_ENVIRONMENT
  const defaults = Object.entries(environment).map(([name, value]) => `${name}="\${${name}:-${value}}"`)
  return `#!/bin/sh
# Runs a command of Parley; parley help lists them. NODE names the Node to use, if it is not the one on the PATH.
# Settings that the environment lacks are read from /etc/parley/parley.env, or from the file that PARLEY_ENV_FILE names.
place=$(dirname "$(readlink -f "$0")")
node=\${NODE:-node}
version=$("$node" --version 2>/dev/null) || { echo "Parley needs Node 24: install it, or set NODE to its path." >&2; exit 1; }
case $version in
  v2[4-9].*|v[3-9][0-9].*) ;;
  *) echo "Parley needs Node 24, and this is $version: install it, or set NODE to its path." >&2; exit 1 ;;
esac
case \${1-} in
  '') set -- help ;;
  install-service) shift; exec sh "$place/deploy/systemd/install-service.sh" "$@" ;;
  check-receipt) shift; exec "$node" "$place/scripts/check-receipt.mjs" "$@" ;;
esac
# The service's user owns the data.
user=
if [ "$(id -u)" = 0 ] && id parley >/dev/null 2>&1; then user='setpriv --reuid=parley --regid=parley --init-groups'; fi
export INIT_CWD="$PWD" PARLEY_ENV_FILE="\${PARLEY_ENV_FILE-/etc/parley/parley.env}"
cd "$place" || exit 1
# Node reads this one itself, before the file.
authorities=$(sed -n 's/^NODE_EXTRA_CA_CERTS=//p' "$PARLEY_ENV_FILE" 2>/dev/null | tr -d "\\"'")
[ -z "$authorities" ] || export NODE_EXTRA_CA_CERTS="\${NODE_EXTRA_CA_CERTS:-$authorities}"
export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-$PWD/${relative(ROOT, cache)}}" ${defaults.join(' ')}
program=main
[ "$1" != eval ] || { program=eval; shift; }
exec $user "$node" ${serverArguments('$PWD/dist')
    .map((argument) => `"${argument.replace('/main.js', '/$program.js')}"`)
    .join(' ')} "$@"
`
}

/** Node's arguments for the server, with its path below another folder. @param {string} dist */
function serverArguments(dist) {
  return SERVER_ARGUMENTS.map((argument) => argument.replace(join(ROOT, 'dist'), dist).replaceAll('\\', '/'))
}

/** @param {string} folder @returns {Record<string, string>} */
function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
