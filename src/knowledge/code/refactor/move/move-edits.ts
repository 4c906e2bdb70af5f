import { posix } from 'node:path'
import { SCRIPT_ENDING } from '../../../../languages/javascript/reflection.ts'
import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { FileEdit } from '../../types.ts'
import { editsOf, joinChanges, type Changes } from '../changes.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { withoutDeclaration } from '../declaration-lines.ts'
import { editedImports, importText, isOfTypes, type NewImport } from './edited-imports.ts'
import type { Importer } from './importers-of.ts'
import { withoutExports, type ImportedName, type ModuleFile } from './module-file.ts'
import { movedText, type MovedBlock } from './moved-block.ts'
import type { Dependencies } from './dependencies.ts'
import {
  isRelative,
  means,
  rebaseSpecifier,
  specifierFor,
  styleOf,
  type Style,
} from '../../../../languages/javascript/specifier.ts'

/** The facts of a move before anything is written. */
export interface Move {
  readonly found: FoundSymbol
  readonly file: ModuleFile
  readonly block: MovedBlock
  readonly to: string
  /** The target file, if it exists. */
  readonly target: ModuleFile | undefined
  readonly importers: readonly Importer[]
  /** The symbol is reached other than by its name, so its old file has to re-export it. */
  readonly isReached: boolean
  readonly style: Style
  readonly needs: Dependencies
}

/**
 * The edits of a move, with `includedChanges`. Refuses names that are taken, and modules that would need each other while
 * loading.
 */
export function moveEdits(move: Move, includedChanges: Changes): readonly FileEdit[] {
  ensureNoCycle(move)
  const { to, file, target } = move
  const others = move.importers.filter(({ file: { source } }) => source.path !== to)
  const changes = new Map(others.map(each => [each.file.source.path, importerSplices(move, each)]))
  changes.set(file.source.path, oldFile(move))
  const newImports = [...carriedImports(move), ...fromOldFile(move)]
  if (target) return editsOf(joinChanges(changes.set(to, targetSplices(move, target, newImports)), includedChanges))
  return editsOf(joinChanges(changes, includedChanges), { kind: 'create', path: to, text: newText(move, newImports) })
}

function ensureNoCycle({ file, to, block, needs, isReached }: Move): void {
  const values = [...new Set(needs.own.filter(({ isType }) => !isType).map(({ name }) => name))]
  const { path } = file.source
  const isBack = !block.isType && (needs.isUsed || isReached)
  const isThere = file.imports.some(
    each => !each.isType && !needs.idle.includes(each) && means(path, each.statement.source.value, to),
  )
  if (values.length === 0 || !(isBack || isThere)) return
  throw new ToolError(
    'conflict',
    `'${block.name}' uses ${values.join(', ')} of ${path}, which would need ${to} in turn`,
    {
      hint: `Move ${values.join(', ')} first, so that neither file needs the other while loading`,
      details: { uses: values },
    },
  )
}

function oldFile({ found, file, block, to, needs, isReached, style }: Move): readonly Splice[] {
  const { source } = file
  const of = { specifier: specifierFor(source.path, to, style), isType: block.isType, names: [block.name] }
  const newStatements: NewImport[] = [
    ...(needs.isUsed ? [{ kind: 'import', ...of } as const] : []),
    ...(isReached ? [{ kind: 'export', ...of } as const] : []),
  ]
  const ownSpecifiers = file.listed.filter(({ name }) => name === block.name).map(({ specifier }) => specifier)
  const lists = withoutExports(file, place => ownSpecifiers.some(each => each === place))
  const idle = needs.idle.map(({ specifier }) => specifier)
  const removalSplices = withoutDeclaration(source, file.comments, found.span, lists)
  return [...removalSplices, ...editedImports(file, idle, newStatements).map(withoutSecondGap), ...exportedForMove()]

  /** Keeps the replacement of the declaration from adding a second gap. */
  function withoutSecondGap(splice: Splice): Splice {
    const { eol, text } = source
    const isInstead = removalSplices.some(({ start, end }) => start === splice.start && text.startsWith(eol, end))
    if (!isInstead || splice.end > splice.start || !splice.new.endsWith(eol + eol)) return splice
    return { ...splice, new: splice.new.slice(0, -eol.length) }
  }

  /** Exports the names that the moved code needs. */
  function exportedForMove(): readonly Splice[] {
    return needs.own
      .filter(({ isExported }) => !isExported)
      .map(({ name, statement }) => {
        const isPlain = !('decorators' in statement && statement.decorators.length > 0)
        const isSole = statement.type !== 'VariableDeclaration' || statement.declarations.length === 1
        if (isPlain && isSole && statement.type !== 'TSImportEqualsDeclaration')
          return source.splice(statement.start, statement.start, 'export ')
        throw new ToolError('conflict', `'${block.name}' uses '${name}' of ${source.path}, which is not exported`, {
          hint: `Export '${name}', or move it first`,
        })
      })
  }
}

function newText({ found, file, to }: Move, added: readonly NewImport[]): string {
  const { eol } = file.source
  const imports = added.length > 0 ? importText(file, added) + eol + eol : ''
  return imports + movedText(file, found, to, eol) + eol
}

