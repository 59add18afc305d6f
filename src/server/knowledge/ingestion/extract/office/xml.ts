import { unescape } from 'node:querystring'
import { DomUtils, ElementType, parseDocument } from 'htmlparser2'
import type JsZip from 'jszip'
import { isoDateOf } from '../page-facts.ts'
import { partOf } from './zip-parts.ts'

export type XmlDocument = ReturnType<typeof parseDocument>
export type XmlNode = XmlDocument['children'][number]
export type XmlElement = NonNullable<ReturnType<typeof DomUtils.findOne>>

export const parseXml = (xml: string): XmlDocument => parseDocument(xml, { xmlMode: true })

export async function xmlPartOf(zip: JsZip, name: string): Promise<XmlDocument> {
  return parseXml(await partOf(zip, name))
}

export const elementOf = (xml: string): XmlElement => parseXml(xml).children[0] as XmlElement

export const allOf = (node: XmlNode | XmlDocument, ...names: string[]): XmlElement[] =>
  DomUtils.findAll(({ name }) => names.includes(name), 'children' in node ? node.children : [])

export const childrenOf = (node: XmlNode | XmlDocument): XmlElement[] =>
  'children' in node ? (node.children.filter((child) => ElementType.isTag(child)) as XmlElement[]) : []

export const childOf = (node: XmlNode | XmlDocument, ...path: string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>(
    (parent, name) => parent && childrenOf(parent).find((child) => child.name === name),
    node as XmlElement,
  )

/** Whether a property such as `w:b` is there and not turned off. */
export const isOn = (property: XmlElement | undefined): boolean =>
  property !== undefined && !/^(?:0|false|off|none)$/.test(property.attribs['w:val'] ?? '')

export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Targets of a part's relationships, by id, with the paths of parts inside the archive; '' stands for the archive. */
export async function relationsOf(zip: JsZip, part: string): Promise<Map<string, string>> {
  return new Map((await relationships(zip, part)).map(({ id, target }) => [id, target]))
}

/** The path of the part that another one has for something, such as its styles; the usual one where none is stated. */
export async function partFor(zip: JsZip, part: string, what: string, usual: string): Promise<string> {
  const stated = (await relationships(zip, part)).find(({ type, target }) => type.endsWith(`/${what}`) && zip.file(target))
  return stated?.target ?? usual
}

/** A part's relationships; types are addresses that end with a name such as `/worksheet`. */
export async function relationships(zip: JsZip, part: string): Promise<{ id: string; type: string; target: string }[]> {
  const folder = part.replace(/[^/]*$/, '')
  const document = await xmlPartOf(zip, `${folder}_rels/${part.slice(folder.length)}.rels`)
  return allOf(document, 'Relationship').map(({ attribs: { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } }) => ({
    id,
    type,
    target: mode === 'External' ? target : partPath(folder, target),
  }))
}

export const partPath = (folder: string, target: string): string =>
  unescape(URL.parse(target, `https://archive.invalid/${folder}`)?.pathname.slice(1) ?? target)

/** The day on which an Office or OpenDocument file says that it was last changed. */
export async function modifiedOf(zip: JsZip): Promise<string | null> {
  const [core, meta] = [await xmlPartOf(zip, 'docProps/core.xml'), await xmlPartOf(zip, 'meta.xml')]
  const stated = [...allOf(core, 'dcterms:modified'), ...allOf(meta, 'dc:date')][0]
  return stated ? isoDateOf(DomUtils.textContent(stated)) : null
}
