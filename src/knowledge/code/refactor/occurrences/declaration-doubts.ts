import { isScriptFile, languageAt, languageOf } from '../../../../languages/registry.ts'
import type { ClassAt } from '../../callers/classes/class-tree.ts'
import { hasMacros, type RefactorParts } from '../refactor-parts.ts'
import { filesWith } from './find-occurrences.ts'
import { nameReads, ownerIn } from './name-reads.ts'
import { undecidedAt, type Occurrence, type Target } from './occurrence.ts'

/** Classes of a member's family. */
interface Bases {
  /** With unresolved bases. */
  readonly unknown: readonly ClassAt[]
  /** With bases outside of the workspace that may call members by names that they compute. */
  readonly computing: readonly ClassAt[]
}

/**
 * Why a name may be used without being written: by an unresolved base, by a decorator that reads the name, or because
 * the name itself is read at run time, by a framework too that calls what has a prefix.
 */
export async function declarationDoubts(
  parts: RefactorParts,
  target: Target,
  { unknown, computing }: Bases,
  { found, to }: { readonly found: readonly Occurrence[]; readonly to: string },
): Promise<readonly Occurrence[]> {
  const { sources } = parts
  const { path, scope } = target
  const start = sources(path).offsetOf(target.position)
  const doubts = [
    ...unknown.map(each => ofClass(each, 'what this class derives from is not found, and may use the name')),
    ...computing.map(each =>
      ofClass(each, 'what this class derives from, outside of the workspace, may call the name'),
    ),
    ...(isCollected(target) && isTestName(target.old) !== isTestName(to)
      ? [doubt(path, start, 'pytest runs what begins with test')]
      : []),
  ]
  for (const decorator of decoratorsIn(target.head))
    if (await usesName(parts, decorator, path))
      doubts.push(doubt(path, start, `the decorator ${decorator} may use the name`))
  if (scope === 'member' && (await hasUnknownBase(parts, target)))
    doubts.push(doubt(path, start, 'what its class extends is not found, and may use the name'))
  doubts.push(...(await nameReads(parts, target)))
  for (const { path: file, start: at, end } of found.filter(({ verdict }) => verdict === 'changed')) {
    const macro = hasMacros(path) ? await pastingMacro(file, at) : undefined
    if (macro !== undefined) doubts.push(doubt(file, at, `the macro ${macro} makes a text or a name of it`))
    if (readsName(sources(file).text.slice(end), file)) doubts.push(doubt(file, at, 'the name itself is read there'))
  }
  return doubts

  function ofClass({ path: file, named: { selection } }: ClassAt, why: string): Occurrence {
    return doubt(file, sources(file).offsetOf(selection.start), why)
  }

  function doubt(file: string, at: number, why: string): Occurrence {
    return undecidedAt({ path: file, start: at, end: at + target.old.length, kind: 'declaration' }, why)
  }

  /** The C macro at a place that makes a string or another name of its argument. */
  async function pastingMacro(file: string, at: number): Promise<string | undefined> {
    const statement = /[^;{}]*$/.exec(sources(file).text.slice(Math.max(0, at - 500), at))?.[0] ?? ''
    const [, macro] = /\b([A-Za-z_]\w*)\s*\((?:[^()]|\([^()]*\))*$/.exec(statement) ?? []
    if (macro === undefined) return undefined
    const body = new RegExp(`#\\s*define\\s+${macro}\\(((?:[^\\n]*\\\\\\r?\\n)*[^\\n]*)`, 'g')
    const bodies = (await filesWith(parts, `define ${macro}(`)).flatMap(each => [...sources(each).text.matchAll(body)])
    return bodies.some(([, text = '']) => /#\s*\w|##/.test(text)) ? macro : undefined
  }
}

/** Reports whether a runner of tests looks at the names in a file. */
const isCollected = ({ path, scope }: Target): boolean =>
  scope !== 'local' && languageAt(path).reflection?.collectedTests?.test(path) === true
const isTestName = (name: string): boolean => /^test/i.test(name)

const readsName = (after: string, path: string): boolean => languageAt(path).reflection?.ownName.test(after) ?? false

/** Decorators that ignore the name of the decorated symbol. */
const INERT =
  /^(?:property|staticmethod|classmethod|dataclass|final|override|overload|(?:abc|functools|contextlib|typing|typing_extensions|dataclasses|enum|attrs?|pytest\.mark|unittest|mock)\.[\w.]+|abstract\w+|cache|lru_cache|cached_property|wraps|total_ordering|contextmanager|asynccontextmanager|runtime_checkable|unique|patch[\w.]*|[\w.]+\.(?:setter|getter|deleter))$/

/** Decorators of a declaration that may do more than change it. */
export const decoratorsIn = (head: string): readonly string[] =>
  Array.from(head.matchAll(/@([\w$.]+)/g), ([, name = '']) => name).filter(name => !INERT.test(name))

async function usesName(parts: RefactorParts, decorator: string, path: string): Promise<boolean> {
  const plain = decorator.slice(decorator.lastIndexOf('.') + 1)
  const { reflection } = languageAt(path)
  if (!reflection) return true
  const defining = await filesWith(parts, reflection.decorator.declares(plain))
  const texts = defining.filter(file => languageOf(file) === languageOf(path)).map(file => parts.sources(file).text)
  return texts.length === 0 || texts.some(text => reflection.decorator.reads.test(text))
}

/** Reports whether a script's class extends something that its server cannot resolve. */
async function hasUnknownBase({ sources, ask }: RefactorParts, { name, path }: Target): Promise<boolean> {
  if (!isScriptFile(path)) return false
  const source = sources(path)
  const heritage = new RegExp(`\\bclass\\s+${ownerIn(name)}\\b[^{]*?\\bextends\\s+`).exec(source.text)
  if (!heritage) return false
  const base = source.positionOf(heritage.index + heritage[0].length)
  return ask(path, async ({ server }) => {
    const isImport = (uri: string, row: number) =>
      server.pathOf(uri) === path &&
      row !== base.line &&
      /^\s*(?:import\b|.*\brequire\s*\()/.test(source.text.split('\n')[row] ?? '')
    return (await server.definition(path, base)).every(({ uri, range }) => isImport(uri, range.start.line))
  })
}
