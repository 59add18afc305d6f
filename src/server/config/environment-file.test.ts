import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addEnvironmentFile } from './environment-file.ts'

describe('a file of settings', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'parley-env-')), 'parley.env')

  test('is read as systemd reads it, and the environment takes precedence', () => {
    writeFileSync(path, '# comment\n; another\n\nPORT=4000\nAPP_NAME="Town hall"\nDATABASE_URL=postgres://u:p#w=1@host/db\r\nHOST=::1\n')
    const environment = { PARLEY_ENV_FILE: path, HOST: '127.0.0.1' }
    addEnvironmentFile(environment)
    expect(environment).toMatchObject({
      HOST: '127.0.0.1',
      PORT: '4000',
      APP_NAME: 'Town hall',
      DATABASE_URL: 'postgres://u:p#w=1@host/db',
    })
  })

  test('may be missing', () => {
    const environment = { PARLEY_ENV_FILE: `${path}.not-there` }
    addEnvironmentFile(environment)
    expect(Object.keys(environment)).toEqual(['PARLEY_ENV_FILE'])
  })

  test('with another line is refused by its number, without its text', () => {
    writeFileSync(path, 'PORT=4000\nexport SECRET\n')
    expect(() => addEnvironmentFile({ PARLEY_ENV_FILE: path })).toThrow(`${path}, line 2, is not NAME=value.`)
  })
})
