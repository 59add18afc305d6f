import type { Element } from './html-tree.ts'

/** Names that libraries give to parts that a visitor opens. */
const PANEL_NAME =
  /accord|akkord|collaps|disclos|expand|faq|reveal|spoiler|toggle|(?:^|[-_ ])(?:tab|panel|pane|answer|drawer)s?(?:$|[-_ ])/i
const OPENER_NAME = /accord|akkord|collaps|disclos|expand|faq|spoiler|toggle/i
const TITLE_NAME =
  /(?:accord|akkord|collaps|disclos|expand|faq|spoiler|toggle)[\w-]*(?:btn|button|head(?:er|ing)?|label|question|summary|title|trigger)(?:\s|$)/i
const TAB_LABELS = /(?:^|\s)(?:tabbed-labels|tabs?-labels)(?:\s|$)/
const MAX_TITLE_CHARACTERS = 200
/** Attributes that say what an element opens. */
const OPENING = /^(?:aria-(?:controls|owns)|popovertarget|commandfor|data-.*)$/
const MAX_TARGET_CHARACTERS = 200
/** Classes of Bootstrap, Tailwind and others that hide an element, and those that show it on some screens. */
const HIDDEN_NAME = /(?:^|\s)(?:d-none|hidden|is-hidden|uk-hidden|display-none)(?:\s|$)/
const SHOWN_NAME = /(?:^|\s)(?:d-(?:\w+-)?(?:block|flex|grid|inline)|(?:\w+:)(?:block|flex|grid|inline|table|contents)|visible-)/
const HEADING = /^h[1-6]$/
const CONTAINERS = new Set(['div', 'section', 'dd', 'ul', 'ol', 'dl', 'table', 'article', 'template'])
/** Where React puts parts of a page that its script moves into place. */
const STREAMED = /^S:[0-9a-f]+$/

/** The parts of a page that are hidden until a visitor opens them. */
export interface Panels {
  /** Hidden elements that nothing on the page opens. */
  hidden: ReadonlySet<Element>
  /** Elements whose id something on the page refers to. */
  targets: ReadonlySet<Element>
  /** Elements that open a part after them or in it, and are its heading. */
  openers: ReadonlySet<Element>
  /** Opened parts, with the text of a tab that is elsewhere. */
  opened: ReadonlyMap<Element, Element | null>
}

export function panelsOf(root: Element): Panels {
  const byId = new Map<string, Element>()
  const openersOf = new Map<string, Element>()
  visit(root, (element) => {
    const id = element.attributes['id']
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
    for (const target of targetsOf(element)) if (!openersOf.has(target)) openersOf.set(target, element)
  })
  const hidden = new Set<Element>()
  const openers = new Set<Element>()
  const opened = new Map<Element, Element | null>()
  visit(root, (element, parent, before, after) => {
    const { attributes, name } = element
    if (isHidden(element) && !isOpened(element, parent, before, openersOf)) hidden.add(element)
    if (HEADING.test(name)) for (const button of buttonsIn(element)) if (button.characters === element.characters) openers.add(button)
    if (name === 'summary' || isTitleOf(element, before, after) || (isButton(element) && opensText(element, after, byId)))
      openers.add(element)
    if (name === 'details') opened.set(element, null)
    for (const [panel, tab] of tabsByOrder(element, after)) if (!openersOf.has(panel.attributes['id'] ?? '')) opened.set(panel, tab)
    if (opened.has(element)) return
    const label = byId.get(attributes['aria-labelledby'] ?? '') ?? openersOf.get(attributes['id'] ?? '')
    if (attributes['role'] === 'tabpanel' || (label !== undefined && isTab(label))) {
      // A tab that is no heading, and not just before its panel.
      if (label && label !== element && !HEADING.test(label.name) && !openers.has(label)) opened.set(element, label)
    } else if (before && openers.has(before)) opened.set(element, null)
  })
  const targets = new Set([...openersOf.keys()].flatMap((id) => byId.get(id) ?? []))
  return { hidden, targets, openers, opened }
}

/** The panels after a list of tabs that doesn't name them, as many as there are tabs. */
function tabsByOrder(list: Element, after: Element | undefined): [panel: Element, tab: Element][] {
  const isList = list.attributes['role'] === 'tablist' || TAB_LABELS.test(list.attributes['class'] ?? '')
  if (!isList || !after || after.characters === 0) return []
  const tabs = elementsIn(list).flatMap((one) => (isTab(one) || one.name === 'label' ? [one] : elementsIn(one).filter(isTab)))
  const panels = elementsIn(after)
  const isNamed = tabs.some((tab) => targetsOf(tab).length > 0 && tab.name !== 'label')
  return isNamed || tabs.length !== panels.length ? [] : panels.flatMap((panel, index) => (tabs[index] ? [[panel, tabs[index]]] : []))
}

const elementsIn = ({ children }: Element): Element[] => children.filter((child) => typeof child !== 'string')

type Visitor = (element: Element, parent: Element, before: Element | undefined, after: Element | undefined) => void

