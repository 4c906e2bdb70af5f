import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { familyOf, languageOf } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { FileModel } from '../../../languages/file-model/file-model.ts'
import { parseModel } from '../../model/parse-model.ts'
import type { CodeParts } from '../code-parts.ts'
import type { NameDependencies } from '../resolve/name-dependencies.ts'
import { moduleFileLanguage, packagesIn, type Packages } from '../resolve/packages.ts'
import { projectOf, type Project } from '../resolve/project.ts'
import { visibleText } from '../visible-text.ts'
import { isPast, within, type Deadline } from '../servers/deadline.ts'
import { openCachedModels, type CachedModels } from './cached-models.ts'
import { oncePer } from '../../../kernel/once.ts'
import { mayDeclare } from '../../../languages/file-model/may-declare.ts'

/** By content and extension: a model read for one question serves the next. */
const modelCache = new Map<string, FileModel>()
const MOST = 20_000

type Answer<T> = (
  project: Project,
  asked: NameDependencies,
  packages: Packages,
  texts: ReadonlyMap<string, string>,
  /** Reports whether to stop early: the result is what has been found by then. */
  isOver: () => boolean,
) => T

/** How much to read for a result. */
interface Reading {
  /** Reports whether the files read so far are enough, though more may matter. */
  readonly isEnough?: (() => boolean) | undefined
  /** Receives the number of relevant files that were not read. */
  readonly onUnread?: (count: number) => void
}

const MOST_ROUNDS = 40
/** This many files are read however long it takes: a small project is fully answered on a busy machine too. */
export const LEAST_FILES = 50
/** Time to search the files that were read, even if they are enough by then. */
const LOOK_MS = 1_000
/** The longest that reading a file delays timers, cancelling and other questions. */
const BREATH_MS = 30

/**
 * Answers from as few files as possible: those that mention the symbol, and those that declare names looked up on the
 * way. Throws `timeout` if they cannot be read in time, unless fewer are `isEnough`.
 */
export async function fromProject<T>(
  parts: SyntaxParts,
  path: string,
  deadline: Deadline,
  answer: Answer<T>,
  reading: Reading = {},
): Promise<T> {
  const texts = await sourceTexts(parts, familyOf(languageOf(path) ?? ''), deadline)
  const cachedModels = await openCachedModels(parts.directory)
  try {
    return await fromTexts(texts, path, deadline, answer, cachedModels, reading)
  } finally {
    cachedModels.close()
  }
}

/** The same from given texts. */
export async function fromTexts<T>(
  texts: ReadonlyMap<string, string>,
  path: string,
  deadline: Deadline,
  answer: Answer<T>,
  cachedModels: CachedModels = { of: parseModel },
  { isEnough = () => false, onUnread }: Reading = {},
): Promise<T> {
  const nameFiles = filesForNames(texts)
  const packages = packagesIn(texts)
  const codes = new Map<string, FileModel | undefined>()
  const isDone = () => codes.size >= LEAST_FILES && isEnough()
  let pathsToRead = [path]
  let breath = performance.now()
  for (let round = 0; ; round++) {
    for (const each of pathsToRead) {
      if (isPast(deadline)) throw late(codes.size, texts.size)
      if (isDone()) break
      if (performance.now() - breath > BREATH_MS) {
        await setImmediate()
        breath = performance.now()
      }
      const text = texts.get(each)
      codes.set(each, text === undefined ? undefined : await knownCode(each, text, cachedModels))
    }
    const inOrder = [...texts.keys()].flatMap(each => {
      const code = codes.get(each)
      return code ? [[each, code] as const] : []
    })
    const lookedAt = performance.now()
    const isOver = () => performance.now() - lookedAt > LOOK_MS && isDone()
    const give = attempt(() => answer(projectOf(inOrder), nameFiles, packages, texts, isOver))
    pathsToRead = [...nameFiles.files].filter(each => !codes.has(each))
    if (pathsToRead.length === 0 || round >= MOST_ROUNDS) return give()
    if (!isDone()) continue
    onUnread?.(pathsToRead.length)
    return give()
  }
}

/** An early failure may be due to files that are not read yet: only the last attempt counts. */
function attempt<T>(work: () => T): () => T {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

async function knownCode(path: string, text: string, kept: CachedModels): Promise<FileModel | undefined> {
  const key = `${hash('sha256', text)}.${path.slice(path.lastIndexOf('.') + 1)}`
  const before = modelCache.get(key)
  if (before) return before
  const code = await kept.of(path, Buffer.from(text))
  if (modelCache.size >= MOST) modelCache.clear()
  if (code) modelCache.set(key, code)
  return code
}

/**
 * The text of every file of a family of languages, and of files that name their modules, in path order with staged
 * changes.
 */
async function sourceTexts(
  { root, staging, mayRead }: SyntaxParts,
  family: string,
  deadline: Deadline,
): Promise<ReadonlyMap<string, string>> {
  const { openTree } = await import('../../tree/open-tree.ts')
  const tree = openTree(root)
  try {
    await within(deadline, tree.caughtUp(), () => late(0))
    const paths = new Set(tree.files().keys())
    for (const [path, { state }] of staging.entries()) if (state.type === 'file') paths.add(path)
    const readablePaths = [...paths].filter(path => isOf(path, family) && mayRead(path))
    return new Map(
      readablePaths.toSorted().flatMap(path => {
        const text = visibleText(root, staging, path)
        return text === undefined ? [] : [[path, text] as const]
      }),
    )
  } finally {
    tree.close()
  }
}

const isOf = (path: string, family: string): boolean =>
  familyOf(languageOf(path) ?? '') === family || familyOf(moduleFileLanguage(path)?.name ?? '') === family

/** The parts of a call that reading the text needs. */
export type SyntaxParts = Pick<CodeParts, 'root' | 'staging' | 'mayRead' | 'directory'>

/** Not everything was read in time. */
const late = (read: number, all?: number): ToolError =>
  new ToolError(
    'timeout',
    `${read} ${all === undefined ? '' : `of ${all} `}source files were read when the time for this question was over`,
    {
      hint: 'Ask again, files already read are cached; or allow more time',
    },
  )

const WORD = /[\w$]/

/** Collects the files that matter for these names without parsing them: too many rather than too few. */
function filesForNames(texts: ReadonlyMap<string, string>): NameDependencies & { readonly files: ReadonlySet<string> } {
  const files = new Set<string>()
  const filesWhere = (isWanted: (text: string, name: string) => boolean) =>
    oncePer((name: string) => {
      for (const [path, text] of texts) if (!files.has(path) && isWanted(text, name)) files.add(path)
    })
  return {
    files,
    mentioned: filesWhere((text, name) => hasWord(text, name, () => true)),
    declared: filesWhere((text, name) => hasWord(text, name, at => mayDeclare(text, at, at + name.length))),
    written: filesWhere((text, sign) => text.includes(sign)),
  }
}

/** Reports whether a wanted occurrence of a word exists. */
function hasWord(text: string, name: string, isWanted: (at: number) => boolean): boolean {
  if (name === '') return false
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !WORD.test(text[at - 1] ?? '') && !WORD.test(text[at + name.length] ?? '')
    // `$` and `@` precede names in some languages, and are part of them in others.
    if ((isWhole || /[$@]/.test(text[at - 1] ?? '')) && isWanted(at)) return true
  }
  return false
}
