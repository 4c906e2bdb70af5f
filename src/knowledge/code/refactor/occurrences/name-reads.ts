import { isComponentFile, isScriptFile, languageAt } from '../../../../languages/registry.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import type { Span } from '../../../../languages/file-model/syntax-file.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'
import { plainName } from '../find-symbol.ts'
import { importersAround } from '../importers-around.ts'
import { askOr, type RefactorParts, type ServedParts } from '../refactor-parts.ts'
import { otherAt, undecidedAt, type Occurrence, type Target } from './occurrence.ts'

/** Places in files that know a type and read unwritten names: names of its members from objects, or its own. */
export async function nameReads(parts: RefactorParts, target: Target): Promise<readonly Occurrence[]> {
  const { path, old } = target
  const reads = patternFor(target, parts.sources(path).text)
  if (!reads) return []
  const files = [path, ...(await importersAround(parts, path, 'all'))].filter(parts.mayRead)
  const places = files.flatMap(file => {
    const { text } = parts.sources(file)
    return Array.from(text.matchAll(reads), ({ index, 0: whole }) => ({ file, index, whole, text }))
  })
  const isOfMembers = reads === languageAt(path).reflection?.memberNames
  const heir = new RegExp(
    `(?:\\b(?:extends|implements)\\b[^{]*|\\bclass\\s+\\w+\\s*\\([^)]*)\\b${ownerIn(target.name)}\\b`,
  )
  // A derived type may also be of another type.
  const isApart = isOfMembers && !files.some(file => heir.test(parts.sources(file).text))
  const judge = (served: ServedParts) => Promise.all(places.map(each => otherType(served, target, each)))
  const types = isApart && places.length > 0 ? await askOr(parts, path, judge, () => []) : []
  return places.map(({ file, index }, number) => {
    const at = { path: file, start: index, end: index + old.length, kind: 'declaration' } as const
    const type = types[number]
    return type === undefined ? undecidedAt(at, 'the name may be read there') : otherAt(at, `it reads a ${type}`)
  })
}

function patternFor({ name, path, scope, isData, head }: Target, text: string): RegExp | undefined {
  const { reflection } = languageAt(path)
  if (!reflection || isComponentFile(path)) return undefined
  if (/\bclass\s+$/.test(head)) return reflection.classNames
  if (scope !== 'member' || !isData) return undefined
  const { declares, reads } = reflection.enumeration(ownerIn(name))
  // An enum prints its names, and is read by them.
  return declares.test(text) ? reads : reflection.memberNames
}

/** The owner of a member, escaped for a pattern. */
export const ownerIn = (name: string): string => (name.split('.').at(-2) ?? '').replaceAll(/\W/g, String.raw`\$&`)

interface Read {
  readonly file: string
  readonly index: number
  readonly whole: string
  readonly text: string
}

/**
 * The type of the read object if it certainly lacks the member: declared on its own, and neither type derives from
 * another.
 */
async function otherType(
  { server, sources, mayRead }: ServedParts,
  { name, path }: Target,
  { file, index, whole, text }: Read,
): Promise<string | undefined> {
  const receiver = receiverAt(text, index, whole)
  if (receiver === undefined) return undefined
  const typePlaces = await server.typeDefinition(file, sources(file).positionOf(receiver))
  const [only] = typePlaces
  const home = only && server.pathOf(only.uri)
  if (typePlaces.length > 1 || home === undefined || !mayRead(home)) return undefined
  const at = sources(home).offsetOf(only?.range.start ?? { line: 0, character: 0 })
  const type = await findDeclaration(home, each => each.nameAt <= at && at < each.nameAt + plainName(each.name).length)
  const owner = await findDeclaration(path, each => each.name === name.slice(0, name.lastIndexOf('.')))
  if (!type || !owner || type.name === owner.name || !isByItself(type.text) || !isByItself(owner.text)) return undefined
  const isMixed = new RegExp(`\\b${ownerIn(name)}\\b`).test(type.text)
  // A deep read may reach the other type.
  const isDeep = /stringify|asdict|dump/.test(whole)
  const holdsMore = [...type.text.matchAll(/\b[A-Z]\w*|\b(?:any|unknown|object)\b/g)].length > 1
  const mayPass = isScriptFile(path) && mayStandFor(owner.text, type.text)
  return isMixed || (isDeep && holdsMore) || mayPass ? undefined : type.name

  async function findDeclaration(declaring: string, isIt: (span: Span) => boolean) {
    const source = sources(declaring).text
    const span = (await parseSyntax(declaring, source))?.spans.find(isIt)
    return span && { name: span.name, text: source.slice(span.headAt, span.end) }
  }
}

/** Position of the last name of the read object; undefined if it is no plain name. */
function receiverAt(text: string, index: number, whole: string): number | undefined {
  if (/^\.|^_asdict|^model/.test(whole)) {
    const before = /\b\w+\.?$/.exec(text.slice(Math.max(0, index - 200), index))
    return before ? Math.max(0, index - 200) + before.index : undefined
  }
  const from = index + whole.length
  const [after, name = ''] = /^\s*(?:[\w$]+\.)*([\w$]+)(?=\s*[,)])/.exec(text.slice(from, from + 200)) ?? []
  return after === undefined ? undefined : from + after.length - name.length
}

/** Reports whether a declaration neither derives from another type nor is composed of one. */
const isByItself = (declaration: string): boolean =>
  /^(?:abstract\s+)?(?:class|interface)\s+\w+\s*\{|^type\s+\w+\s*=\s*\{[^]*\};?\s*$|^class\s+\w+\s*(?:\(\s*(?:BaseModel|NamedTuple|TypedDict|object)?\s*\))?\s*:/.test(
    declaration,
  )

/** Reports whether one type of a script may be assignable to another: that needs all of the other's members. */
function mayStandFor(one: string, other: string): boolean {
  if (/^(?:abstract\s+)?class\b/.test(other)) return !/\bprivate\s|#\w/.test(other)
  const memberNames = Array.from(other.matchAll(/[{;,\n]\s*(?:readonly\s+)?([\w$]+)\s*:/g), ([, name = '']) => name)
  return memberNames.every(name => wordOf(name).test(one))
}
