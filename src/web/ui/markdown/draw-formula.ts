import katex, { type KatexOptions } from 'katex'
import katexStyles from 'katex/dist/katex.min.css?inline'
import { adoptStyles } from '../adopt-styles.ts'
import formulaStyles from './formula.css?inline'
import type { Drawing } from './formula-queue.ts'

adoptStyles(katexStyles)
adoptStyles(formulaStyles)

/** Nothing that a formula says may lead anywhere, load anything, or be larger than what surrounds it. */
const OPTIONS: KatexOptions = { trust: false, strict: 'ignore', maxSize: 10, maxExpand: 500, throwOnError: true }

/** Elements within each other, and in all: laying out more can take the page down. A fraction in a fraction is eight deeper. */
const DEEPEST = 200
const MOST_ELEMENTS = 5_000

interface DrawnNode {
  attributes?: Record<string, string>
  children?: DrawnNode[]
  toNode(): Node
}

// The tree behind `katex.render`: it is not in the package's types, which are those of the pinned version.
const { __renderToDomTree: treeOf } = katex as unknown as { __renderToDomTree(tex: string, options: KatexOptions): DrawnNode }

/** Draws a formula into its element, as elements, never as HTML. What KaTeX does not understand stays as it is written. */
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
    // Being wrong is the model's; anything else is ours.
    if (!(error instanceof katex.ParseError || error instanceof RangeError)) console.error(error)
  }
}

/** How many nodes a tree has; infinitely many when it is too deep. */
function countWithin({ children = [] }: DrawnNode, depth = 0): number {
  return depth > DEEPEST ? Infinity : children.reduce((sum, child) => sum + countWithin(child, depth + 1), 1)
}

/** The page's policy refuses the attribute `style`, and allows the same styles to be set by script. */
function setStylesAside(node: DrawnNode): void {
  const style = node.attributes?.['style']
  if (node.attributes && style !== undefined) {
    delete node.attributes['style']
    node.attributes['data-style'] = style
  }
  node.children?.forEach(setStylesAside)
}
