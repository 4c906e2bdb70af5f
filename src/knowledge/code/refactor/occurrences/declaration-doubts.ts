import { languageOf } from '../../../model/languages.ts'
import type { ClassAt } from '../../callers/classes/class-tree.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { Sources } from '../../source.ts'
import { importersAround } from '../importers-around.ts'
import { filesWith } from './find-occurrences.ts'
import type { Occurrence } from './occurrence.ts'
import type { Target } from './target.ts'

export interface DoubtOptions {
  readonly target: Target
  /** What stands before the name of the declaration. */
  readonly head: string | undefined
  /** Classes of which nobody can say all that they derive from. */
  readonly unknown: readonly ClassAt[]
  readonly found: readonly Occurrence[]
  readonly deadline: Deadline
}

/**
 * Why a name may be asked for that is written nowhere: by a base that nobody finds, by a decorator that takes the name of what
 * it decorates, or because the name itself is read at run time.
 */
export async function declarationDoubts(
  parts: CodeParts,
  sources: Sources,
  { target, head = '', unknown, found, deadline }: DoubtOptions,
): Promise<readonly Occurrence[]> {
  const doubts: Occurrence[] = unknown.map(({ path, named }) =>
    doubt(
      path,
      sources(path).offsetOf(named.selection.start),
      'what this class derives from is not found, and may use the name',
    ),
  )
  const [place] = target.places
  if (!place) return doubts
  const source = sources(target.path)
  const start = source.offsetOf(place.position)
  for (const decorator of decoratorsIn(head))
    if (await usesName(parts, sources, decorator, target, deadline))
      doubts.push(doubt(target.path, start, `the decorator ${decorator} may use the name`))
  if (target.scope === 'member' && (await hasUnknownBase(parts, sources, target, deadline)))
    doubts.push(doubt(target.path, start, 'what its class extends is not found, and may use the name'))
  const reads = namesRead(target, head, source.text)
  if (reads) doubts.push(...(await readsIn(reads)))
  doubts.push(...(await stringified()))
  const read = found.filter(
    each => each.verdict === 'changed' && readsName(sources(each.path).text.slice(each.end), each.path),
  )
  return [...doubts, ...read.map(each => doubt(each.path, each.start, 'the name itself is read there'))]

  /** In files that know the type. */
  async function readsIn(pattern: RegExp): Promise<readonly Occurrence[]> {
    const paths = [target.path, ...(await importersAround(parts, target.path, { reach: 'direct', deadline }))]
    return paths
      .filter(parts.mayRead)
      .flatMap(path =>
        Array.from(sources(path).text.matchAll(pattern), ({ index }) =>
          doubt(path, index, 'the name may be read there'),
        ),
      )
  }

  /** Where a macro of C makes a text or another name of what it is given. */
  async function stringified(): Promise<readonly Occurrence[]> {
    if (!/^(?:c|cpp)$/.test(languageOf(target.path) ?? '')) return []
    const doubted: Occurrence[] = []
    for (const { path, start: at, verdict } of found) {
      if (verdict !== 'changed') continue
      const statement = /[^;{}]*$/.exec(sources(path).text.slice(Math.max(0, at - 500), at))?.[0] ?? ''
      const [, macro] = /\b([A-Za-z_]\w*)\s*\((?:[^()]|\([^()]*\))*$/.exec(statement) ?? []
      if (macro !== undefined && (await pastes(macro)))
        doubted.push(doubt(path, at, `the macro ${macro} makes a text or a name of it`))
    }
    return doubted
  }

  async function pastes(macro: string): Promise<boolean> {
    const defining = await filesWith(parts, `define ${macro}(`, deadline)
    const body = new RegExp(`#\\s*define\\s+${macro}\\(((?:[^\\n]*\\\\\\r?\\n)*[^\\n]*)`, 'g')
    return defining.some(path => [...sources(path).text.matchAll(body)].some(([, text = '']) => /#\s*\w|##/.test(text)))
  }

  function doubt(path: string, at: number, why: string): Occurrence {
    return {
      path,
      start: at,
      end: at + target.old.length,
      kind: 'declaration',
      verdict: 'not decided',
      why,
      blocks: true,
    }
  }
}

/** What reads names that are not written: those of members from objects, and those of classes. */
function namesRead({ name, path, scope, isData }: Target, head: string, text: string): RegExp | undefined {
  const isPython = languageOf(path) === 'python'
  if (!isPython && !/^(?:typescript|javascript)$/.test(languageOf(path) ?? '')) return undefined
  if (/\bclass\s+$/.test(head)) return isPython ? PYTHON_CLASSES : SCRIPT_CLASSES
  if (scope !== 'member' || !isData) return undefined
  const owner =
    name
      .split('.')
      .at(-2)
      ?.replaceAll(/\W/g, String.raw`\$&`) ?? ''
  const enums = isPython ? `\\bclass\\s+${owner}\\s*\\([^)]*(?:Enum|Flag)` : `\\benum\\s+${owner}\\b`
  // The names of an enum are what it prints, and what it is read by.
  if (new RegExp(enums).test(text))
    return new RegExp(isPython ? `\\b${owner}\\b` : `\\b${owner}\\s*\\[|\\(${owner}\\)`, 'g')
  return isPython ? PYTHON_ENUMERATES : SCRIPT_ENUMERATES
}

const SCRIPT_CLASSES = /\bconstructor\.name\b|\bnew\.target\.name\b/g
const PYTHON_CLASSES = /\b__class__\.__(?:qual)?name__|\btype\([^()]*\)\.__(?:qual)?name__/g
const SCRIPT_ENUMERATES =
  /\bJSON\.stringify\s*\(|\bObject\.(?:keys|entries|getOwnPropertyNames)\s*\(|\bReflect\.ownKeys\s*\(|\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+in\b/g
const PYTHON_ENUMERATES =
  /\b(?:asdict|_asdict|vars|model_dump|model_dump_json)\s*\(|\.__dict__\b|\.__annotations__\b|\b__slots__\b/g

const readsName = (after: string, path: string): boolean =>
  (languageOf(path) === 'python' ? /^\.__(?:qual)?name__\b/ : /^\.name\b(?!\s*[(=])/).test(after)

/** Decorators that do not care what is decorated is called. */
const INERT =
  /^(?:property|staticmethod|classmethod|dataclass|final|override|overload|(?:abc|functools|contextlib|typing|typing_extensions|dataclasses|enum|attrs?|pytest\.mark|unittest|mock)\.[\w.]+|abstract\w+|cache|lru_cache|cached_property|wraps|total_ordering|contextmanager|asynccontextmanager|runtime_checkable|unique|patch[\w.]*|[\w.]+\.(?:setter|getter|deleter))$/

/** Those before a declaration that may do something with what it declares besides changing it. */
export const decoratorsIn = (head: string): readonly string[] =>
  Array.from(head.matchAll(/@([\w$.]+)/g), ([, name = '']) => name).filter(name => !INERT.test(name))

async function usesName(
  parts: CodeParts,
  sources: Sources,
  decorator: string,
  { path }: Target,
  deadline: Deadline,
): Promise<boolean> {
  const plain = decorator.slice(decorator.lastIndexOf('.') + 1)
  const isPython = languageOf(path) === 'python'
  const defining = await filesWith(parts, isPython ? `def ${plain}(` : `function ${plain}`, deadline)
  const texts = defining.filter(file => languageOf(file) === languageOf(path)).map(file => sources(file).text)
  return texts.length === 0 || texts.some(text => (isPython ? /__(?:qual)?name__/ : /\.name\b|[kK]ey\b/).test(text))
}

/** Whether the class of a script extends something that its server does not find. */
async function hasUnknownBase(
  parts: CodeParts,
  sources: Sources,
  { name, path }: Target,
  deadline: Deadline,
): Promise<boolean> {
  if (!/^(?:typescript|javascript)$/.test(languageOf(path) ?? '')) return false
  const source = sources(path)
  const owner = name.split('.').at(-2) ?? ''
  const heritage = new RegExp(`\\bclass\\s+${owner.replaceAll(/\W/g, String.raw`\$&`)}\\b[^{]*?\\bextends\\s+`).exec(
    source.text,
  )
  if (!heritage) return false
  const at = heritage.index + heritage[0].length
  const line = source.positionOf(at).line
  return parts.servers.ask(path, stagedTexts(parts.root, parts.staging), deadline, async server => {
    const found = await server.definition(path, source.positionOf(at))
    const isImport = (uri: string, row: number) =>
      server.pathOf(uri) === path &&
      row !== line &&
      /^\s*(?:import\b|.*\brequire\s*\()/.test(source.text.split('\n')[row] ?? '')
    return found.every(({ uri, range }) => isImport(uri, range.start.line))
  })
}