/** Shows each element below one, before those in it. */
export function visit(parent: Element, see: Visitor): void {
  let before: Element | undefined
  let current: Element | undefined
  for (const child of [...parent.children, undefined]) {
    if (typeof child === 'string') continue
    if (current) see(current, parent, before, child)
    if (current) visit(current, see)
    before = current
    current = child
  }
}

/** Ids of what an element opens, as libraries state it. */
function targetsOf({ attributes }: Element): string[] {
  const targets: string[] = []
  for (const [key, value] of Object.entries(attributes)) {
    if (value.length > MAX_TARGET_CHARACTERS) continue
    if (OPENING.test(key)) targets.push(...value.replaceAll('#', '').split(/\s+/))
    else if (key === 'href' && value.startsWith('#')) targets.push(value.slice(1))
    else if (key === 'onclick') for (const [, id = ''] of value.matchAll(/['"]#?([\w:-]+)['"]/g)) targets.push(id)
  }
  return targets
}

function isHidden({ name, attributes }: Element): boolean {
  if (name === 'template') return attributes['shadowrootmode'] === undefined
  if (attributes['hidden'] !== undefined && attributes['hidden'] !== 'until-found') return true
  const classes = attributes['class'] ?? ''
  if (HIDDEN_NAME.test(classes) && !SHOWN_NAME.test(classes)) return true
  return attributes['aria-hidden'] === 'true' || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes['style'] ?? '')
}

function isOpened(element: Element, parent: Element, before: Element | undefined, openersOf: ReadonlyMap<string, Element>): boolean {
  const { name, attributes } = element
  const id = attributes['id'] ?? ''
  if (openersOf.has(id) || STREAMED.test(id) || attributes['role'] === 'tabpanel' || attributes['slot'] !== undefined) return true
  if (attributes['aria-labelledby'] !== undefined) return true
  if (!CONTAINERS.has(name)) return false
  if ([element, parent].some((one) => PANEL_NAME.test(`${one.attributes['class'] ?? ''} ${one.attributes['id'] ?? ''} ${one.name}`)))
    return true
  return (
    before !== undefined &&
    (HEADING.test(before.name) || before.name === 'dt' || isButton(before) || isClickable(before) || buttonsIn(before).length > 0)
  )
}

/** Whether a script of the page acts when it is clicked. */
const isClickable = ({ attributes }: Element): boolean =>
  Object.keys(attributes).some((name) => /^(?:@|x-on:|v-on:|ng-|on)click/.test(name))

function isButton({ name, attributes }: Element): boolean {
  if (name === 'button' || attributes['role'] === 'button' || attributes['role'] === 'tab') return true
  return (
    attributes['aria-expanded'] !== undefined || /collapse|accordion/i.test(attributes['data-toggle'] ?? attributes['data-bs-toggle'] ?? '')
  )
}

function isTab({ attributes }: Element): boolean {
  return attributes['role'] === 'tab' || /^(?:tab|pill)$/.test(attributes['data-toggle'] ?? attributes['data-bs-toggle'] ?? '')
}

/** Whether a button is the heading of the text that it opens. */
function opensText(button: Element, after: Element | undefined, byId: ReadonlyMap<string, Element>): boolean {
  // Other tabs stand together, apart from their panels.
  if (button.characters === 0 || (isTab(button) && !targetsOf(button).includes(after?.attributes['id'] ?? ''))) return false
  const target = targetsOf(button).flatMap((id) => byId.get(id) ?? [])[0] ?? after
  if (
    !target ||
    target === button ||
    target.characters === 0 ||
    /^(?:menu|listbox|dialog|navigation)$/.test(target.attributes['role'] ?? '')
  )
    return false
  const isStated = button.attributes['aria-expanded'] !== undefined || button.attributes['aria-controls'] !== undefined
  return (
    isStated ||
    (target === after && isHidden(after)) ||
    OPENER_NAME.test(
      `${button.attributes['class'] ?? ''} ${button.attributes['data-toggle'] ?? ''} ${button.attributes['data-bs-toggle'] ?? ''}`,
    )
  )
}

/** Whether an element is named as the title of what follows it, or switches it by a box that can be ticked. */
function isTitleOf(element: Element, before: Element | undefined, after: Element | undefined): boolean {
  const { name, attributes, characters } = element
  if (!after || after.characters === 0 || characters === 0 || characters > MAX_TITLE_CHARACTERS || HEADING.test(name)) return false
  if (/^(?:header|heading|title|summary|label|trigger)$/.test(attributes['slot'] ?? '')) return true
  if (name === 'label') return CONTAINERS.has(after.name) && /^(?:checkbox|radio)$/.test(before?.attributes['type'] ?? '')
  if (isHidden(after) && CONTAINERS.has(after.name) && isClickable(element)) return true
  return (CONTAINERS.has(after.name) || after.name === 'p') && TITLE_NAME.test(attributes['class'] ?? '')
}

function buttonsIn(element: Element): Element[] {
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : isButton(child) ? [child] : buttonsIn(child)))
}
