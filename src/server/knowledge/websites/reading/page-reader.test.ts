import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readFetched } from './page-reader.ts'

async function read(content: string | Buffer, contentType: string) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'body')
  writeFileSync(path, content)
  const scope = { website: ['https://a.example/'], include: [], exclude: [] }
  return readFetched({ kind: 'page', path, address: 'https://a.example/a', contentType, scope, crawl: true, browser: null })
}

test('reads a page of the media type of XHTML, whose tags may close their own elements', async () => {
  const page = await read(
    '<html><head><title/><script src="a.js"/></head><body><p>About cats and dogs, and the people of the town.</p></body></html>',
    'application/xhtml+xml',
  )
  expect(page).toMatchObject({ kind: 'page', isEmptyShell: false, document: expect.stringContaining('About cats and dogs') })
})

test('reads a text and a table by the encoding of the header, unless it is in UTF-8', async () => {
  const greek = Buffer.from('4e616d653bd4e9ecde0a506f6f6c3b350a', 'hex')
  expect(await read(greek, 'text/csv; charset=iso-8859-7')).toMatchObject({ document: expect.stringContaining('Τιμή') })
  expect(await read(Buffer.from('e1f8e9ebe42e', 'hex'), 'text/plain; charset=windows-1255')).toMatchObject({
    document: expect.stringContaining('בריכה'),
  })
  expect(await read('Name;Größe\nPool;5\n', 'text/csv; charset=iso-8859-1')).toMatchObject({ document: expect.stringContaining('Größe') })
})
