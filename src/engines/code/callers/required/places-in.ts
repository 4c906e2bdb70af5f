import type { Node } from 'oxc-parser'
import { wordsIn, type Word } from '../../refactor/move/words-in.ts'
import { sourceOf } from '../../refactor/source.ts'
import { parseModule, walk } from '../../refactor/syntax/parse-module.ts'
import type { Range } from '../../servers/lsp-words.ts'
import { bindingNames, keyName, requiredBy } from '../../symbols/javascript/names.ts'
import type { FileCode } from '../../symbols/file-code.ts'
import { senseIn, type HandedNames, type ModuleOf } from './handed-names.ts'

/** A place where a script writes the name of something that it may have by `require`. */
export interface RequiredPlace {
  readonly path: string
  readonly range: Range
  readonly offset: number
  /** `call` and `use` are surely of the symbol, `brought` gives it a name; `unsure` may be something else of that name. */
  readonly kind: 'call' | 'use' | 'brought' | 'unsure'
}

export interface ReadFile {
  readonly path: string
  readonly text: string
  readonly code: FileCode
}

export interface Meant {
  readonly handed: HandedNames
  readonly moduleOf: ModuleOf
  /** Those that the symbol has in the modules that are required. */
  readonly names: ReadonlySet<string>
  /** What is meant is this member of the symbol: whose it is nobody knows here. */
  readonly member?: string
}

export function placesIn({ path, text, code }: ReadFile, meant: Meant): readonly RequiredPlace[] {
  const { program } = parseModule(path, text)
  const source = sourceOf(path, text)
  const words = program.body.flatMap(wordsIn)
  const placed = ({ name, start }: Word, kind: RequiredPlace['kind']): RequiredPlace => ({
    path,
    range: { start: source.positionOf(start), end: source.positionOf(start + name.length) },
    offset: start,
    kind,
  })
  const { member } = meant
  if (member !== undefined)
    return words.filter(({ name, role }) => name === member && role === 'member').map(word => placed(word, 'unsure'))
  const isIt = senseIn(path, code, meant.handed, meant.moduleOf)
  const isMeant = (specifier: string) => {
    const module = meant.moduleOf(path, specifier)
    return module !== undefined && meant.handed.has(module)
  }
  const { keys, locals } = broughtIn(program, meant.names, isMeant)
  const isNamed = ({ name }: Word) => meant.names.has(name) || locals.has(name)
  const lines = new Map<number, 'call' | 'use'>()
  for (const { kind, line, value } of code.references)
    if (isIt(value) && lines.get(line) !== 'call') lines.set(line, kind === 'use' ? 'use' : 'call')
  const found = words.flatMap(word => {
    if (keys.has(word.start)) return [placed(word, 'brought')]
    if (!isNamed(word) || word.role === 'bind') return []
    const kind = lines.get(source.positionOf(word.start).line + 1)
    return kind ? [placed(word, kind)] : meant.names.has(word.name) ? [placed(word, 'unsure')] : []
  })
  const seen = new Set(found.map(({ range }) => range.start.line + 1))
  // Under a name that is not known here.
  const others = [...lines].flatMap(([line, kind]) => {
    const start = source.offsetOf({ line: line - 1, character: 0 })
    const blanks = /^\s*/.exec(text.slice(start))?.[0].length ?? 0
    return seen.has(line) ? [] : [placed({ name: '', start: start + blanks, role: 'use' }, kind)]
  })
  return [...found, ...others]
}

interface Brought {
  /** Where names of the symbol are written that are taken out of a module. */
  readonly keys: ReadonlySet<number>
  /** What the symbol is called here. */
  readonly locals: ReadonlySet<string>
}

/** What is made of a module where it is required: `const { name } = require()`, `const m = require(); const { name } = m`. */
function broughtIn(program: Node, names: ReadonlySet<string>, isMeant: (specifier: string) => boolean): Brought {
  const keys = new Set<number>()
  const locals = new Set<string>()
  const modules = new Set<string>()
  walk(program, node => {
    if (node.type !== 'VariableDeclarator' || !node.init) return
    const { id, init } = node
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
  })
  return { keys, locals }

  function isRequired(node: Node): boolean {
    const module = requiredBy(node)
    return module !== undefined && isMeant(module)
  }
}
