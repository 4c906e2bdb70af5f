import type { Declaration as DeclarationNode, Directive, ExportNamedDeclaration, Program, Statement } from 'oxc-parser'
import type { Value } from '../file-model/file-model.ts'
import { noExports, type Exported } from './exported.ts'
import { bindingNames, listedName } from './names.ts'
import { addImport, type Reading } from './reading.ts'
import { lookUp, type Scope } from './scope.ts'
import { valueOf } from './value-of.ts'

type Stated = Directive | Statement

export const isModule = ({ body }: Program): boolean => body.some(isModuleSyntax)

/** The exports of a module's `export` statements. */
export function moduleExports(reading: Reading, program: Program, root: Scope, isDeclaration: boolean): Exported {
  const fileExports = noExports()
  const { body } = program
  // A declaration file without an export list exports everything, with or without the keyword.
  const isOpen = isDeclaration && !body.some(isExportList)
  for (const statement of body) {
    if (isOpen && isDeclared(statement)) addDeclared(statement)
    addStatement(statement)
  }
  return fileExports

  function addStatement(statement: Stated): void {
    switch (statement.type) {
      case 'ExportNamedDeclaration':
        if (statement.declaration) addDeclared(statement.declaration)
        return addSpecifiers(statement)
      case 'ExportAllDeclaration': {
        const { exported, source } = statement
        const whole = addImport(reading, statement, source.value, '*', '')
        if (exported) add(listedName(exported), () => whole)
        else fileExports.stars.add(source.value)
        return
      }
      case 'ExportDefaultDeclaration': {
        const { declaration } = statement
        const id = declaration.type === 'Identifier' ? declaration : 'id' in declaration ? declaration.id : undefined
        add('default', () => {
          const symbol = reading.symbolOf.get(declaration) ?? reading.symbolOf.get(statement)
          return symbol === undefined ? valueOf(declaration, root) : ['symbol', symbol]
        })
        if (id?.type !== 'Identifier') return
        fileExports.defaultName = id.name
        fileExports.locals.add(id.name)
        return
      }
      case 'TSExportAssignment': {
        const { expression } = statement
        fileExports.names.add('default')
        fileExports.bindings.push({ name: '=', value: () => valueOf(expression, root) })
        if (expression.type !== 'Identifier') return
        fileExports.defaultName = expression.name
        fileExports.locals.add(expression.name)
        addContents(expression.name)
      }
    }
  }

  function addSpecifiers({ source, specifiers }: ExportNamedDeclaration): void {
    for (const each of specifiers) {
      const [local, name] = [listedName(each.local), listedName(each.exported)]
      if (source) {
        const value = addImport(reading, each, source.value, local, '')
        add(name, () => value)
      } else addLocal(name, local)
      if (name === 'default' && local !== 'default') fileExports.defaultName = local
    }
  }

  function add(name: string, value: () => Value | undefined): void {
    fileExports.names.add(name)
    fileExports.bindings.push({ name, value })
  }

  /** One name can be a value and a separate type. */
  function addLocal(name: string, local: string): void {
    fileExports.locals.add(local)
    add(name, () => lookUp(root, 'values', local)?.())
    add(name, () => lookUp(root, 'types', local)?.())
  }

  function addDeclared(declaration: Stated | DeclarationNode): void {
    for (const name of declaredNames(declaration)) addLocal(name, name)
  }

  /** `export = name` exports the contents of the namespaces of that name, or of the module that it stands for. */
  function addContents(name: string): void {
    for (const statement of body) {
      if (statement.type === 'TSImportEqualsDeclaration' && statement.id.name === name) {
        const { moduleReference: from } = statement
        if (from.type === 'TSExternalModuleReference') fileExports.stars.add(from.expression.value)
      }
      if (statement.type !== 'TSModuleDeclaration' || statement.id.type === 'Literal') continue
      const [first, next] = reading.text.slice(statement.id.start, statement.id.end).split('.')
      if (first?.trim() !== name) continue
      const names = next === undefined ? namesIn(statement.body?.body ?? []) : [next.trim()]
      for (const each of names) fileExports.names.add(each)
    }
  }
}

/** The exports of a namespace: without an export list, everything it declares. */
function namesIn(members: readonly Stated[]): readonly string[] {
  const isOpen = !members.some(isExportList)
  return members.flatMap(member => {
    if (member.type !== 'ExportNamedDeclaration') return isOpen && isDeclared(member) ? declaredNames(member) : []
    const listNames = member.specifiers.map(({ exported }) => listedName(exported))
    return member.declaration ? declaredNames(member.declaration) : listNames
  })
}

const isModuleSyntax = (statement: Stated): boolean =>
  /^(Import|Export|TSExportAssignment|TSNamespaceExport)/.test(statement.type) ||
  (statement.type === 'TSImportEqualsDeclaration' && statement.moduleReference.type === 'TSExternalModuleReference')

const isExportList = (statement: Stated): boolean =>
  statement.type === 'ExportAllDeclaration' ||
  statement.type === 'TSExportAssignment' ||
  (statement.type === 'ExportNamedDeclaration' && !statement.declaration) ||
  (statement.type === 'ExportDefaultDeclaration' && !/Function|Class|Interface/.test(statement.declaration.type))

const isDeclared = ({ type }: Stated): boolean =>
  /^(FunctionDeclaration|TSDeclareFunction|ClassDeclaration|VariableDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration|TSModuleDeclaration|TSImportEqualsDeclaration)$/.test(
    type,
  )

/** The names that a declaration adds to its scope. */
function declaredNames(declaration: Stated | DeclarationNode): readonly string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => bindingNames(id))
  if (!('id' in declaration) || !declaration.id) return []
  let { id } = declaration as { readonly id: { readonly type: string } }
  // For `namespace A.B` the first.
  while (id.type === 'TSQualifiedName' && 'left' in id) id = id.left as typeof id
  // A module with a string as its name, and `global`, declare nothing here.
  const isGlobal = declaration.type === 'TSModuleDeclaration' && declaration.kind === 'global'
  return id.type === 'Identifier' && 'name' in id && !isGlobal ? [String(id.name)] : []
}
