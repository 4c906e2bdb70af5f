import { setImmediate as breathe } from 'node:timers/promises'
import { ToolError } from '../../../kernel/error.ts'
import { isSettings } from '../../index/modules/module-settings.ts'
import type { CodeParts } from '../code-parts.ts'
import { familyOf, moduleFacts, type ModuleFacts } from '../effects/module-facts.ts'
import { moduleLinks } from '../effects/module-links.ts'
import type { ConfigFile } from '../resolve/modules.ts'
import { seenText } from '../seen-text.ts'
import { isPast, type Deadline } from '../servers/deadline.ts'

const AT_ONCE = 500

export interface ImportersOptions {
  readonly reach: 'direct' | 'all'
  readonly deadline: Deadline
  /** Only files with such a text are looked at, and are importers. */
  readonly only?: RegExp
}

/** The files that import one, the nearest first: directly, or also through others; none of languages whose imports nobody reads. */
export async function importersAround(
  parts: Pick<CodeParts, 'index' | 'root' | 'staging'>,
  path: string,
  { reach, ...options }: ImportersOptions,
): Promise<readonly string[]> {
  if (familyOf(path) === 'other') return []
  const { facts, configs } = await filesLike(parts, path, options)
  const links = moduleLinks(facts, configs)
  const importers = new Map<string, string[]>()
  for (const [from, { requests }] of facts)
    for (const target of new Set(requests.flatMap(request => links(from, request).to))) {
      const list = importers.get(target)
      if (list) list.push(from)
      else importers.set(target, [from])
    }
  const found = new Set([path])
  // What is added while it is gone through is gone through too.
  for (const file of found) {
    for (const from of importers.get(file) ?? []) found.add(from)
    if (reach === 'direct') break
  }
  found.delete(path)
  return [...found]
}

async function filesLike(
  { index, root, staging }: Pick<CodeParts, 'index' | 'root' | 'staging'>,
  path: string,
  { deadline, only }: Omit<ImportersOptions, 'reach'>,
) {
  const facts = new Map<string, ModuleFacts>()
  const configs: ConfigFile[] = []
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    for (const { path: file } of files) {
      const isLike = familyOf(file) === familyOf(path)
      const text = isLike || isSettings(file) ? seenText(root, staging, file) : undefined
      if (text === undefined) continue
      // Where it leads has to be known of the file itself too.
      if (isLike && (!only || only.test(text) || file === path)) facts.set(file, await moduleFacts(file, text))
      else if (!isLike) configs.push({ path: file, text })
    }
    if (skip + AT_ONCE >= total) return { facts, configs }
    await breathe()
    if (isPast(deadline))
      throw new ToolError('timeout', 'Not every file could be looked at in time', {
        hint: 'Give the question more time',
      })
  }
}
