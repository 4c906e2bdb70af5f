import { bindingNames } from './binding-names.ts'
import { noExports, type Exported } from './exported.ts'
import { isName, type ModuleName, type Program, type Syntax } from './syntax.ts'

/** What the `export` statements of a module export; undefined where it is no module. */
export function moduleExports(program: Program, text: string, isDeclaration: boolean): Exported | undefined {
  const body = [...program.body]
  if (!body.some(isModuleSyntax)) return undefined
  const found = noExports()
  // In a declaration file without any export list, everything is exported, with or without the word.
  const isOpen = isDeclaration && !body.some(isExportList)
  for (const statement of body) {
    if (isOpen && isDeclared(statement)) addDeclared(found, statement, text)
    addStatement(found, statement, body, text)
  }
  return found
}

const isModuleSyntax = (statement: Syntax): boolean =>
  /^(Import|Export|TSExportAssignment|TSNamespaceExport)/.test(statement.type) ||
  (statement.type === 'TSImportEqualsDeclaration' && statement.moduleReference.type === 'TSExternalModuleReference')

const isExportList = (statement: Syntax): boolean =>
  statement.type === 'ExportAllDeclaration' ||
  statement.type === 'TSExportAssignment' ||
  statement.type === 'ExportNamedDeclaration' ||
  statement.type === 'ExportFromDeclaration' ||
  (statement.type === 'ExportDefaultDeclaration' && !/Function|Class|Interface/.test(statement.declaration.type))

function addStatement(found: Exported, statement: Syntax, body: readonly Syntax[], text: string): void {
  switch (statement.type) {
    case 'ExportDeclaration':
      return addDeclared(found, statement.declaration, text)
    case 'ExportNamedDeclaration':
    case 'ExportFromDeclaration':
      for (const { local, exported } of statement.specifiers) {
        const name = nameOf(exported)
        found.names.add(name)
        if (statement.type === 'ExportNamedDeclaration') found.locals.add(nameOf(local))
        if (name === 'default' && nameOf(local) !== 'default') found.defaultName = nameOf(local)
      }
      return
    case 'ExportAllDeclaration':
      if (statement.exported) found.names.add(nameOf(statement.exported))
      else found.stars.add(statement.source.value)
      return
    case 'ExportDefaultDeclaration': {
      found.names.add('default')
      const { declaration } = statement
      const id = isName(declaration) ? declaration : 'id' in declaration ? declaration.id : undefined
      if (!id || !isName(id)) return
      found.defaultName = id.name
      found.locals.add(id.name)
      return
    }
    case 'TSExportAssignment': {
      found.names.add('default')
      if (!isName(statement.expression)) return
      const { name } = statement.expression
      found.defaultName = name
      found.locals.add(name)
      addNamespace(found, body, name, text)
      addRequired(found, body, name)
    }
  }
}

/** `import name = require('…')` and `export = name` pass on everything of that module. */
function addRequired(found: Exported, body: readonly Syntax[], name: string): void {
  for (const statement of body) {
    if (statement.type !== 'TSImportEqualsDeclaration' || statement.id.name !== name) continue
    const { type, expression } = statement.moduleReference
    if (type === 'TSExternalModuleReference' && expression?.type === 'StringLiteral') found.stars.add(expression.value)
  }
}

/** `export = name` gives what the namespaces of that name export. */
function addNamespace(found: Exported, body: readonly Syntax[], name: string, text: string): void {
  for (const statement of body) {
    if (statement.type !== 'TSNamespaceDeclaration' || statement.id.name !== name) continue
    if (statement.body.type !== 'TSModuleBlock') {
      found.names.add(statement.body.id.name)
      continue
    }
    const inner = noExports()
    const members = [...statement.body.body]
    const isOpen = !members.some(isExportList)
    for (const member of members) {
      if (isOpen && isDeclared(member)) addDeclared(inner, member, text)
      addStatement(inner, member, body, text)
    }
    for (const each of inner.names) found.names.add(each)
  }
}

const isDeclared = (statement: Syntax): boolean =>
  /^(FunctionDeclaration|TSDeclareFunction|ClassDeclaration|VariableDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration|TSNamespaceDeclaration|TSImportEqualsDeclaration)$/.test(
    statement.type,
  )

function addDeclared(found: Exported, declaration: Syntax, text: string): void {
  for (const name of declaredNames(declaration, text)) {
    found.names.add(name)
    found.locals.add(name)
  }
}

/** The names that a declaration brings into its scope. */
function declaredNames(declaration: Syntax, text: string): readonly string[] {
  if (declaration.type === 'VariableDeclaration')
    return [...declaration.declarations].flatMap(({ id }) => bindingNames(id, text))
  if (!('id' in declaration) || !declaration.id) return []
  // A module of a string's name declares nothing here.
  return isName(declaration.id) ? [declaration.id.name] : []
}

const nameOf = (name: ModuleName): string => (name.type === 'StringLiteral' ? name.value : name.name)
