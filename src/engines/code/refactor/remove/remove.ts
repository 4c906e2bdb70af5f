import { ToolError } from '../../../../kernel/error.ts'
import { spliced } from '../../../text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { findSymbol, placeOf, type FoundSymbol } from '../find-symbol.ts'
import { withoutDeclaration } from '../leading.ts'
import { sourcesOf } from '../source.ts'
import type { Stretch } from '../syntax/syntax-file.ts'
import { syntaxOf } from '../syntax/syntax-of.ts'
import { requiredUses } from '../required-uses.ts'
import { unservedUses } from '../unserved.ts'
import { ownExports } from './own-exports.ts'
import { usesOf, type Use } from './uses-of.ts'

const SHOWN = 20

/** Takes a symbol away with its comments and its place in the file's own export lists, unless something refers to it. */
export async function remove(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const sources = sourcesOf(parts)
  const found = await findSymbol(parts, sources, question)
  const { source, span, syntax } = found
  if (span.shares)
    throw new ToolError('invalid_input', `'${span.name}' is declared together with others`, {
      hint: 'Edit the declaration by its text',
    })
  const { uses: known, basis, unread } = await usesOf(parts, sources, found, question)
  const plain = span.name.slice(span.name.lastIndexOf('.') + 1)
  const besides = [
    ...(await requiredUses(parts, sources, { ...placeOf(found), position: source.positionOf(span.nameAt) }, question)),
    ...(await unservedUses(parts, sources, source.path, plain)),
  ]
  const uses = [...new Map([...known, ...besides].map(use => [`${use.path} ${use.offset}`, use])).values()]
  const listed = await ownExports(source)
  const isOf = (stretch: Stretch) => (use: Use) =>
    use.path === source.path && use.offset >= stretch.start && use.offset < stretch.end
  const own = [span, ...listed.flatMap(({ names }) => names)].map(isOf)
  const others = uses.filter(use => !own.some(isOwn => isOwn(use)))
  if (others.length > 0 || unread > 0) throw stillUsed(found, others, unread, basis.by === 'syntax')
  const gone = listed.flatMap(({ names, without }) => {
    const some = names.filter(name => uses.some(isOf(name)))
    return some.length > 0 ? without(some) : []
  })
  const splices = withoutDeclaration(source, syntax.comments, span, gone)
  const after = await syntaxOf(source.path, spliced(source.path, source.text, splices))
  if (after?.error && !syntax.error)
    throw new ToolError('invalid_input', `${source.path} would not parse without '${span.name}'`, {
      hint: 'What it stands in may need something in its place: use replace-body there',
    })
  return {
    target: placeOf(found),
    edits: [{ kind: 'change', path: source.path, splices }],
    basis,
    warnings:
      basis.by === 'syntax'
        ? [`No language server was asked: that nothing refers to '${span.name}' is known from the text alone`]
        : [],
  }
}

function stillUsed({ span }: FoundSymbol, uses: readonly Use[], unread: number, isSyntax: boolean): ToolError {
  const places = [...new Set(uses.map(({ path, line }) => `${path}:${line}`))]
  const more = [
    ...(places.length > SHOWN ? [`${places.length - SHOWN} more`] : []),
    ...(unread > 0 ? [`${unread} places in files that may not be read`] : []),
  ]
  const which = [...places.slice(0, SHOWN), ...more].join(', ')
  return new ToolError('conflict', `'${span.name}' is still ${isSyntax ? 'written' : 'used'}: ${which}`, {
    hint: isSyntax
      ? 'No language server was asked, so that others of the same name count too: look at them, and edit by text where none is meant'
      : 'Change these first; nothing was deleted',
    details: { references: uses.slice(0, 200).map(({ path, line, text }) => ({ path, line, text })) },
  })
}
