import type { Declaration, ModuleExportName, Program, Statement } from 'oxc-parser'
import { bindingNames } from './binding-names.ts'
import { noExports, type Exported } from './exported.ts'

/** What the `export` statements of a module export; undefined where it is no module. */
export function moduleExports(program: Program, isDeclaration: boolean): Exported | undefined {
  if (!program.body.some(isModuleSyntax)) return undefined
  const found = noExports()
  // In a declaration file without any export list, everything is exported, with or without the word.
  const isOpen = isDeclaration && !program.body.some(isExportList)
  for (const statement of program.body) {
    if (isOpen && isDeclared(statement)) addDeclared(found, statement)
    addStatement(found, statement, program)
  }
  return found
}

const isModuleSyntax = (statement: Statement): boolean =>
  /^(Import|Export|TSExportAssignment|TSNamespaceExport)/.test(statement.type) ||
  (statement.type === 'TSImportEqualsDeclaration' && statement.moduleReference.type === 'TSExternalModuleReference')

const isExportList = (statement: Statement): boolean =>
  statement.type === 'ExportAllDeclaration' ||
  statement.type === 'TSExportAssignment' ||
  (statement.type === 'ExportNamedDeclaration' && !statement.declaration) ||
  (statement.type === 'ExportDefaultDeclaration' && !/Function|Class|Interface/.test(statement.declaration.type))

function addStatement(found: Exported, statement: Statement, program: Program): void {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      if (statement.declaration) addDeclared(found, statement.declaration)
      for (const { local, exported } of statement.specifiers) {
        found.names.add(nameOf(exported))
        if (!statement.source) found.locals.add(nameOf(local))
        if (nameOf(exported) === 'default' && nameOf(local) !== 'default') found.defaultName = nameOf(local)
      }
      return
    case 'ExportAllDeclaration':
      if (statement.exported) found.names.add(nameOf(statement.exported))
      else found.stars.add(statement.source.value)
      return
    case 'ExportDefaultDeclaration': {
      found.names.add('default')
      const { declaration } = statement
      const name =
        declaration.type === 'Identifier' ? declaration.name : 'id' in declaration ? declaration.id?.name : undefined
      if (name === undefined) return
      found.defaultName = name
      found.locals.add(name)
      return
    }
    case 'TSExportAssignment': {
      found.names.add('default')
      if (statement.expression.type !== 'Identifier') return
      const { name } = statement.expression
      found.defaultName = name
      found.locals.add(name)
      addNamespace(found, program, name)
    }
  }
}

/** `export = name` gives what the namespaces of that name export. */
function addNamespace(found: Exported, program: Program, name: string): void {
  for (const statement of program.body) {
    if (statement.type !== 'TSModuleDeclaration' || statement.id.type !== 'Identifier') continue
    if (statement.id.name !== name || statement.body?.type !== 'TSModuleBlock') continue
    const inner = noExports()
    const { body } = statement.body
    const isOpen = !body.some(isExportList)
    for (const member of body) {
      if (isOpen && isDeclared(member)) addDeclared(inner, member)
      addStatement(inner, member, program)
    }
    for (const each of inner.names) found.names.add(each)
  }
}

const isDeclared = (statement: Statement): statement is Declaration & Statement =>
  /^(FunctionDeclaration|TSDeclareFunction|ClassDeclaration|VariableDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration|TSModuleDeclaration|TSImportEqualsDeclaration)$/.test(
    statement.type,
  )

function addDeclared(found: Exported, declaration: Declaration): void {
  for (const name of declaredNames(declaration)) {
    found.names.add(name)
    found.locals.add(name)
  }
}

/** The names that a declaration brings into its scope. */
function declaredNames(declaration: Declaration): readonly string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => bindingNames(id))
  if (!('id' in declaration) || !declaration.id) return []
  const { id } = declaration
  if (declaration.type === 'TSModuleDeclaration' && declaration.kind === 'global') return []
  if (id.type === 'Identifier') return [id.name]
  // `namespace A.B {}` declares A; a module of a string's name declares nothing here.
  if (id.type !== 'TSQualifiedName') return []
  let left = id.left
  while (left.type === 'TSQualifiedName') left = left.left
  return left.type === 'Identifier' ? [left.name] : []
}

const nameOf = (name: ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name)
