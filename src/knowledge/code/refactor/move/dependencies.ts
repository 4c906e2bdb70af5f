import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import type { ServedParts } from '../refactor-parts.ts'
import type { ImportedName, ModuleFile, OwnName } from './module-file.ts'
import { wordsIn, type Word } from '../../../../languages/javascript/words-in.ts'

/** The names that a declaration uses of its module. */
export interface Dependencies {
  readonly imports: readonly ImportedName[]
  /** Imports that nothing else in the module uses. */
  readonly idle: readonly ImportedName[]
  readonly own: readonly OwnName[]
  /** The rest of the module uses the declaration. */
  readonly isUsed: boolean
}

/** Compares names as written; if one is also bound inside, the server decides. */
export async function dependenciesOf(
  { server }: ServedParts,
  file: ModuleFile,
  block: Stretch & { readonly name: string },
): Promise<Dependencies> {
  const isInside = ({ start }: { readonly start: number }) => start >= block.start && start < block.end
  const words = file.program.body.filter(({ type }) => type !== 'ImportDeclaration').flatMap(wordsIn)
  const inner = words.filter(isInside)
  const outer = words.filter(word => !isInside(word) && word.role === 'use')
  const bound = new Set(inner.filter(({ role }) => role === 'bind').map(({ name }) => name))
  const usedNames = new Set<string>()
  for (const word of inner.filter(({ role }) => role === 'use'))
    if (!bound.has(word.name) || !(await isOwn(word))) usedNames.add(word.name)
  const usedOutside = new Set(outer.map(({ name }) => name))
  const hasElements = (within: Stretch) => /<\/|\/>/.test(file.source.text.slice(within.start, within.end))
  const isNeeded = ({ local }: ImportedName) => usedNames.has(local) || (local === 'React' && hasElements(block))
  const imports = file.imports.filter(isNeeded)
  const isListed = (local: string) => file.listed.some(({ name }) => name === local)
  const isExport = ({ start }: Word) => file.listed.some(({ specifier }) => specifier.local.start === start)
  return {
    imports,
    idle: imports.filter(({ local }) => !usedOutside.has(local) && !isListed(local) && local !== 'React'),
    own: file.own.filter(({ name, statement }) => name !== block.name && usedNames.has(name) && !isInside(statement)),
    isUsed: usedOutside.has(block.name) && outer.some(word => word.name === block.name && !isExport(word)),
  }

  /** Reports whether the word refers to an inner declaration. */
  async function isOwn({ start }: Word): Promise<boolean> {
    const definitions = await server.definition(file.source.path, file.source.positionOf(start))
    return definitions.some(({ uri, range }) => {
      if (server.pathOf(uri) !== file.source.path) return false
      return isInside({ start: file.source.offsetOf(range.start) })
    })
  }
}
