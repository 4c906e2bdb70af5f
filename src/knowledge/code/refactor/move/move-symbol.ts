import { posix } from 'node:path'
import { isScriptFile, languageAt, LANGUAGES, titleOf } from '../../../../languages/registry.ts'
import { COMPILER_SETTINGS } from '../../../../languages/javascript/modules/module-settings.ts'
import { ToolError } from '../../../../kernel/error.ts'
import { createView } from '../../../../machine/workspace/view.ts'
import { requiredPlaces } from '../../callers/required/required-places.ts'
import { visibleText } from '../../visible-text.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { ensureTouchable } from '../changes.ts'
import { findSymbol, namedPlace, placeOf, type FoundSymbol } from '../find-symbol.ts'
import { ensureNoErrors, type NewError } from '../new-errors.ts'
import { otherAt, targetOf, type Occurrence } from '../occurrences/occurrence.ts'
import { occurrencesOf } from '../occurrences/occurrences.ts'
import { pathOccurrences } from '../occurrences/path-occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { ensureSeen, type RefactorParts, type ServedParts } from '../refactor-parts.ts'
import { isAmong, serverUses, type Use } from '../uses-of.ts'
import { importersOf, isReexportedByStar } from './importers-of.ts'
import { moduleFile } from './module-file.ts'
import { moveEdits, type Move } from './move-edits.ts'
import { movedBlock } from './moved-block.ts'
import { dependenciesOf } from './dependencies.ts'
import { ensureSameValue } from './same-value.ts'
import { isRelative, means, styleBy, styleIn, styleOf } from '../../../../languages/javascript/specifier.ts'
import { readRefused } from '../../../../machine/workspace/read-refused.ts'

/** Moves a declaration to another file, exports it there, and updates every import and re-export. */
export async function moveSymbol(parts: RefactorParts, question: RefactorQuestion): Promise<Refactoring> {
  const symbol = await findSymbol(parts, question)
  const { path } = symbol.source
  const to = fileOrPlace(parts, question.to ?? '')
  ensureScripts(path, to)
  ensureSeen(parts)
  const { plan, uses, server } = await parts.ask(path, async served => ({
    ...(await planMove(served, symbol, to)),
    server: served.server.name,
  }))
  const { name } = plan.block
  // References that no server follows may remain: they still find it in the old file.
  const target = targetOf(parts, namedPlace([symbol]))
  const mentions = await occurrencesOf(parts, target, { isChanged: isAmong(uses) })
  const move = { ...plan, isReached: plan.isReached || mentions.some(({ blocks }) => blocks) }
  const mocks = (await pathOccurrences(parts, path, to, () => false)).filter(isMock)
  const { included, occurrences } = settle(parts, name, [...mocks, ...mentions.map(acceptReexport)], question)
  await ensureTouchable(parts, [path, ...move.importers.map(({ file }) => file.source.path)])
  const edits = moveEdits(move, included)
  await ensureNoErrors(parts, edits, {
    path,
    expected: fault => isUnseen(fault, to),
    what: 'It cannot be moved as it is',
    hint: 'Nothing was changed. Make it independent of its file first, or edit by text',
  })
  return {
    target: placeOf(symbol),
    edits,
    basis: { by: 'server', server },
    warnings: warningsOf(move),
    occurrences,
  }

  /** A mock by the path of the old file does not apply to the new one. */
  function isMock({ path: file, start, blocks }: Occurrence): boolean {
    return blocks && MOCKS.test(parts.sources(file).text.slice(Math.max(0, start - 200), start))
  }
}

