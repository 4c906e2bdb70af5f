import type { Program } from 'oxc-parser'
import { bindingNames, importedName, requiredBy } from '../names.ts'

/** The origin of a name. */
export interface Origin {
  readonly module: string
  /** `default`, `*` for a whole module, else the name there. */
  readonly name: string
}

export interface Imported {
  readonly modules: ReadonlySet<string>
  /** By local name. */
  readonly names: ReadonlyMap<string, Origin>
}

/** The imports of a file, by `import` and by top-level `require`. */
export function programImports(program: Program): Imported {
  const modules = new Set<string>()
  const names = new Map<string, Origin>()
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const module = statement.source.value
      modules.add(module)
      for (const each of statement.specifiers) names.set(each.local.name, { module, name: importedName(each) })
    } else if (statement.type === 'VariableDeclaration')
      for (const { id, init } of statement.declarations) {
        const module = init ? requiredBy(init) : undefined
        if (module === undefined) continue
        modules.add(module)
        if (id.type === 'Identifier') names.set(id.name, { module, name: '*' })
        else for (const name of bindingNames(id)) names.set(name, { module, name })
      }
  }
  return { modules, names }
}

/** The origin of a dotted name: the import of its first part, and the accessed member. */
export function originOf(name: string, { names }: Imported): Origin | undefined {
  const dot = name.indexOf('.')
  const origin = names.get(dot < 0 ? name : name.slice(0, dot))
  if (!origin || dot < 0) return origin
  const isWhole = origin.name === '*' || origin.name === 'default'
  const rest = name.slice(dot + 1).split('.')
  return {
    module: origin.module,
    name: isWhole ? (rest.find(part => part !== 'default') ?? origin.name) : origin.name,
  }
}
