import { findProgram, installDebianPackages } from './debian.mjs'

/** Programs in front of processes or the database that tests run, with Debian's packages. */
export const PROXIES = /** @type {const} */ ({ nginx: 'nginx-light', haproxy: 'haproxy', caddy: 'caddy', pgbouncer: 'pgbouncer' })

/** @typedef {keyof typeof PROXIES} Proxy */

/** Path of a program; undefined if it is not installed. @param {Proxy} name */
export function findProxy(name) {
  return findProgram(name) ?? findProgram(name, '/usr/sbin')
}

/** Installs a program for the tests, unless it is installed. @param {Proxy} name @returns {(options: { verbose: boolean }) => Promise<void>} */
export function proxyInstaller(name) {
  return async (options) => {
    if (process.platform !== 'linux' || findProxy(name)) return
    await installDebianPackages(`Installing ${name} for the tests`, [PROXIES[name]], options)
  }
}
