import { hash } from 'node:crypto'
import { languageOf } from '../../model/languages.ts'
import { projectOf, type Project } from '../resolve/project.ts'
import { isPast, type Deadline } from '../servers/deadline.ts'
import { parseModel } from '../../model/parse-model.ts'
import type { FileModel } from '../../model/file-model.ts'
import { NOBODY, type AskedNames } from '../resolve/asked-names.ts'
import { familyOf } from '../resolve/family.ts'
import { filesForNames, type FilesForNames } from './files-for-names.ts'
import { keptCode, type KeptCode } from './kept-code.ts'
import { sourceTexts } from './source-texts.ts'
import { packagesIn, type Packages } from '../resolve/packages.ts'
import { late, type SyntaxParts } from './syntax-parts.ts'

/** By content and ending: what was read for one question is known for the next. */
const known = new Map<string, FileModel>()
const MOST = 20_000

type Answer<T> = (project: Project, asked: AskedNames, packages: Packages, texts: ReadonlyMap<string, string>) => T

const MOST_ROUNDS = 40

/**
 * Answers from as few files as will do: those that mention what is asked about, and those that declare what had to be
 * looked up on the way. `timeout` where they cannot be read in time.
 */
export async function fromProject<T>(
  parts: SyntaxParts,
  path: string,
  deadline: Deadline,
  answer: Answer<T>,
): Promise<T> {
  const texts = await sourceTexts(parts, familyOf(languageOf(path) ?? ''), deadline)
  const kept = await keptCode(parts.directory)
  try {
    return await fromTexts(texts, path, deadline, answer, kept)
  } finally {
    kept.close()
  }
}

/** The same from texts that are at hand. */
export async function fromTexts<T>(
  texts: ReadonlyMap<string, string>,
  path: string,
  deadline: Deadline,
  answer: Answer<T>,
  kept: KeptCode = { of: parseModel },
): Promise<T> {
  const files = filesForNames(texts)
  const packages = packagesIn(texts)
  const codes = new Map<string, FileModel | undefined>()
  let wanted = new Set([path])
  for (let round = 0; ; round++) {
    for (const each of wanted) {
      if (isPast(deadline)) throw late(codes.size, texts.size)
      const text = texts.get(each)
      if (!codes.has(each)) codes.set(each, text === undefined ? undefined : await knownCode(each, text, kept))
    }
    const more = new Set<string>()
    const asked = codes.size < texts.size ? askedNames(files, more) : NOBODY
    const inOrder = [...texts.keys()].flatMap(each => {
      const code = codes.get(each)
      return code ? [[each, code] as const] : []
    })
    const give = attempt(() => answer(projectOf(inOrder), asked, packages, texts))
    wanted = new Set([...more].filter(each => !codes.has(each)))
    if (wanted.size === 0 || round >= MOST_ROUNDS) return give()
  }
}

/** What is not found at first may be in files that are read for it: only the last word counts. */
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

/** Each name is looked for once. */
function askedNames(files: FilesForNames, more: Set<string>): AskedNames {
  const [declared, mentioned] = [new Set<string>(), new Set<string>()]
  return {
    declared(name) {
      if (declared.has(name)) return
      declared.add(name)
      for (const path of files.declaring(name)) more.add(path)
    },
    mentioned(name) {
      if (mentioned.has(name)) return
      mentioned.add(name)
      for (const path of files.mentioning(name)) more.add(path)
    },
    written(sign) {
      for (const path of files.writing(sign)) more.add(path)
    },
  }
}

async function knownCode(path: string, text: string, kept: KeptCode): Promise<FileModel | undefined> {
  const key = `${hash('sha256', text)}.${path.slice(path.lastIndexOf('.') + 1)}`
  const before = known.get(key)
  if (before) return before
  const code = await kept.of(path, Buffer.from(text))
  if (known.size >= MOST) known.clear()
  if (code) known.set(key, code)
  return code
}
