import { bindingNames } from './binding-names.ts'
import { requiredBy } from './required.ts'
import { isName, type Program } from './syntax.ts'

/** Where a name of the file comes from. */
export interface Origin {
  readonly module: string
  /** `default`, `*` for a whole module, else the name there. */
  readonly name: string
}

export interface Imported {
  readonly modules: ReadonlySet<string>
  /** By the name that it has in this file. */
  readonly names: ReadonlyMap<string, Origin>
}

/** What a file imports, by `import` and by `require` at its top. */
export function imported(program: Program, text: string): Imported {
  const modules = new Set<string>()
  const names = new Map<string, Origin>()
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const module = statement.source.value
      modules.add(module)
      for (const specifier of statement.specifiers ?? []) {
        const kind = specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
        const name =
          specifier.type !== 'ImportSpecifier'
            ? kind
            : specifier.imported.type === 'StringLiteral'
              ? specifier.imported.value
              : specifier.imported.name
        names.set(specifier.local.name, { module, name })
      }
    } else if (statement.type === 'VariableDeclaration')
      for (const { id, init } of statement.declarations) {
        const module = init ? requiredBy(init) : undefined
        if (module === undefined) continue
        modules.add(module)
        if (isName(id)) names.set(id.name, { module, name: '*' })
        else for (const name of bindingNames(id, text)) names.set(name, { module, name })
      }
  }
  return { modules, names }
}
