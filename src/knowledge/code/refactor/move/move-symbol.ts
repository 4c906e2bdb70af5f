import { posix } from 'node:path'
import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { languageOf } from '../../../model/languages.ts'
import { createView } from '../../../../machine/workspace/view.ts'
import { requiredPlaces } from '../../callers/required/required-places.ts'
import type { CodeParts } from '../../code-parts.ts'
import { seenText } from '../../seen-text.ts'
import { deadlineOf, type Deadline } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { FileEdit, Refactoring, RefactorQuestion } from '../../types.ts'
import { demandSeen } from '../demand-seen.ts'
import { findSymbol, placeOf, type FoundSymbol } from '../find-symbol.ts'
import { newFaults, type Fault } from '../new-faults.ts'
import { serverUses, type Use } from '../remove/uses-of.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { occurrencesOf } from '../occurrences/occurrences.ts'
import { pathOccurrences } from '../occurrences/path-occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { targetOf } from '../occurrences/target.ts'
import { sourcesOf, type Sources } from '../../source.ts'
import { demandTouchable } from '../touchable.ts'
import { isHandedByStar } from './handed-by-star.ts'
import { importersOf } from './importers-of.ts'
import { moduleFile } from './module-file.ts'
import { movedBlock } from './moved-block.ts'
import { moveEdits, type Move } from './move-edits.ts'
import { needsOf } from './needs-of.ts'
import { isRelative, means, styleOf } from './specifier.ts'
import { styleBy, styleIn } from './style-in.ts'

/** A declaration in another file, exported there, with every import and re-export of it following. */
export async function moveSymbol(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const sources = sourcesOf(parts)
  const found = await findSymbol(parts, sources, question)
  const { path } = found.source
  const to = fileOrPlace(parts, question.to ?? '')
  demandScripts(path, to)
  demandSeen(parts)
  const deadline = deadlineOf(question)
  const staged = stagedTexts(parts.root, parts.staging)
  const { plan, uses, server } = await parts.servers.ask(path, staged, deadline, async asked => ({
    ...(await planned(parts, sources, found, to, asked, deadline)),
    server: asked.name,
  }))
  const isUse = (file: string, start: number) => uses.some(use => use.path === file && use.offset === start)
  // What may mean it where no server follows goes on finding it in the old file.
  const place = { ...placeOf(found), old: plan.block.name, scope: 'module' as const }
  const position = found.source.positionOf(found.span.nameAt)
  const target = targetOf(sources, { ...place, position }, [{ path, position }])
  const written = await occurrencesOf(parts, sources, target, { deadline, isChanged: isUse })
  const move = { ...plan, isReached: plan.isReached || written.some(({ blocks }) => blocks) }
  const mocks = (await pathOccurrences(parts, sources, path, { to, deadline, isChanged: () => false })).filter(isMock)
  const { included, occurrences } = settle(sources, plan.block.name, [...mocks, ...written.map(accepted)], question)
  await demandTouchable(parts, [path, ...move.importers.map(({ file }) => file.source.path)])
  const edits = withSplices(moveEdits(move), included)
  const expected = (fault: Fault) => isUnseen(fault, to)
  const faults = await newFaults(parts, sources, edits, { path, deadline, expected })
  const [first] = faults
  if (first)
    throw new ToolError('conflict', `It cannot be moved as it is: ${first.path}:${first.line}: ${first.message}`, {
      hint: 'Nothing was changed. Make it independent of its file first, or edit by text',
      details: { faults: faults.slice(0, 20) },
    })
  return {
    target: placeOf(found),
    edits,
    basis: { by: 'server', server },
    warnings: warningsOf(move),
    occurrences,
  }

  /** What is mocked by the path of the old file is not mocked in the new one. */
  function isMock({ path: file, start, blocks }: Occurrence): boolean {
    return blocks && MOCKS.test(sources(file).text.slice(Math.max(0, start - 200), start))
  }
}

