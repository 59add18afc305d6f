import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackages } from './debian.mjs'

const FOLDER = '/usr/lib'
const LIBRARY = 'faketime/libfaketimeMT.so.1'

/** Path of libfaketime where Debian's package puts it; undefined if it is not installed. */
export function findFakeTime() {
  if (!existsSync(FOLDER)) return undefined
  const places = ['', ...readdirSync(FOLDER)].map((folder) => join(FOLDER, folder, LIBRARY))
  return places.find((place) => existsSync(place))
}

/** Installs libfaketime for the tests whose clock jumps, unless it is installed. @param {{ verbose: boolean }} options */
export async function ensureFakeTime(options) {
  if (process.platform !== 'linux' || findFakeTime()) return
  await installDebianPackages('Installing libfaketime for the tests', ['libfaketime'], options)
}
