import type { ExportNamedDeclaration, ImportDeclaration, Node } from 'oxc-parser'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { leadingStart } from '../declaration-lines.ts'
import { clauseOf, isNamed, removeNames } from '../remove-names.ts'
import type { ModuleFile } from './module-file.ts'

/** An import or re-export to add to a module. */
export interface NewImport {
  readonly kind: 'import' | 'export'
  readonly specifier: string
  /** The whole statement is type-only. */
  readonly isType: boolean
  /** As written between the braces. */
  readonly names: readonly string[]
  /** A default import, or the whole module as `* as a`. */
  readonly whole?: string
  /** The text after the specifier. */
  readonly attributes?: string
}

type Bringing =
  | ImportDeclaration
  | (ExportNamedDeclaration & { readonly source: NonNullable<ExportNamedDeclaration['source']> })

/** Removes names from a module's imports and re-exports and adds others, if possible to existing statements. */
export function editedImports(
  file: ModuleFile,
  removedNames: readonly Node[],
  newImports: readonly NewImport[],
): readonly Splice[] {
  const { source } = file
  const statements = file.program.body.filter(isBringing)
  const splices: Splice[] = []
  const open = [...newImports]
  const remainingByStatement = new Map<Bringing, readonly Node[]>()
  for (const statement of statements) {
    const droppedNames = statement.specifiers.filter(each => removedNames.includes(each))
    const keptNames = statement.specifiers.filter(each => !removedNames.includes(each))
    remainingByStatement.set(statement, keptNames)
    if (droppedNames.length === 0) continue
    const same = keptNames.length === 0 ? open.findIndex(each => isSame(each, statement, droppedNames)) : -1
    const replacing = open[same]
    if (replacing) {
      splices.push(
        source.splice(statement.source.start, statement.source.end, quoteSpecifier(file, replacing.specifier)),
      )
      open.splice(same, 1)
      remainingByStatement.set(statement, statement.specifiers)
    } else splices.push(...removeNames(source, statement, droppedNames))
  }
  const fresh: NewImport[] = []
  for (const each of open) {
    const home = statements.find(one => isHome(one, each) && (remainingByStatement.get(one) ?? []).some(isNamed))
    const last = home && (remainingByStatement.get(home) ?? []).findLast(isNamed)
    if (last) splices.push(source.splice(last.end, last.end, each.names.map(name => `, ${name}`).join('')))
    else fresh.push(each)
  }
  const isKept = (one: Bringing) => one.specifiers.length === 0 || (remainingByStatement.get(one) ?? []).length > 0
  return fresh.length > 0 ? [...splices, placeImports(file, statements.filter(isKept), statements, fresh)] : splices

  function isSame({ kind, isType, names, ...more }: NewImport, statement: Bringing, dropped: readonly Node[]): boolean {
    if (more.whole !== undefined || kind !== kindOf(statement) || isType !== isOfTypes(statement)) return false
    if (statements.some(one => isHome(one, { kind, isType, names, ...more }))) return false
    const texts = dropped.map(({ start, end }) => source.text.slice(start, end))
    return texts.length === names.length && texts.every(text => names.includes(text))
  }

  function isHome(one: Bringing, { kind, specifier, isType, whole }: NewImport): boolean {
    return whole === undefined && kindOf(one) === kind && one.source.value === specifier && isOfTypes(one) === isType
  }
}

/** The text of imports, for a file that has none yet. */
export const importText = (file: ModuleFile, newImports: readonly NewImport[]): string =>
  newImports.map(each => statementText(file, each)).join(file.source.eol)

function statementText(
  file: ModuleFile,
  { kind, specifier, isType, names, whole, attributes = '' }: NewImport,
): string {
  const clause = clauseOf(whole === undefined ? [] : [whole], names)
  return `${kind} ${isType ? 'type ' : ''}${clause} from ${quoteSpecifier(file, specifier)}${attributes}${endOf(file)}`
}

/** After the remaining imports, or else before the first statement that is no directive. */
function placeImports(
  file: ModuleFile,
  kept: readonly Bringing[],
  all: readonly Bringing[],
  fresh: readonly NewImport[],
): Splice {
  const { source, program, comments } = file
  const { eol } = source
  const text = importText(file, fresh)
  const neighbours = fresh.every(({ kind }) => kind === 'export') ? kept : kept.filter(one => kindOf(one) === 'import')
  const last = neighbours.at(-1) ?? kept.at(-1)
  if (last) return source.splice(last.end, last.end, eol + text)
  const [firstStatement] = all
  if (firstStatement) return source.splice(firstStatement.start, firstStatement.start, text + eol)
  const first = program.body.find(one => !(one.type === 'ExpressionStatement' && 'directive' in one && one.directive))
  if (!first) return source.splice(source.text.length, source.text.length, text + eol)
  const at = leadingStart(source, comments, first.start)
  return source.splice(at, at, text + eol + eol)
}

function isBringing(node: Node): node is Bringing {
  return node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source !== null)
}

const kindOf = ({ type }: Bringing): NewImport['kind'] => (type === 'ImportDeclaration' ? 'import' : 'export')
export const isOfTypes = (one: ImportDeclaration | ExportNamedDeclaration): boolean =>
  (one.type === 'ImportDeclaration' ? one.importKind : one.exportKind) === 'type'

function quoteSpecifier({ program, source }: ModuleFile, specifier: string): string {
  const sample =
    program.body.find(isBringing)?.source.raw ?? (/'/.test(source.text) || !source.text.includes('"') ? "'" : '"')
  const quote = sample[0] === '"' ? '"' : "'"
  return quote + specifier + quote
}

function endOf({ program, source }: ModuleFile): string {
  const sample = program.body.find(isBringing) ?? program.body.find(({ end }) => source.text[end - 1] === ';')
  return sample && source.text[sample.end - 1] === ';' ? ';' : ''
}
