import type { Language } from '../../../languages/language.ts'
import { languageNamed, languageOf } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { parseModel } from '../../model/parse-model.ts'
import { trackNames } from '../resolve/name-dependencies.ts'
import { outsideCallers, typeAround } from '../resolve/outside-callers.ts'
import { holderOf, projectOf, symbolAt, type Found } from '../resolve/project.ts'
import { resolveProject } from '../resolve/resolver.ts'
import { deadlineIn } from '../servers/deadline.ts'
import type { Callers, CodeQuestion } from '../types.ts'
import { visibleText } from '../visible-text.ts'
import { findSymbols, wholeName } from './declared-of.ts'
import { fromProject, type SyntaxParts } from './read-project.ts'

type Question = Pick<CodeQuestion, 'name' | 'deadlineMs' | 'signal'>

/** Judging takes no longer than this, and no more than this part of the remaining time. */
const LONGEST_MS = 5000
const PART = 0.5

/** Adds to the answer of a server why code outside of the workspace may call the function. */
export async function withUnseenCallers(
  parts: SyntaxParts,
  answer: Callers,
  question: Omit<Question, 'name'>,
): Promise<Callers> {
  const { path, name, within } = answer.target
  const why = await unseenCallers(parts, path, { ...question, name: [...within, name].join('.') })
  return why.length === 0 ? answer : { ...answer, unknown: [...answer.unknown, ...why], partial: true }
}

/** Why code outside of the workspace may call a method, as far as the text tells. */
export async function unseenCallers(
  parts: SyntaxParts,
  path: string,
  { name, deadlineMs, signal }: Question,
): Promise<readonly string[]> {
  const text = mayBeCalledOutside(languageNamed(languageOf(path) ?? ''))
    ? visibleText(parts.root, parts.staging, path)
    : undefined
  const code = text === undefined ? undefined : await parseModel(path, Buffer.from(text))
  if (!code) return []
  try {
    if (!findSymbols(projectOf([[path, code]]).files.get(path), name, path).some(isBased)) return []
    const deadline = deadlineIn(Math.min(LONGEST_MS, deadlineMs * PART), signal)
    return await fromProject(parts, path, deadline, (project, asked, packages, texts) => {
      const targets = findSymbols(project.files.get(path), name, path)
      const resolution = resolveProject(project, [], trackNames(asked), packages)
      for (const each of targets) asked.mentioned(typeAround(each) ?? '')
      return [...new Set(targets.flatMap(each => outsideCallers(resolution, each, wholeName(each), texts)))]
    })
  } catch (error) {
    if (!(error instanceof ToolError) || !/^(timeout|ambiguous|no_match)$/.test(error.code)) throw error
    return error.code === 'timeout' ? ['Whether code outside of the workspace may call it was not judged in time'] : []
  }
}

/** Reports whether a method's own declaration shows that something else may ask for it. */
function isBased(at: Found): boolean {
  const { kind, trait, extends: bases = [], exported, signature = '' } = { ...symbolAt(holderOf(at)), ...symbolAt(at) }
  if (kind !== 'method') return false
  if (languageNamed(at.file.code.language).satisfiesInterfaces) return exported === true
  return trait !== undefined || bases.length > 0 || holderOf(at).number < 0 || /\b(override|virtual)\b/i.test(signature)
}

/** Reports whether code outside of the workspace may call methods, which servers do not say. */
const mayBeCalledOutside = ({ isOpenToBases, library, traitsAsk }: Language): boolean =>
  isOpenToBases !== undefined || library !== undefined || traitsAsk === true
