import katex, { type KatexOptions } from 'katex'
import 'katex/dist/katex.min.css'
import './formula.css'

export interface Drawing {
  element: HTMLElement
  tex: string
  isDisplay: boolean
}

/** Formulas may not link, load resources or exceed their surroundings. */
const OPTIONS: KatexOptions = { trust: false, strict: 'ignore', maxSize: 10, maxExpand: 500, throwOnError: true }

/** Limits of nesting depth and elements, because laying out more can crash the page. A nested fraction adds eight levels. */
const DEEPEST = 200
const MOST_ELEMENTS = 5_000

interface DrawnNode {
  attributes?: Record<string, string>
  children?: DrawnNode[]
  toNode(): Node
}

// Internal API behind `katex.render`, missing from the types; the version is pinned.
const { __renderToDomTree: treeOf } = katex as unknown as { __renderToDomTree(tex: string, options: KatexOptions): DrawnNode }

/** Renders a formula into its element with DOM nodes, never HTML. Invalid TeX stays as written. */
export function drawFormula({ element, tex, isDisplay }: Drawing): void {
  try {
    const tree = treeOf(tex, { ...OPTIONS, displayMode: isDisplay })
    if (countWithin(tree) > MOST_ELEMENTS) return
    setStylesAside(tree)
    element.replaceChildren(tree.toNode())
    for (const styled of element.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
      styled.style.cssText = styled.dataset['style'] ?? ''
      delete styled.dataset['style']
    }
  } catch (error) {
    // Invalid TeX is the model's fault; anything else is a bug.
    if (!(error instanceof katex.ParseError || error instanceof RangeError)) console.error(error)
  }
}

function countWithin({ children = [] }: DrawnNode, depth = 0): number {
  return depth > DEEPEST ? Infinity : children.reduce((sum, child) => sum + countWithin(child, depth + 1), 1)
}

/** The content security policy blocks `style` attributes but allows setting styles by script. */
function setStylesAside(node: DrawnNode): void {
  const style = node.attributes?.['style']
  if (node.attributes && style !== undefined) {
    delete node.attributes['style']
    node.attributes['data-style'] = style
  }
  node.children?.forEach(setStylesAside)
}
