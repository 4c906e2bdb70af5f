import type {
  ExportNamedDeclaration,
  ExportSpecifier,
  ImportDeclaration,
  ImportDeclarationSpecifier,
  Node,
  Program,
} from 'oxc-parser'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { bindingNames, importedName, listedName } from '../../../../languages/javascript/names.ts'
import { parseModule } from '../../../model/syntax/parse-module.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import type { Source } from '../../source.ts'
import { lineOf, removeNames } from '../remove-names.ts'

/** A name that a module imports. */
export interface ImportedName {
  readonly statement: ImportDeclaration
  readonly specifier: ImportDeclarationSpecifier
  /** `*` for the whole module. */
  readonly name: string
  readonly local: string
  readonly isType: boolean
}

/** A name in an export list: the module's own, or one from another module. */
export interface ListedName {
  readonly statement: ExportNamedDeclaration
  readonly specifier: ExportSpecifier
  readonly name: string
  readonly exported: string
}

/** A top-level name of a module. */
export interface OwnName {
  readonly name: string
  readonly statement: Node
  readonly isExported: boolean
  readonly isType: boolean
}

/** A module as moves see it. */
export interface ModuleFile {
  readonly source: Source
  readonly program: Program
  readonly comments: readonly Stretch[]
  readonly imports: readonly ImportedName[]
  /** `export { a }`. */
  readonly listed: readonly ListedName[]
  /** `export { a } from './b'`. */
  readonly passed: readonly ListedName[]
  readonly own: readonly OwnName[]
}

export async function moduleFile(source: Source): Promise<ModuleFile> {
  const { program, comments } = await parseModule(source.path, source.text)
  const imports: ImportedName[] = []
  const listedNames: ListedName[] = []
  const declaredNames: OwnName[] = []
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration')
      imports.push(...statement.specifiers.map(each => broughtName(statement, each)))
    if (statement.type === 'ExportNamedDeclaration') {
      for (const specifier of statement.specifiers)
        listedNames.push({
          statement,
          specifier,
          name: listedName(specifier.local),
          exported: listedName(specifier.exported),
        })
      if (statement.declaration) declaredNames.push(...ownNames(statement.declaration, statement, true))
    } else declaredNames.push(...ownNames(statement, statement, statement.type === 'ExportDefaultDeclaration'))
  }
  const localExports = listedNames.filter(({ statement }) => !statement.source)
  const names = new Set(localExports.map(({ name }) => name))
  return {
    source,
    program,
    comments,
    imports,
    listed: localExports,
    passed: listedNames.filter(({ statement }) => statement.source),
    own: declaredNames.map(each => (names.has(each.name) ? { ...each, isExported: true } : each)),
  }
}

/** `export default a`. */
export const defaultExports = ({ program }: ModuleFile) =>
  program.body.flatMap(statement =>
    statement.type === 'ExportDefaultDeclaration' && statement.declaration.type === 'Identifier'
      ? [{ statement, named: statement.declaration }]
      : [],
  )

/** Places that name something of the module only to export it. */
export const exportPlaces = (file: ModuleFile): readonly Stretch[] => [
  ...file.listed.map(({ specifier }) => specifier),
  ...defaultExports(file).map(({ named }) => named),
]

/** Removes names from statements that only export them. */
export function withoutExports(file: ModuleFile, isGone: (place: Stretch) => boolean): readonly Splice[] {
  const statements = new Set(file.listed.map(({ statement }) => statement))
  const lists = [...statements].flatMap(statement => {
    const removedSpecifiers = statement.specifiers.filter(isGone)
    return removedSpecifiers.length > 0 ? removeNames(file.source, statement, removedSpecifiers) : []
  })
  return [
    ...lists,
    ...defaultExports(file).flatMap(({ statement, named }) => (isGone(named) ? [lineOf(file.source, statement)] : [])),
  ]
}

function broughtName(statement: ImportDeclaration, specifier: ImportDeclarationSpecifier): ImportedName {
  const isOfType = specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'
  const isType = statement.importKind === 'type' || isOfType
  return { statement, specifier, name: importedName(specifier), local: specifier.local.name, isType }
}

function ownNames(node: Node, statement: Node, isExported: boolean): readonly OwnName[] {
  const ownName = (name: string, isType = false): OwnName => ({ name, statement, isExported, isType })
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => bindingNames(id).map(name => ownName(name)))
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'TSImportEqualsDeclaration':
      return node.id ? [ownName(node.id.name)] : []
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [ownName(node.id.name, true)]
    case 'TSModuleDeclaration':
      return node.id.type === 'Identifier' ? [ownName(node.id.name)] : []
    case 'ExportDefaultDeclaration':
      return ownNames(node.declaration, statement, isExported)
    default:
      return []
  }
}
