import type { Change } from '../../kernel/change.ts'
import { ToolError } from '../../kernel/error.ts'
import { sideOf } from './changes.ts'
import { unifiedDiff } from './diff/diff.ts'
import { hashOf } from './disk.ts'
import { indexContent } from './index-content.ts'
import { isRepositoryPath } from './path.ts'
import { isObjectPath, repositoryOrder } from './repository-path.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { createView, type View } from './view.ts'

const PACKED = '.git/packed-refs'
const INDEX = '.git/index'
const SHOWN_DIGITS = 12

/**
 * Returns what the top layer changes in the repository as one change of `.git`, whose text names the references, the
 * index and how many objects come. Empty if it changes none of them.
 */
export function repositoryChange(root: Root, staging: Staging): readonly Change[] {
  const paths = staging.own().flatMap(([path]) => (isRepositoryPath(path) ? [path] : []))
  if (paths.length === 0) return []
  const [before, after] = [staging.below ?? createStaging(), staging].map(layer => createView(root, layer))
  if (!before || !after) return []
  const names = namesIn(before, after, paths)
  const objects = staging.own().filter(([path, { state }]) => isObjectPath(path) && state.type === 'file').length
  const [old, now] = [
    describeFiles(before, names),
    [...describeFiles(after, names), ...(objects > 0 ? [`${objects} new objects`] : [])],
  ]
  if (old.join('\n') === now.join('\n')) now.push('the same references and the same index, in other files')
  const [was, is] = [old, now].map(lines => Buffer.from(lines.map(line => `${line}\n`).join(''))) as [Buffer, Buffer]
  const mode = 0o644
  return [
    {
      path: '.git',
      kind: 'change',
      before: hashOf(was),
      after: hashOf(is),
      bytes: is.length,
      diff: () => unifiedDiff({ path: '.git', before: { bytes: was, mode }, after: { bytes: is, mode } }),
    },
  ]
}

/** Names of references and state files whose value may differ. */
function namesIn(before: View, after: View, paths: readonly string[]): readonly string[] {
  const names = new Set(paths.filter(path => repositoryOrder(path) > LOGS && path !== PACKED))
  if (paths.includes(PACKED)) {
    const [old, now] = [packedRefs(before), packedRefs(after)]
    for (const name of [...old.keys(), ...now.keys()]) if (old.get(name) !== now.get(name)) names.add(name)
  }
  return [...names].toSorted()
}

const LOGS = repositoryOrder('.git/logs')

function describeFiles(view: View, names: readonly string[]): readonly string[] {
  const inOne = packedRefs(view)
  return names.flatMap(name => {
    const bytes = bytesAt(view, name)
    if (bytes === undefined && !inOne.has(name)) return []
    const value = bytes === undefined ? inOne.get(name) : name === INDEX ? indexName(bytes) : lineOf(bytes)
    return [`${name.slice('.git/'.length)} ${value}`]
  })
}

const indexName = (bytes: Buffer): string => (indexContent(bytes) ?? hashOf(bytes)).slice(0, SHOWN_DIGITS)

const MOST_LINE = 200
/** Returns a small text file as one line. */
const lineOf = (bytes: Buffer): string => bytes.toString().trim().replaceAll(/\s+/g, ' ').slice(0, MOST_LINE)

function packedRefs(view: View): ReadonlyMap<string, string> {
  const lines = bytesAt(view, PACKED)?.toString('latin1').split('\n') ?? []
  return new Map(
    lines.flatMap(line => {
      const [, id, name] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? []
      return id !== undefined && name !== undefined ? [[`.git/${name}`, id] as const] : []
    }),
  )
}

/** A name below that of a file, as of a branch `a/b` where `a` is one, is not there. */
function bytesAt(view: View, path: string): Buffer | undefined {
  try {
    return view.look(path, { link: true }, look => {
      if (look.located.rel !== path || look.type !== 'file') return undefined
      return sideOf(view, path, look.seen.type === 'disk' ? view.base(look) : look.seen)?.bytes
    })
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not_a_directory') return undefined
    throw error
  }
}
