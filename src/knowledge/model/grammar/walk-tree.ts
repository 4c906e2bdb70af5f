import type { Tree, TreeCursor } from 'web-tree-sitter'

/**
 * Enters every node of a tree once, outer before inner. `enter` gets what it made of the node around, and makes what those
 * in the node get; where it makes nothing they are left out.
 */
export function walkTree<T>(tree: Tree, root: T, enter: (cursor: TreeCursor, around: T) => T | undefined): void {
  const cursor = tree.walk()
  const around = [root]
  try {
    for (;;) {
      const inside = enter(cursor, around.at(-1) ?? root)
      if (inside !== undefined && cursor.gotoFirstChild()) {
        around.push(inside)
        continue
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return
        around.pop()
      }
    }
  } finally {
    cursor.delete()
  }
}
