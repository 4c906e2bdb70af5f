import { ToolError } from '../../../../kernel/error.ts'
import { applySplices, type Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { leadingStart, trailingText } from '../declaration-lines.ts'
import { walk } from '../../../model/syntax/parse-module.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import { calledModules } from './called-modules.ts'
import { defaultExports, type ModuleFile } from './module-file.ts'
import { rebaseSpecifier } from '../../../../languages/javascript/specifier.ts'

/** A declaration that can be moved out of its module. */
export interface MovedBlock extends Stretch {
  readonly name: string
  /** Only a type, which does not exist at run time. */
  readonly isType: boolean
  readonly isExported: boolean
}

/** The declaration of a symbol. Refuses one that needs a human decision to be moved. */
export function movedBlock(file: ModuleFile, { span, syntax }: FoundSymbol): MovedBlock {
  const { name, kind } = span
  const refuse = (why: string, hint: string): never => {
    throw new ToolError('invalid_input', `'${name}' cannot be moved: ${why}`, { hint })
  }
  const statements = file.program.body.filter(({ start, end }) => start < span.end && end > span.start)
  if (name.includes('.') || kind === 'method' || statements.length === 0)
    refuse('it stands in something else', 'Move what it stands in, or edit by text')
  if (span.shares) refuse('it is declared together with others', 'Give it a statement of its own first')
  if (syntax.spans.filter(other => other.name === name).length > 1)
    refuse('several declarations make it up', 'Edit by text')
  if (statements.some(({ type }) => type === 'ExportDefaultDeclaration'))
    refuse('it is the default export', 'Give it a name to export first')
  const variable = statements
    .map(each => (each.type === 'ExportNamedDeclaration' ? each.declaration : each))
    .find(each => each?.type === 'VariableDeclaration')
  if (variable?.type === 'VariableDeclaration' && variable.kind !== 'const')
    refuse('it can be assigned, which importers cannot do', 'Make it a const first')
  if (defaultExports(file).some(({ named }) => named.name === name))
    refuse('it is the default export', 'Give it a name to export first')
  const listEntries = file.listed.filter(each => each.name === name)
  const alias = listEntries.find(({ exported }) => exported !== name)
  if (alias) refuse(`it is exported as '${alias.exported}'`, 'Export it under its own name first')
  for (const statement of statements)
    walk(statement, node => {
      const isPlace = node.type === 'MetaProperty' && node.property.name === 'meta'
      if (isPlace || (node.type === 'Identifier' && /^__(dirname|filename)$/.test(node.name)))
        refuse('it asks where its file is', 'Pass that as a parameter first')
    })
  const isInline = statements.every(({ type }) => type === 'ExportNamedDeclaration')
  return {
    name,
    start: span.start,
    end: span.end,
    isType: kind === 'interface' || kind === 'type',
    isExported: isInline || listEntries.length > 0,
  }
}

/** The text of a declaration for another file: exported, with its own imports rebased. */
export function movedText(file: ModuleFile, { span, syntax }: FoundSymbol, to: string, eol: string): string {
  const { source, program } = file
  const from = leadingStart(source, syntax.comments, span.start)
  const put = (start: number, end: number, text: string): Splice => ({
    ...source.splice(start, end, text),
    start: start - from,
    end: end - from,
  })
  const statements = program.body.filter(({ start, end }) => start < span.end && end > span.start)
  const splices = statements.flatMap(statement => {
    const start = statements.length === 1 ? span.headAt : statement.start
    const modules = calledModules(statement).map(each =>
      put(each.start, each.end, rebaseSpecifier(each.value, source.path, to)),
    )
    return statement.type === 'ExportNamedDeclaration' ? modules : [put(start, start, 'export '), ...modules]
  })
  const text = applySplices(source.path, source.text.slice(from, span.end), splices)
  return (text + trailingText(source, syntax.comments, span)).replaceAll(/\r?\n/g, eol)
}
