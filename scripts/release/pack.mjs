import { capture } from '../processes.mjs'
import { LaunchError } from '../steps.mjs'

/**
 * Packs the folder `name` of `parent`, with GNU tar into the same archive from the same files.
 *
 * @param {string} archive @param {string} parent @param {string} name
 * @throws {LaunchError} if `tar` fails.
 */
export async function pack(archive, parent, name) {
  const { output: version } = await capture('tar', ['--version'])
  const reproducible = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  const { code, output } = await capture('tar', [
    '-czf', archive, '-C', parent, ...(version.includes('GNU tar') ? reproducible : []), name,
  ]) // biome-ignore format: one command
  if (code !== 0) throw new LaunchError(`Packing ${archive} failed: ${output.trim()}`)
}
