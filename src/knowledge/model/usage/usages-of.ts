import { isComponentFile, languageOf, readerOf } from '../languages.ts'
import type { Operation } from './operations.ts'
import type { ScriptMembers } from './script-members.ts'
import type { Usage } from './usage.ts'

/** The usage of the names at some offsets of a file. */
export async function usagesOf(path: string, text: string, at: readonly number[]): Promise<readonly Usage[]> {
  const language = languageOf(path)
  const reader = language && readerOf(language)
  if (!reader || isComponentFile(path)) return []
  if (reader === 'script') {
    const { parse } = await import('../javascript/parse.ts')
    const { javascriptUsage } = await import('./javascript-usage.ts')
    const { program } = parse(path, text)
    return at.map(offset => javascriptUsage(program, offset))
  }
  const { fromTree } = await import('../grammar/from-tree.ts')
  const { grammarUsage } = await import('./grammar-usage.ts')
  const usages = await fromTree(path, language, text, ({ rootNode }, described) =>
    at.map(offset => grammarUsage(rootNode, offset, described)),
  )
  return usages ?? []
}

/** Places where a Python file may call a method implicitly. */
export async function operationsOf(text: string, method: string): Promise<readonly Operation[]> {
  const { fromTree } = await import('../grammar/from-tree.ts')
  const { operationsIn } = await import('./operations.ts')
  const operations = await fromTree('', 'python', text, ({ rootNode }, described) =>
    operationsIn(rootNode, described, method),
  )
  return operations ?? []
}

/** The computed keys of a script, and the objects and types with members in it. */
export async function membersOf(path: string, text: string): Promise<ScriptMembers> {
  const { parse } = await import('../javascript/parse.ts')
  const { scriptMembers } = await import('./computed-keys.ts')
  return scriptMembers(parse(path, text).program)
}
