import { hash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { languageOf } from '../../index/facts/languages.ts'
import type { CodeParts } from '../code-parts.ts'
import { projectOf, type Project } from '../graph/resolve/project.ts'
import { seenText } from '../seen-text.ts'
import { isPast, within, type Deadline } from '../servers/deadline.ts'
import { codeOf } from '../symbols/code-of.ts'
import type { FileCode } from '../symbols/file-code.ts'
import { familyOf } from './family.ts'

export type SyntaxParts = Pick<CodeParts, 'root' | 'staging' | 'mayRead' | 'index'>

/** By content and ending: what was read for one question is known for the next. */
const known = new Map<string, FileCode>()
const MOST = 20_000

/** What all files of a family of languages say, staged changes included; `timeout` where they cannot be read in time. */
export async function readProject(parts: SyntaxParts, family: string, deadline: Deadline): Promise<Project> {
  const listing = parts.index.query({ by: 'all' }, { limit: Number.MAX_SAFE_INTEGER })
  const { files } = await within(deadline, listing, () => late(0))
  const wanted = files.filter(({ path }) => familyOf(languageOf(path) ?? '') === family && parts.mayRead(path))
  const codes: [string, FileCode][] = []
  for (const { path } of wanted) {
    if (isPast(deadline)) throw late(codes.length, wanted.length)
    const text = seenText(parts.root, parts.staging, path)
    const code = text === undefined ? undefined : await knownCode(path, text)
    if (code) codes.push([path, code])
  }
  return projectOf(codes)
}

async function knownCode(path: string, text: string): Promise<FileCode | undefined> {
  const key = `${hash('sha256', text)}.${path.slice(path.lastIndexOf('.') + 1)}`
  const before = known.get(key)
  if (before) return before
  const code = await codeOf(path, Buffer.from(text))
  if (known.size >= MOST) known.clear()
  if (code) known.set(key, code)
  return code
}

const late = (read: number, all?: number): ToolError =>
  new ToolError(
    'timeout',
    `${read} ${all === undefined ? '' : `of ${all} `}source files were read when the time for this question was over`,
    {
      hint: 'Ask again: what was read is known; or give the question more time',
    },
  )
