import type { BindingPattern, Node } from 'oxc-parser'
import { walk } from '../../../model/syntax/parse-module.ts'
import { bindingNames, keyName, requiredBy, importedName } from '../../../../languages/javascript/names.ts'

/** The names that a script imports from modules. */
interface ImportedNames {
  /** Positions of names of the symbol in imports. */
  readonly keys: ReadonlySet<number>
  /** Local names of the symbol. */
  readonly locals: ReadonlySet<string>
  /** A whole module is imported: its members may be used anywhere. */
  readonly isWhole: boolean
}

/** Imports of a symbol under these names: `const { name } = require()`, `import { name } from`. */
export function importedNames(
  program: Node,
  names: ReadonlySet<string>,
  isMeant: (specifier: string) => boolean,
): ImportedNames {
  const keys = new Set<number>()
  const locals = new Set<string>()
  const modules = new Set<string>()
  let isWhole = false
  walk(program, node => {
    if (node.type === 'ImportDeclaration' && isMeant(node.source.value)) for (const each of node.specifiers) bring(each)
    if (node.type === 'ImportExpression') isWhole ||= node.source.type !== 'Literal' || isMeant(`${node.source.value}`)
    if (node.type === 'CallExpression') isWhole ||= isRequired(node)
    if (node.type === 'VariableDeclarator' && node.init) take(node.id, node.init)
  })
  return { keys, locals, isWhole }

  function bring(specifier: Node): void {
    if (specifier.type === 'ImportNamespaceSpecifier') isWhole = true
    if (specifier.type !== 'ImportSpecifier' && specifier.type !== 'ImportDefaultSpecifier') return
    if (!names.has(importedName(specifier))) return
    keys.add((specifier.type === 'ImportSpecifier' ? specifier.imported : specifier.local).start)
    locals.add(specifier.local.name)
  }

  function take(id: BindingPattern, init: Node): void {
    const isModule = isRequired(init) || (init.type === 'Identifier' && modules.has(init.name))
    if (id.type === 'Identifier') {
      if (isModule) modules.add(id.name)
      if (isModule && names.has('=')) locals.add(id.name)
      if (init.type === 'MemberExpression' && names.has(keyName(init.property, init.computed) ?? ''))
        locals.add(id.name)
    }
    if (id.type !== 'ObjectPattern' || !isModule) return
    for (const property of id.properties) {
      if (property.type !== 'Property' || !names.has(keyName(property.key, property.computed) ?? '')) continue
      keys.add(property.key.start)
      for (const name of bindingNames(property.value)) locals.add(name)
    }
  }

  function isRequired(node: Node): boolean {
    const module = requiredBy(node)
    return module !== undefined && isMeant(module)
  }
}
