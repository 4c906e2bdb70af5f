import { ToolError } from '../../../../kernel/error.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { leadingStart, trailingText } from '../leading.ts'
import { walk } from '../../../model/syntax/parse-module.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'
import { textOf, type ModuleFile } from './module-file.ts'
import { isRelative, rebased } from './specifier.ts'

/** A declaration that can be taken out of its module. */
export interface MovedBlock extends Stretch {
  readonly name: string
  /** Only a type: nothing of it is there when the program runs. */
  readonly isType: boolean
  readonly isExported: boolean
}

/** The declaration of a symbol; refuses what cannot be moved without somebody's judgement. */
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
  let isListed = false
  for (const statement of file.program.body) {
    if (
      statement.type === 'ExportDefaultDeclaration' &&
      statement.declaration.type === 'Identifier' &&
      statement.declaration.name === name
    )
      refuse('it is the default export', 'Give it a name to export first')
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) continue
    for (const { local, exported } of statement.specifiers)
      if (textOf(local) === name) {
        isListed = true
        if (textOf(exported) !== name)
          refuse(`it is exported as '${textOf(exported)}'`, 'Export it under its own name first')
      }
  }
  for (const statement of statements)
    walk(statement, node => {
      const isPlace = node.type === 'MetaProperty' && node.property.name === 'meta'
      if (isPlace || (node.type === 'Identifier' && /^__(dirname|filename)$/.test(node.name)))
        refuse('it asks where its file is', 'Hand that in as a parameter first')
    })
  const isInline = statements.every(({ type }) => type === 'ExportNamedDeclaration')
  return {
    name,
    start: span.start,
    end: span.end,
    isType: kind === 'interface' || kind === 'type',
    isExported: isInline || isListed,
  }
}

/** The text of a declaration as it stands in another file: exported, and with what it imports itself found from there. */
export function movedText(file: ModuleFile, { span, syntax }: FoundSymbol, to: string, eol: string): string {
  const { source, program } = file
  const from = leadingStart(source, syntax.comments, span.start)
  const puts: { readonly start: number; readonly end: number; readonly text: string }[] = []
  const statements = program.body.filter(({ start, end }) => start < span.end && end > span.start)
  for (const statement of statements) {
    const isInline = statement.type === 'ExportNamedDeclaration'
    const start = statements.length === 1 ? span.headAt : statement.start
    if (!isInline) puts.push({ start, end: start, text: 'export ' })
    walk(statement, node => {
      const literal =
        node.type === 'ImportExpression' || node.type === 'TSImportType'
          ? node.source
          : node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require'
            ? node.arguments[0]
            : undefined
      if (literal?.type !== 'Literal' || typeof literal.value !== 'string' || !isRelative(literal.value)) return
      const text = rebased(literal.value, source.path, to)
      puts.push({ start: literal.start + 1, end: literal.end - 1, text })
    })
  }
  let [text, at] = ['', from]
  for (const put of puts.toSorted((one, other) => one.start - other.start)) {
    text += source.text.slice(at, put.start) + put.text
    at = put.end
  }
  const behind = trailingText(source, syntax.comments, span)
  return (text + source.text.slice(at, span.end) + behind).replaceAll(/\r?\n/g, eol)
}
