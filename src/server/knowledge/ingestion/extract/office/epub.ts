import { DomUtils } from 'htmlparser2'
import { isoDateOf } from '../page-facts.ts'
import type { ExtractedDocument, Section } from '../../document.ts'
import { readFragment } from '../html.ts'
import { XML_PROLOG } from '../html-tree.ts'
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
  const unread: string[] = []
  for (const { attribs } of allOf(book, 'itemref', 'opf:itemref')) {
    const item = items.get(attribs['idref'] ?? '')
    if (!item?.['href'] || /\bnav\b/.test(item['properties'] ?? '')) continue
    const chapter = await partOf(zip, partPath(root, item['href']))
    const read = readFragment(XML_PROLOG + chapter).sections.filter(({ heading, blocks }) => heading !== '' || blocks.length > 0)
    // A cover is a picture alone.
    const body = chapter.slice(Math.max(0, chapter.search(/<body\b/i))).replace(/<[^<>]*>/g, '')
    if (read.length === 0 && (chapter === '' || /\p{L}/u.test(body))) unread.push(item['href'].replace(/^.*\//, ''))
    sections.push(...read)
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
    sections,
    ...(unread.length > 0 && sections.length > 0 && { warning: `No text was found in ${unread.slice(0, 10).join(', ')}.` }),
  }
}
