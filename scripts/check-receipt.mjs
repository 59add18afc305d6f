// Verifies a deletion receipt with the installation's public key.
//   node scripts/check-receipt.mjs receipt.json https://chat.example.org
// The first argument is the DELETE response or its `jws`; the second is the installation or a saved copy of its keys.
import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const KEYS_PATH = '/.well-known/parley-receipts.json'

try {
  const [receiptFile, keysPlace] = process.argv.slice(2)
  if (!receiptFile || !keysPlace) {
    throw new Error('Usage: node scripts/check-receipt.mjs <receipt file> <address of the installation, or file with its keys>')
  }
  const receipt = check(await readReceipt(receiptFile), await readKeys(keysPlace))
  process.stdout.write(`${JSON.stringify(receipt, null, 2)}\nThe signature is valid.\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** @param {string} file @returns {Promise<string>} */
async function readReceipt(file) {
  const text = (await readFile(file, 'utf8')).trim()
  return text.startsWith('{') ? String(JSON.parse(text).jws) : text
}

/** @param {string} place @returns {Promise<(import('node:crypto').JsonWebKey & { kid: string })[]>} */
async function readKeys(place) {
  const isAddress = /^https?:/.test(place)
  const { keys } = isAddress ? await (await fetch(new URL(KEYS_PATH, place))).json() : JSON.parse(await readFile(place, 'utf8'))
  return keys
}

/** @param {string} jws @param {(import('node:crypto').JsonWebKey & { kid: string })[]} keys @returns {unknown} */
function check(jws, keys) {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const { alg, kid } = decode(header)
  const key = keys.find((candidate) => candidate.kid === kid)
  if (alg !== 'EdDSA' || !key) throw new Error('The receipt names a key that this installation does not publish.')
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64url'))) {
    throw new Error('The signature does not fit: the receipt was changed, or was not made by this installation.')
  }
  return decode(payload)
}

/** @param {string} part */
function decode(part) {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