const MOCKS = /mock\w*\s*(?:<[^()]*>)?\(\s*['"`]$/i

/** The old file hands it on. */
const accepted = (each: Occurrence): Occurrence =>
  each.blocks ? { ...each, verdict: 'other', why: 'the old file hands it on', blocks: false } : each

function withSplices(edits: readonly FileEdit[], more: ReadonlyMap<string, readonly Splice[]>): readonly FileEdit[] {
  const known = edits.map(edit =>
    edit.kind === 'change' ? { ...edit, splices: [...edit.splices, ...(more.get(edit.path) ?? [])] } : edit,
  )
  const others = [...more].filter(([path]) => !edits.some(edit => edit.path === path))
  return [...known, ...others.map(([path, splices]): FileEdit => ({ kind: 'change', path, splices }))]
}

async function planned(
  parts: CodeParts,
  sources: Sources,
  found: FoundSymbol,
  to: string,
  server: AskedServer,
  deadline: Deadline,
): Promise<{ readonly plan: Move; readonly uses: readonly Use[] }> {
  const { path } = found.source
  const file = await moduleFile(found.source)
  if (!file.program.body.some(({ type }) => /^(Import|Export|TSImportEquals|TSExport)/.test(type)))
    throw new ToolError('invalid_input', `${path} is no module: what it declares is known without an import`, {
      hint: 'Edit by text',
    })
  const block = movedBlock(file, found)
  const { uses, unread } = await serverUses(parts, sources, found, server)
  if (unread > 0)
    throw new ToolError('denied', `'${block.name}' is used in ${unread} places of files that may not be read`, {
      hint: 'Nothing was changed',
    })
  const isThere = seenText(parts.root, parts.staging, to) !== undefined
  const { importers, isReached: isNamespaced } = await importersOf(path, block.name, uses, sources, server)
  // Whoever requires the old file gets it from there as before, and components and packages that are built too.
  const { places } = await requiredPlaces(parts, path, block.name)
  const isFollowed = (place: { readonly path: string; readonly offset: number }) =>
    uses.some(use => use.path === place.path && use.offset === place.offset)
  const isReached =
    isNamespaced ||
    !places.every(isFollowed) ||
    (block.isExported && (await isHandedByStar(parts, sources, { path, to }, server, deadline)))
  const own = importers.find(each => each.file.source.path === to)?.file
  const target = own ?? (isThere ? await moduleFile(sources(to)) : undefined)
  const [first] = importers.flatMap(({ imports, passed }) => [...imports, ...passed])
  const example = first?.statement.source?.value
  const style =
    styleIn(file) ??
    (target && styleIn(target)) ??
    (example === undefined ? styleBy(path, configurationOf(parts, path)) : styleOf({ specifier: example, path }))
  const needs = await needsOf(file, block, server)
  return { plan: { found, file, block, to, target, importers, isReached, style, needs }, uses }
}

function fileOrPlace({ root, staging, mayRead }: CodeParts, path: string): string {
  return createView(root, staging).look(path, {}, ({ located, type }) => {
    if (type !== 'file' && type !== 'absent') throw new ToolError('not_a_file', `${path} is not a file`)
    if (type === 'file' && !mayRead(located.rel)) throw new ToolError('denied', `${path} may not be read`)
    return located.rel
  })
}

/** A server does not see a file that is not on disk yet where its directory is not either. */
function isUnseen({ path, message }: Fault, to: string): boolean {
  const [, module] = /^Cannot find module '([^']+)'/.exec(message) ?? []
  if (module === undefined) return false
  return isRelative(module) ? means(path, module, to) : posix.parse(module).name === posix.parse(to).name
}

const isScript = (path: string): boolean => /^(type|java)script$/.test(languageOf(path) ?? '')

function demandScripts(path: string, to: string): void {
  if (!isScript(path) || !isScript(to))
    throw new ToolError('unavailable', 'A symbol is moved between files of TypeScript and JavaScript only', {
      hint: 'Elsewhere a file as a whole may be moved, or edit by text',
    })
  if (path === to) throw new ToolError('invalid_input', `It is in ${to} already`)
  if (languageOf(path) === 'typescript' && languageOf(to) === 'javascript')
    throw new ToolError('invalid_input', `${to} is JavaScript, and the declaration is TypeScript`)
}

/** The nearest configuration above a file. */
function configurationOf({ root, staging }: CodeParts, path: string): string | undefined {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const text = seenText(root, staging, posix.join(folder, 'tsconfig.json'))
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
    ...(rest.length === 0 && !isReached ? [`${path} holds nothing any more`] : []),
  ]
}
