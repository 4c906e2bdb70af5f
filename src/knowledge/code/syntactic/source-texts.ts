import { languageOf } from '../../model/languages.ts'
import { seenText } from '../seen-text.ts'
import { within, type Deadline } from '../servers/deadline.ts'
import { familyOf } from '../resolve/family.ts'
import { isModuleFile } from '../resolve/packages.ts'
import { late, type SyntaxParts } from './syntax-parts.ts'

/** The text of every file of a family of languages, and of what names their modules, in the order of paths, staged changes included. */
export async function sourceTexts(
  { root, staging, mayRead }: SyntaxParts,
  family: string,
  deadline: Deadline,
): Promise<ReadonlyMap<string, string>> {
  const { openTree } = await import('../../tree/open-tree.ts')
  const tree = openTree(root)
  try {
    await within(deadline, tree.caughtUp(), () => late(0))
    const paths = new Set(tree.files().keys())
    for (const [path, { state }] of staging.entries()) if (state.type === 'file') paths.add(path)
    const wanted = [...paths].filter(path => isOf(path, family) && mayRead(path))
    return new Map(
      wanted.toSorted().flatMap(path => {
        const text = seenText(root, staging, path)
        return text === undefined ? [] : [[path, text] as const]
      }),
    )
  } finally {
    tree.close()
  }
}

const isOf = (path: string, family: string): boolean =>
  familyOf(languageOf(path) ?? '') === family || (family === 'go' && isModuleFile(path))
