import { posix } from 'node:path'
import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { FileEdit } from '../../types.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { withoutDeclaration } from '../leading.ts'
import { withoutNames } from '../without-names.ts'
import { editedImports, importText, type NewImport } from './edited-imports.ts'
import type { Importer } from './importers-of.ts'
import { textOf, type ImportedName, type ModuleFile } from './module-file.ts'
import { movedText, type MovedBlock } from './moved-block.ts'
import type { Needs } from './needs-of.ts'
import { isRelative, means, rebased, specifierFor, styleOf, type Style } from './specifier.ts'

/** All that is known of a move before anything is written. */
export interface Move {
  readonly found: FoundSymbol
  readonly file: ModuleFile
  readonly block: MovedBlock
  readonly to: string
  /** The file there, where one is. */
  readonly target: ModuleFile | undefined
  readonly importers: readonly Importer[]
  /** Somebody reaches the symbol otherwise than by its name, so that its old file has to hand it on. */
  readonly isReached: boolean
  readonly style: Style
  readonly needs: Needs
}

/** The edits of a move; refuses names that are taken and modules that would need each other to begin. */
export function moveEdits(move: Move): readonly FileEdit[] {
  demandNoCycle(move)
  const others = move.importers.filter(({ file }) => file.source.path !== move.to).map(importerEdit(move))
  const edits = [oldFile(move), newFile(move), ...others]
  return edits.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function demandNoCycle({ file, to, block, needs, isReached }: Move): void {
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
      hint: `Move ${values.join(', ')} first, so that neither file needs the other to begin`,
      details: { uses: values },
    },
  )
}