function targetSplices(move: Move, target: ModuleFile, added: readonly NewImport[]): readonly Splice[] {
  const { found, file, block, to } = move
  const { eol, text: whole } = target.source
  const oldImports = move.importers.find(({ file: one }) => one === target)?.names ?? []
  if (oldImports.some(each => ('local' in each ? each.local : each.exported) !== block.name))
    throw nameConflict(to, block.name, 'it is imported there under another name')
  if (target.own.some(({ name }) => name === block.name))
    throw nameConflict(to, block.name, 'something there has that name')
  if (target.imports.some(each => each.local === block.name && !oldImports.includes(each)))
    throw nameConflict(to, block.name, 'an import there has that name')
  const gap = whole.trim() === '' ? '' : whole.endsWith('\n') ? eol : eol + eol
  const end = whole.length
  const specifiers = oldImports.map(({ specifier }) => specifier)
  return joinInsertions([
    ...editedImports(target, specifiers, added),
    target.source.splice(end, end, gap + movedText(file, found, to, eol) + eol),
  ])
}

/** Merges insertions at the same offset. */
function joinInsertions(splices: readonly Splice[]): readonly Splice[] {
  const last = splices.at(-1)
  const before = splices.slice(0, -1)
  const same = last && before.find(({ start, end }) => start === last.start && end === last.end)
  if (!last || !same) return splices
  return [...before.filter(each => each !== same), { ...last, new: same.new + last.new }]
}

/** The imports that move with the declaration. */
function carriedImports({ file, to, target, needs, block }: Move): readonly NewImport[] {
  const groups = Map.groupBy(needs.imports.filter(isMissing), ({ statement }) => statement)
  return [...groups].map(([statement, names]): NewImport => {
    const { text } = file.source
    const namedImports = names.filter(({ specifier }) => specifier.type === 'ImportSpecifier')
    const whole = names
      .filter(each => !namedImports.includes(each))
      .map(({ name, local }) => (name === '*' ? `* as ${local}` : local))
    const attributes = text.slice(statement.source.end, statement.end).replace(/;?\s*$/, '')
    return {
      kind: 'import',
      specifier: rebaseSpecifier(statement.source.value, file.source.path, to),
      isType: statement.importKind === 'type',
      names: namedImports.map(({ specifier }) => text.slice(specifier.start, specifier.end)),
      ...(whole.length > 0 && { whole: whole.join(', ') }),
      ...(attributes !== '' && { attributes }),
    }
  })

  function isMissing({ statement, name: imported, local }: ImportedName): boolean {
    const from = statement.source.value
    if (means(file.source.path, from, to)) {
      if (target?.own.some(({ name }) => name === local) && imported === local) return false
      throw nameConflict(to, local, `'${block.name}' uses it under another name`)
    }
    const existingImport = target?.imports.find(each => each.local === local)
    if (existingImport?.name === imported && isSameModule(existingImport.statement.source.value, from)) return false
    if (existingImport || target?.own.some(({ name }) => name === local))
      throw nameConflict(to, local, `'${block.name}' uses another one`)
    return true
  }

  function isSameModule(there: string, here: string): boolean {
    if (!isRelative(here)) return there === here
    const place = (path: string, specifier: string) =>
      posix.join(posix.dirname(path), specifier).replace(SCRIPT_ENDING, '')
    return isRelative(there) && place(to, there) === place(file.source.path, here)
  }
}

/** The imports from the old file that the declaration needs. */
function fromOldFile({ file, to, target, needs, style }: Move): readonly NewImport[] {
  const specifier = specifierFor(to, file.source.path, style)
  const missing = needs.own.filter(({ name }) => {
    const existingImport = target?.imports.find(({ local }) => local === name)
    if (
      existingImport &&
      means(to, existingImport.statement.source.value, file.source.path) &&
      existingImport.name === name
    )
      return false
    if (existingImport || target?.own.some(each => each.name === name))
      throw nameConflict(to, name, 'the moved code uses another one')
    return true
  })
  return [true, false].flatMap((isType): NewImport[] => {
    // A symbol of several declarations is imported once, and as a type if all of them are types.
    const isTypeOnly = (name: string) => missing.every(each => each.name !== name || each.isType)
    const names = [...new Set(missing.map(({ name }) => name))].filter(name => isTypeOnly(name) === isType)
    return names.length > 0 ? [{ kind: 'import', specifier, isType, names }] : []
  })
}

function importerSplices({ file: { source: old }, to }: Move, { file, names }: Importer): readonly Splice[] {
  const newImports = names.map(({ statement, specifier }): NewImport => {
    const like = { specifier: statement.source?.value ?? '', path: old.path }
    return {
      kind: statement.type === 'ImportDeclaration' ? 'import' : 'export',
      specifier: specifierFor(file.source.path, to, styleOf(like), like),
      isType: isOfTypes(statement),
      names: [file.source.text.slice(specifier.start, specifier.end)],
    }
  })
  const oldSpecifiers = names.map(({ specifier }) => specifier)
  return editedImports(file, oldSpecifiers, mergeImports(newImports))
}

function mergeImports(added: readonly NewImport[]): readonly NewImport[] {
  const groups = Map.groupBy(added, ({ kind, specifier, isType }) => `${kind} ${isType} ${specifier}`)
  return [...groups.values()].flatMap(each => {
    const [one] = each
    return one ? [{ ...one, names: each.flatMap(({ names }) => names) }] : []
  })
}

const nameConflict = (path: string, name: string, why: string): ToolError =>
  new ToolError('conflict', `'${name}' is taken in ${path}: ${why}`, { hint: 'Rename one of them first' })
