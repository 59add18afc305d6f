import { DomUtils } from 'htmlparser2'
import { isoDateOf } from '../page-facts.ts'
import type { ExtractedDocument, Section } from '../../document.ts'
import { readFragment } from '../html.ts'
import { allOf, partPath, xmlPartOf } from './xml.ts'
import { openZip, partOf } from './zip-parts.ts'

/** The chapters of a book in their order, without its table of contents. */
export async function readEpub(bytes: Buffer, maxInflatedBytes?: number): Promise<ExtractedDocument> {
  const zip = await openZip(bytes, maxInflatedBytes)
  const locked = allOf(await xmlPartOf(zip, 'META-INF/encryption.xml'), 'enc:CipherReference', 'CipherReference')
  if (locked.some(({ attribs }) => /\.x?html?$/i.test(attribs['URI'] ?? ''))) throw new Error('It is protected by a password.')
  const root = allOf(await xmlPartOf(zip, 'META-INF/container.xml'), 'rootfile')[0]?.attribs['full-path'] ?? ''
  const book = await xmlPartOf(zip, root)
  const items = new Map(allOf(book, 'item', 'opf:item').map(({ attribs }) => [attribs['id'] ?? '', attribs]))
  const sections: Section[] = []
  for (const { attribs } of allOf(book, 'itemref', 'opf:itemref')) {
    const item = items.get(attribs['idref'] ?? '')
    if (!item?.['href'] || /\bnav\b/.test(item['properties'] ?? '')) continue
    sections.push(...readFragment(await partOf(zip, partPath(root, item['href']))).sections)
  }
  const [title] = allOf(book, 'dc:title').map((stated) => DomUtils.textContent(stated).trim())
  const dates = allOf(book, 'meta', 'dc:date').filter(
    ({ name, attribs }) => name === 'dc:date' || attribs['property'] === 'dcterms:modified',
  )
  const [asOf = null] = dates.flatMap((stated) => isoDateOf(DomUtils.textContent(stated)) ?? [])
  return {
    title: title || null,
    address: null,
    asOf,
    sections: sections.filter(({ heading, blocks }) => heading !== '' || blocks.length > 0),
  }
}