const MOCKS = /mock\w*\s*(?:<[^()]*>)?\(\s*['"`]$/i

/** The old file re-exports it. */
const acceptReexport = (each: Occurrence): Occurrence =>
  each.blocks ? otherAt(each, 'the old file re-exports it') : each

async function planMove(
  parts: ServedParts,
  found: FoundSymbol,
  to: string,
): Promise<{ readonly plan: Move; readonly uses: readonly Use[] }> {
  const { path } = found.source
  const file = await moduleFile(found.source)
  if (!file.program.body.some(({ type }) => /^(Import|Export|TSImportEquals|TSExport)/.test(type)))
    throw new ToolError('invalid_input', `${path} is no module: its declarations are global`, {
      hint: 'Edit by text',
    })
  const block = movedBlock(file, found)
  if (!block.isType) ensureSameValue(file, block)
  const { uses, unread } = await serverUses(parts, [found])
  if (unread > 0)
    throw new ToolError('denied', `'${block.name}' is used in ${unread} places of files that may not be read`, {
      hint: 'Nothing was changed',
    })
  const { importers, isReached: isNamespaced } = await importersOf(parts, path, block.name, uses)
  // Scripts that require the old file still get it from there, and so do components and built packages.
  const { places } = await requiredPlaces(parts, path, block.name)
  const isReached =
    isNamespaced ||
    !places.every(place => isAmong(uses)(place.path, place.offset)) ||
    (block.isExported && (await isReexportedByStar(parts, path, to)))
  const isThere = visibleText(parts.root, parts.staging, to) !== undefined
  const importerFile = importers.find(({ file: { source } }) => source.path === to)?.file
  const target = importerFile ?? (isThere ? await moduleFile(parts.sources(to)) : undefined)
  const example = importers[0]?.names[0]?.statement.source?.value
  const style =
    styleIn(file.program, path) ??
    (target && styleIn(target.program, to)) ??
    (example === undefined ? styleBy(path, configurationOf(parts, path)) : styleOf({ specifier: example, path }))
  const needs = await dependenciesOf(parts, file, block)
  return { plan: { found, file, block, to, target, importers, isReached, style, needs }, uses }
}

function fileOrPlace({ root, staging, mayRead }: RefactorParts, path: string): string {
  return createView(root, staging).look(path, {}, ({ located, type }) => {
    if (type !== 'file' && type !== 'absent') throw new ToolError('not_a_file', `${path} is not a file`)
    if (type === 'file' && !mayRead(located.rel)) throw readRefused(path)
    return located.rel
  })
}

/** A server does not see a new file in a directory that is not on disk yet. */
function isUnseen({ path, message }: NewError, to: string): boolean {
  const [, module] = /^Cannot find module '([^']+)'/.exec(message) ?? []
  if (module === undefined) return false
  return isRelative(module) ? means(path, module, to) : posix.parse(module).name === posix.parse(to).name
}

const SCRIPTS = LANGUAGES.filter(({ parser, isComponent }) => parser === 'script' && !isComponent)
  .map(titleOf)
  .join(' and ')

function ensureScripts(path: string, to: string): void {
  if (!isScriptFile(path) || !isScriptFile(to))
    throw new ToolError('unavailable', `A symbol is moved between files of ${SCRIPTS} only`, {
      hint: 'In other languages move the whole file, or edit by text',
    })
  if (path === to) throw new ToolError('invalid_input', `It is in ${to} already`)
  const [from, target] = [languageAt(path), languageAt(to)]
  if (from.isTyped && !target.isTyped)
    throw new ToolError('invalid_input', `${to} is ${titleOf(target)}, and the declaration is ${titleOf(from)}`)
}

/** The nearest configuration above a file. */
function configurationOf({ root, staging }: RefactorParts, path: string): string | undefined {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const text = visibleText(root, staging, posix.join(folder, COMPILER_SETTINGS))
    if (text !== undefined || folder === '.') return text
  }
}

function warningsOf({ isReached, block, found, file }: Move): readonly string[] {
  const { path } = found.source
  const rest = file.program.body.filter(({ start, end }) => end <= block.start || start >= block.end)
  return [
    ...(isReached
      ? [
          `${path} re-exports '${block.name}', because it is also reached by require, in components or through the whole module`,
        ]
      : []),
    ...(rest.length === 0 && !isReached ? [`${path} is empty now`] : []),
  ]
}
