import type { Program } from 'oxc-parser'
import { linesOf } from '../file-model/lines.ts'
import type { Declaration, FileModel, Outline } from '../file-model/file-model.ts'
import { isTestPath } from '../file-model/test-path.ts'
import { lostNames } from '../file-model/unread-text.ts'
import { commonExports } from './common-exports.ts'
import { exportBindings, noExports, type Exported } from './exported.ts'
import { isModule, moduleExports } from './module-exports.ts'
import { parse, type ParsedScript } from './parse.ts'
import type { Depth, Draft, Reading, Watcher } from './reading.ts'
import { referencesIn } from './references.ts'
import type { Scope } from './scope.ts'
import { walkInside, walkNode, walkProgram } from './walk.ts'
import { componentTags, type TagContext } from './tags/component-tags.ts'
import { programImports } from './tags/imported.ts'
import { kindTags } from './tags/kind-tags.ts'

const RUNNERS = /^(vitest|@jest\/globals|node:test|mocha|bun:test|@playwright\/test|jasmine)$/

/** The declarations and exports of a JavaScript or TypeScript file. */
export function scriptOutline(path: string, language: string, text: string, depth: Depth): Outline {
  const { source, reading, exported, tags } = readScript(path, text, depth)
  const { names, stars, locals, defaultName } = exported
  const [error] = source.errors
  for (const draft of reading.drafts) draft.exported ||= draft.parent < 0 && locals.has(draft.name)
  return {
    language,
    symbols: reading.drafts,
    exportNames: [...names],
    ...(defaultName !== undefined && { defaultName }),
    stars: [...stars],
    tags: [...new Set([language, ...tags])].toSorted(),
    ...(depth.entries && { comments: source.comments.map(({ start, end }) => ({ start, end })) }),
    literals: reading.literals,
    ...(error && { error: { at: error.labels[0]?.start ?? 0, message: error.message } }),
    // After an error the parser returns nothing, or what it guessed.
    ...(error && { lost: [...lostNames(text, [{ start: 0, end: text.length }])] }),
  }
}

/** The declarations of a file, and the values and references of its names. */
export function scriptModel(path: string, language: string, text: string): FileModel {
  const { source, reading, exported, root } = readScript(path, text, { meaning: true })
  const exports = exportBindings(exported)
  const references = referencesIn(reading, source.program, root)
  const passedOn = new Set(exports.flatMap(({ value }) => (value[0] === 'symbol' ? [value[1]] : [])))
  return {
    language,
    symbols: reading.drafts.map((draft, at) => finishSymbol(draft, passedOn.has(at))),
    imports: reading.imports,
    exports,
    stars: [...exported.stars],
    references,
    ...(reading.isTest && { isTest: true }),
  }
}

interface Read {
  readonly source: ParsedScript
  readonly reading: Reading
  readonly root: Scope
  readonly exported: Exported
  readonly tags: readonly string[]
}

/** Walks a file once, to the requested depth. */
function readScript(path: string, whole: string, depth: Depth): Read {
  const source = parse(path, whole)
  const { program, isDeclaration, text } = source
  const isTest =
    isTestPath(path) || program.body.some(each => each.type === 'ImportDeclaration' && RUNNERS.test(each.source.value))
  const tagFinder = depth.tags && !isDeclaration ? findTags(program, path) : undefined
  const watchers = [...(tagFinder?.watchers ?? [])]
  const reading: Reading = {
    ...depth,
    text,
    lines: linesOf(text),
    drafts: [],
    imports: [],
    literals: [],
    symbolOf: new Map(),
    lastNamed: { upTo: 0, numbers: new Map() },
    importOf: new Map(),
    scopeOf: new Map(),
    handedTo: new Map(),
    selfOf: new Map(),
    heads: new Map(),
    isTest,
    watchers,
    walk: (node, at, around) => walkNode(reading, node, at, around),
    walkInside: (node, at) => walkInside(reading, node, at),
  }
  const hasExports = isModule(program)
  const common = isDeclaration || hasExports ? undefined : commonExports(program)
  if (common) watchers.push(common)
  const root = walkProgram(reading, program)
  const fileExports = common?.found ?? (hasExports ? moduleExports(reading, program, root, isDeclaration) : noExports())
  const hasDefault = fileExports.names.has('default')
  return {
    source,
    reading,
    root,
    exported: fileExports,
    tags: tagFinder?.tags({ locals: fileExports.locals, hasDefault }) ?? [],
  }
}

function finishSymbol({ later, ...draft }: Draft, isExported: boolean): Declaration {
  return { ...draft, ...later?.(), exported: draft.exported || isExported }
}

/** Finds framework and kind from the code while it is walked. */
interface TagFinder {
  readonly watchers: readonly Watcher[]
  tags(context: Omit<TagContext, 'kinds'>): readonly string[]
}

function findTags(program: Program, path: string): TagFinder {
  const uses = programImports(program)
  const kinds = kindTags(program, uses, path)
  const components = componentTags(uses)
  return {
    watchers: [kinds, components],
    tags: context => [...kinds.kinds, ...components.tags({ ...context, kinds: kinds.kinds })],
  }
}