function oldFile({ found, file, block, to, needs, isReached, style }: Move): FileEdit {
  const { source, program } = file
  const specifier = specifierFor(source.path, to, style)
  const of = { specifier, isType: block.isType, names: [block.name] }
  const added: NewImport[] = [
    ...(needs.isUsed ? [{ kind: 'import', ...of } as const] : []),
    ...(isReached ? [{ kind: 'export', ...of } as const] : []),
  ]
  const lists = program.body.flatMap(statement => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) return []
    const gone = statement.specifiers.filter(({ local }) => textOf(local) === block.name)
    return gone.length > 0 ? withoutNames(source, { statement, names: statement.specifiers }, gone) : []
  })
  const idle = needs.idle.map(({ specifier: each }) => each)
  const removed = withoutDeclaration(source, file.comments, found.span, lists)
  return {
    kind: 'change',
    path: source.path,
    splices: [...removed, ...editedImports(file, idle, added).map(apart), ...handedOut()],
  }

  /** What takes the place of the declaration does not bring a gap where one is left. */
  function apart(splice: Splice): Splice {
    const { eol, text } = source
    const isInstead = removed.some(({ start, end }) => start === splice.start && text.startsWith(eol, end))
    if (!isInstead || splice.end > splice.start || !splice.new.endsWith(eol + eol)) return splice
    return { ...splice, new: splice.new.slice(0, -eol.length) }
  }

  /** What the moved code needs has to be exported. */
  function handedOut(): readonly Splice[] {
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

function newFile(move: Move): FileEdit {
  const { found, file, block, to, target } = move
  const home = target ?? file
  const { eol } = home.source
  const text = movedText(file, found, to, eol)
  const added = [...carried(move), ...fromOldFile(move)]
  if (!target) {
    const imports = added.length > 0 ? importText(file, added) + eol + eol : ''
    return { kind: 'create', path: to, text: imports + text + eol }
  }
  const own = move.importers.find(({ file: one }) => one.source.path === to)
  const gone = [...(own?.imports ?? []), ...(own?.passed ?? [])]
  const aliased = gone.some(each => ('local' in each ? each.local : each.exported) !== block.name)
  if (aliased) throw taken(to, block.name, 'it is imported there under another name')
  if (target.own.some(({ name }) => name === block.name)) throw taken(to, block.name, 'something there has that name')
  if (target.imports.some(each => each.local === block.name && !gone.includes(each)))
    throw taken(to, block.name, 'an import there has that name')
  const whole = target.source.text
  const gap = whole.trim() === '' ? '' : whole.endsWith('\n') ? eol : eol + eol
  const end = whole.length
  return {
    kind: 'change',
    path: to,
    splices: joined([
      ...editedImports(
        target,
        gone.map(({ specifier }) => specifier),
        added,
      ),
      target.source.splice(end, end, gap + text + eol),
    ]),
  }
}

/** Two things that are put in at one place are one. */
function joined(splices: readonly Splice[]): readonly Splice[] {
  const last = splices.at(-1)
  const before = splices.slice(0, -1)
  const same = last && before.find(({ start, end }) => start === last.start && end === last.end)
  if (!last || !same) return splices
  return [...before.filter(each => each !== same), { ...last, new: same.new + last.new }]
}

/** The imports that the declaration brings along. */
function carried({ file, to, target, needs, block }: Move): readonly NewImport[] {
  const groups = Map.groupBy(needs.imports.filter(isMissing), ({ statement }) => statement)
  return [...groups].map(([statement, names]): NewImport => {
    const { text } = file.source
    const [plain, whole] = ['default', '*'].map(kind => names.find(({ imported }) => imported === kind)?.local)
    const attributes = text.slice(statement.source.end, statement.end).replace(/;?\s*$/, '')
    return {
      kind: 'import',
      specifier: rebased(statement.source.value, file.source.path, to),
      isType: statement.importKind === 'type',
      names: names
        .filter(({ specifier }) => specifier.type === 'ImportSpecifier')
        .map(({ specifier }) => text.slice(specifier.start, specifier.end)),
      ...(plain !== undefined && { default: plain }),
      ...(whole !== undefined && { namespace: whole }),
      ...(attributes !== '' && { attributes }),
    }
  })

  function isMissing({ statement, imported, local }: ImportedName): boolean {
    const from = statement.source.value
    if (means(file.source.path, from, to)) {
      if (target?.own.some(({ name }) => name === local) && imported === local) return false
      throw taken(to, local, `'${block.name}' uses it under another name`)
    }
    const known = target?.imports.find(each => each.local === local)
    if (known?.imported === imported && isSameModule(known.statement.source.value, from)) return false
    if (known || target?.own.some(({ name }) => name === local))
      throw taken(to, local, `'${block.name}' uses another one`)
    return true
  }

  function isSameModule(there: string, here: string): boolean {
    if (!isRelative(here)) return there === here
    const place = (path: string, specifier: string) =>
      posix.join(posix.dirname(path), specifier).replace(/\.[cm]?[jt]sx?$/, '')
    return isRelative(there) && place(to, there) === place(file.source.path, here)
  }
}

/** What the declaration uses of the file that it leaves. */
function fromOldFile({ file, to, target, needs, style }: Move): readonly NewImport[] {
  const specifier = specifierFor(to, file.source.path, style)
  const missing = needs.own.filter(({ name }) => {
    const known = target?.imports.find(({ local }) => local === name)
    if (known && means(to, known.statement.source.value, file.source.path) && known.imported === name) return false
    if (known || target?.own.some(each => each.name === name)) throw taken(to, name, 'the moved code uses another one')
    return true
  })
  return [true, false].flatMap((isType): NewImport[] => {
    // What several declarations make up is imported once, and as a type where all of them are types.
    const isOfTypes = (name: string) => missing.every(each => each.name !== name || each.isType)
    const names = [...new Set(missing.map(({ name }) => name))].filter(name => isOfTypes(name) === isType)
    return names.length > 0 ? [{ kind: 'import', specifier, isType, names }] : []
  })
}

const importerEdit =
  ({ file: { source: old }, to }: Move) =>
  ({ file, imports, passed }: Importer): FileEdit => {
    const all = [...imports, ...passed]
    const added = all.map(({ statement, specifier }): NewImport => {
      const like = { specifier: statement.source?.value ?? '', path: old.path }
      return {
        kind: statement.type === 'ImportDeclaration' ? 'import' : 'export',
        specifier: specifierFor(file.source.path, to, styleOf(like), like),
        isType: (statement.type === 'ImportDeclaration' ? statement.importKind : statement.exportKind) === 'type',
        names: [file.source.text.slice(specifier.start, specifier.end)],
      }
    })
    const gone = all.map(({ specifier }) => specifier)
    return { kind: 'change', path: file.source.path, splices: editedImports(file, gone, merged(added)) }
  }

function merged(added: readonly NewImport[]): readonly NewImport[] {
  const groups = Map.groupBy(added, ({ kind, specifier, isType }) => `${kind} ${isType} ${specifier}`)
  return [...groups.values()].flatMap(each => {
    const [one] = each
    return one ? [{ ...one, names: each.flatMap(({ names }) => names) }] : []
  })
}

const taken = (path: string, name: string, why: string): ToolError =>
  new ToolError('conflict', `'${name}' is taken in ${path}: ${why}`, { hint: 'Rename one of them first' })
