import type {
  ExportNamedDeclaration,
  ExportSpecifier,
  ImportDeclaration,
  ImportDeclarationSpecifier,
  ModuleExportName,
  Node,
  Program,
} from 'oxc-parser'
import { bindingNames } from '../../../model/javascript/names.ts'
import type { Source } from '../../source.ts'
import { parseModule } from '../../../model/syntax/parse-module.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'

/** A name that a module takes from another one. */
export interface ImportedName {
  readonly statement: ImportDeclaration
  readonly specifier: ImportDeclarationSpecifier
  /** `*` for the whole module. */
  readonly imported: string
  readonly local: string
  readonly isType: boolean
}

/** A name that a module hands on from another one. */
export interface PassedName {
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
  readonly passed: readonly PassedName[]
  readonly own: readonly OwnName[]
}

export async function moduleFile(source: Source): Promise<ModuleFile> {
  const { program, comments } = await parseModule(source.path, source.text)
  const imports: ImportedName[] = []
  const passed: PassedName[] = []
  const own: OwnName[] = []
  const listed = new Set<string>()
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration')
      for (const specifier of statement.specifiers) imports.push(importedName(statement, specifier))
    if (statement.type !== 'ExportNamedDeclaration') {
      own.push(...ownNames(statement, statement, statement.type === 'ExportDefaultDeclaration'))
      continue
    }
    const { source: from, specifiers, declaration } = statement
    for (const specifier of specifiers) {
      if (from)
        passed.push({ statement, specifier, name: textOf(specifier.local), exported: textOf(specifier.exported) })
      else listed.add(textOf(specifier.local))
    }
    if (declaration) own.push(...ownNames(declaration, statement, true))
  }
  return {
    source,
    program,
    comments: comments.map(({ start, end }) => ({ start, end })),
    imports,
    passed,
    own: own.map(each => (listed.has(each.name) ? { ...each, isExported: true } : each)),
  }
}

function importedName(statement: ImportDeclaration, specifier: ImportDeclarationSpecifier): ImportedName {
  const isNamed = specifier.type === 'ImportSpecifier'
  const imported = isNamed ? textOf(specifier.imported) : specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
  const isType = statement.importKind === 'type' || (isNamed && specifier.importKind === 'type')
  return { statement, specifier, imported, local: specifier.local.name, isType }
}

function ownNames(node: Node, statement: Node, isExported: boolean): readonly OwnName[] {
  const named = (name: string, isType = false): OwnName => ({ name, statement, isExported, isType })
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => bindingNames(id).map(name => named(name)))
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
      return node.id ? [named(node.id.name)] : []
    case 'TSEnumDeclaration':
      return [named(node.id.name)]
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [named(node.id.name, true)]
    case 'TSModuleDeclaration':
      return node.id.type === 'Identifier' ? [named(node.id.name)] : []
    case 'TSImportEqualsDeclaration':
      return [named(node.id.name)]
    case 'ExportDefaultDeclaration':
      return ownNames(node.declaration, statement, isExported)
    default:
      return []
  }
}

export const textOf = (name: ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name)
