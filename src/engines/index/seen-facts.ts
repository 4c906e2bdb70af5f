import { hashOf, readWhole } from '../workspace/disk.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
import { createView } from '../workspace/view.ts'
import { factsOf, LARGEST } from './facts/facts-of.ts'
import { languageOf } from './facts/languages.ts'
import type { RepositoryIndex } from './repository-index.ts'
import { stagedFile } from './staged-sight.ts'
import type { Sight } from './table/answer.ts'
import { candidates } from './table/candidates.ts'
import type { FoundFile } from './table/entry.ts'
import { followedExports } from './table/followed-exports.ts'
import { fileFacts, keptFacts } from './table/kept-facts.ts'
import type { FileFacts } from './types.ts'

export interface SeenParts {
  readonly root: Root
  readonly staging: Staging
  readonly mayRead: (path: string) => boolean
  /** Asked where it is there; one file is no reason to open it. */
  readonly index: RepositoryIndex | undefined
  sightOf(index: RepositoryIndex): Promise<Sight | undefined>
}

/** What one file says as a call sees it: from the index if that is open, else from the file itself. */
export async function seenFacts(parts: SeenParts, path: string): Promise<FileFacts | undefined> {
  const { root, staging, mayRead, index } = parts
  const view = createView(root, staging)
  const rel = view.look(path, {}, ({ located, type }) => (type === 'file' ? located.rel : undefined))
  if (rel === undefined || languageOf(rel) === undefined || !mayRead(rel)) return undefined
  const indexed = index && (await index.facts(rel, await parts.sightOf(index)))
  // The index does not know ignored files.
  return indexed ?? alone(rel)

  async function alone(of: string): Promise<FileFacts | undefined> {
    const files = new Map<string, FoundFile | undefined>()
    const file = await get(of)
    const open = file ? [file] : []
    for (let from = open.pop(); from; from = open.pop())
      for (const specifier of from.facts?.stars ?? [])
        for (const wanted of candidates(from.path, specifier)) {
          const isNew = !files.has(wanted)
          const target = await get(wanted)
          if (!target) continue
          if (isNew) open.push(target)
          break
        }
    return file && fileFacts({ ...file, exports: followedExports(file, each => files.get(each)) })

    async function get(wanted: string): Promise<FoundFile | undefined> {
      if (!files.has(wanted)) files.set(wanted, mayRead(wanted) ? await found(wanted) : undefined)
      return files.get(wanted)
    }
  }

  async function found(wanted: string): Promise<FoundFile | undefined> {
    const look = view.look(wanted, {}, ({ located, seen, type }) => {
      if (type !== 'file' || located.rel !== wanted) return undefined
      if (seen.type === 'file') return { state: seen }
      if (located.stats === undefined || located.stats.size > LARGEST) return { bytes: Buffer.alloc(0) }
      return { bytes: readWhole(root, located).bytes }
    })
    if (!look) return undefined
    if ('state' in look) return stagedFile(view, wanted, look.state)
    const facts = await factsOf(wanted, look.bytes)
    const { length } = look.bytes
    return {
      path: wanted,
      size: length,
      mtimeMs: 0,
      content: hashOf(look.bytes),
      ...(facts && { facts: keptFacts(facts) }),
    }
  }
}
