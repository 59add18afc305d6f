import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'
import type { BackupHeader } from '../../../contract/backup-header.ts'

type SealedKey = NonNullable<BackupHeader['key']>

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** 128 MB and some half a second for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Seals the installation key by a passphrase: scrypt and AES-256-GCM. */
export async function sealKey(key: string, passphrase: string): Promise<SealedKey> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, await derive(passphrase, salt), nonce)
  const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { salt: salt.toString('base64url'), nonce: nonce.toString('base64url'), sealed: sealed.toString('base64url') }
}

/** The installation key; `undefined` if the passphrase is wrong. */
export async function openKey({ salt, nonce, sealed }: SealedKey, passphrase: string): Promise<string | undefined> {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, await derive(passphrase, Buffer.from(salt, 'base64url')), Buffer.from(nonce, 'base64url'))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

/** Tells whether another key is the same, and nothing about it: installation keys can't be guessed. */
export function proofOfKey(key: string): string {
  return createHmac('sha256', key).update('parley backup').digest('base64url')
}

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(passphrase.normalize('NFC'), salt, 32, SCRYPT, (error, derived) => (error ? reject(error) : resolve(derived)))
  return promise
}
