import { isComponentFile, languageAt, languageOf, readerOf } from '../../../languages/registry.ts'
import type { Operation } from './operations.ts'
import type { ScriptMembers } from '../../../languages/javascript/usage/script-members.ts'
import type { Usage } from '../../../languages/file-model/usage.ts'

/** The usage of the names at some offsets of a file. */
export async function usagesOf(path: string, text: string, at: readonly number[]): Promise<readonly Usage[]> {
  const language = languageOf(path)
  const reader = language && readerOf(language)
  if (!reader || isComponentFile(path)) return []
  if (reader === 'script') {
    const { parse } = await import('../../../languages/javascript/parse.ts')
    const { scriptUsage } = await import('../../../languages/javascript/usage/javascript-usage.ts')
    const { program } = parse(path, text)
    return at.map(offset => scriptUsage(program, offset))
  }
  const { fromTree } = await import('../grammar/from-tree.ts')
  const { grammarUsage } = await import('./grammar-usage.ts')
  const usages = await fromTree(path, language, text, ({ rootNode }, described) =>
    at.map(offset => grammarUsage(rootNode, offset, described)),
  )
  return usages ?? []
}

/** Places where a file may call a method implicitly. */
export async function operationsOf(path: string, text: string, method: string): Promise<readonly Operation[]> {
  const { fromTree } = await import('../grammar/from-tree.ts')
  const { operationsIn } = await import('./operations.ts')
  const operations = await fromTree(path, languageAt(path).name, text, ({ rootNode }, described) =>
    operationsIn(rootNode, described, method),
  )
  return operations ?? []
}

/** The computed keys of a script, and the objects and types with members in it. */
export async function membersOf(path: string, text: string): Promise<ScriptMembers> {
  const { parse } = await import('../../../languages/javascript/parse.ts')
  const { scriptMembers } = await import('../../../languages/javascript/usage/computed-keys.ts')
  return scriptMembers(parse(path, text).program)
}
