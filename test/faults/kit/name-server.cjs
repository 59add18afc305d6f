// Loaded before a server: resolves `model.test` as the file MODEL_NAME_STATE says, as a name server that works, fails or is silent would.
const { readFileSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const dns = require('node:dns')

const { lookup } = dns
dns.lookup = (hostname, options, callback) => {
  if (hostname !== 'model.test') return lookup(hostname, options, callback)
  const state = readFileSync(process.env['MODEL_NAME_STATE'], 'utf8')
  // Node's error for a SERVFAIL, and for no reply after the system's own time limit.
  if (state === 'fails') process.nextTick(callback, Object.assign(new Error('getaddrinfo EAI_AGAIN model.test'), { code: 'EAI_AGAIN' }))
  if (state === 'works') lookup('127.0.0.1', options, callback)
}
syncBuiltinESMExports()
