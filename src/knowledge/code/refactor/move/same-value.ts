import type { Node } from 'oxc-parser'
import { ToolError } from '../../../../kernel/error.ts'
import { walk } from '../../../model/syntax/parse-module.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import { wordsIn, type Word } from '../../../../languages/javascript/words-in.ts'
import type { ModuleFile } from './module-file.ts'

/**
 * Refuses to move a value that is computed from what its file changes: in another file it is computed after that file
 * has run.
 */
export function ensureSameValue(file: ModuleFile, block: Stretch & { readonly name: string }): void {
  const { program, own, source } = file
  const isInside = ({ start }: { readonly start: number }) => start >= block.start && start < block.end
  const within = program.body.filter(({ start, end }) => start < block.end && end > block.start)
  const outside = program.body.filter(each => !within.includes(each))
  const reassignedNames = new Set(outside.flatMap(assignedNames))
  const later = new Set(outside.filter(({ start, type }) => start > block.start && RUNS.test(type)).flatMap(runWords))
  const read = new Set<string>()
  for (const words of within.map(runNames)) for (const word of words) if (isInside(word)) add(word)
  const changedName = [...read].find(name => {
    const statement = own.find(each => each.name === name && !each.isType)?.statement
    const variable = statement?.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (variable?.type !== 'VariableDeclaration' || isInside(variable)) return false
    return variable.kind === 'const'
      ? later.has(name) && !variable.declarations.every(isFixed)
      : reassignedNames.has(name)
  })
  if (changedName === undefined) return
  throw new ToolError(
    'invalid_input',
    `'${block.name}' cannot be moved: its value is computed from '${changedName}', which its file changes`,
    { hint: 'Move both together, or make it a function first' },
  )

  function runNames(statement: Node): readonly Word[] {
    const lazyParts = delayedParts(statement)
    return wordsIn(statement).filter(
      ({ role, start }) => role === 'use' && !lazyParts.some(each => each.start <= start && each.end > start),
    )
  }

  function runWords(statement: Node): readonly string[] {
    return runNames(statement).map(({ name }) => name)
  }

  /** A name, and all that a called function of the file reads. */
  function add({ name, start }: Word): void {
    if (read.has(name)) return
    read.add(name)
    if (!/^\s*(?:<[^()]*>)?\(/.test(source.text.slice(start + name.length, start + name.length + 200))) return
    const calleeStatement = own.find(each => each.name === name && !each.isType)?.statement
    if (calleeStatement) for (const word of wordsIn(calleeStatement)) if (word.role === 'use') add(word)
  }
}

/** Statements that do more than declare. */
const RUNS = /^(?:Expression|If|For|ForIn|ForOf|While|DoWhile|Switch|Try|Block|Labeled)Statement$/

/** The parts of a declaration that do not run when it is loaded. */
function delayedParts(root: Node): readonly Stretch[] {
  const lazyParts: Stretch[] = []
  walk(root, node => {
    const isField = node.type === 'PropertyDefinition' && !node.static && node.value
    if (isField && node.value) lazyParts.push(node.value)
    if (!/^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type)) return
    lazyParts.push(node)
    return false
  })
  return lazyParts
}

/** Names that are assigned, at any time. */
function assignedNames(root: Node): readonly string[] {
  const names: string[] = []
  walk(root, node => {
    if (node.type === 'UpdateExpression') add(node.argument)
    if (node.type === 'AssignmentExpression') add(node.left)
    if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') add(node.left)
  })
  return names

  function add(target: Node): void {
    if (target.type === 'Identifier') names.push(target.name)
    else if (target.type.endsWith('Pattern')) names.push(...wordsIn(target).map(({ name }) => name))
  }
}

/** Reports whether nothing can change the value of a constant. */
const isFixed = ({ init }: { readonly init: Node | null }): boolean =>
  init !== null && /^(?:Literal|TemplateLiteral|ArrowFunctionExpression|FunctionExpression)$/.test(init.type)
