import { hash } from 'node:crypto'
import { withChanged } from './changed-map.ts'
import type { ModuleFacts } from './module-facts.ts'

/** A file of a snapshot and its imports. */
export interface SnapshotFile {
  readonly facts: ModuleFacts
  readonly imports: readonly string[]
  /** Imports whose source no server reads for this file, with the name it uses for them. */
  readonly built?: readonly { readonly path: string; readonly request: string }[]
}

/** The files of one server in one state of the workspace. */
export interface ProjectSnapshot {
  readonly files: ReadonlyMap<string, SnapshotFile>
  /**
   * A digest of everything that the diagnostics of a file depend on: the same proof means the same errors. Undefined if
   * the file does not exist.
   */
  proofOf(path: string): string | undefined
  /** The same by path. */
  readonly proofs: ReadonlyMap<string, string>
  importersOf(path: string): readonly string[]
  /** The same snapshot with other contents of some files; undefined if their imports or ambient declarations change. */
  with(changes: ReadonlyMap<string, SnapshotFile>): ProjectSnapshot | undefined
}

/** `config` stands for everything besides ambient declarations that affects every file. */
export function snapshotOf(files: ReadonlyMap<string, SnapshotFile>, config: string): ProjectSnapshot {
  const ambient = [...files]
    .filter(([, { facts }]) => facts.isAmbient)
    .map(([path, { facts }]) => `${path} ${facts.hash}`)
  const common = hash('sha256', [config, ...ambient.toSorted()].join('\n'))
  const importers = new Map<string, string[]>()
  for (const [path, { imports }] of files)
    for (const target of imports) {
      const list = importers.get(target)
      if (list) list.push(path)
      else importers.set(target, [path])
    }
  const proofs = new Map<string, string>()
  const proofCache: Proofs = { proofOf: path => proofs.get(path), add: (path, proof) => proofs.set(path, proof) }
  addProofs(proofCache, files.keys(), files, common)
  return madeSnapshot(files, common, proofs, importers)
}

function madeSnapshot(
  files: ReadonlyMap<string, SnapshotFile>,
  common: string,
  proofs: ReadonlyMap<string, string>,
  importers: ReadonlyMap<string, readonly string[]>,
): ProjectSnapshot {
  return {
    files,
    proofs,
    proofOf: path => proofs.get(path),
    importersOf: path => importers.get(path) ?? [],
    with(changes) {
      const isAlike = [...changes].every(([path, { facts, imports }]) => {
        const before = files.get(path)
        return before && !before.facts.isAmbient && !facts.isAmbient && isSame(before.imports, imports)
      })
      if (!isAlike) return undefined
      const changedFiles = withChanged(files, changes)
      const staleProofs = new Set<string>()
      const open = [...changes.keys()]
      for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (staleProofs.has(path)) continue
        staleProofs.add(path)
        open.push(...(importers.get(path) ?? []))
      }
      const fresh = new Map<string, string>()
      const proofOf = (path: string) => fresh.get(path) ?? (staleProofs.has(path) ? undefined : proofs.get(path))
      addProofs({ proofOf, add: (path, proof) => fresh.set(path, proof) }, staleProofs, changedFiles, common)
      return madeSnapshot(changedFiles, common, withChanged(proofs, fresh), importers)
    },
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((path, at) => path === other[at])

interface Proofs {
  /** Undefined while it is not known. */
  proofOf(path: string): string | undefined
  add(path: string, proof: string): void
}

/**
 * Adds the proofs of files. Those in an import cycle share their dependencies, so each cycle is hashed as one, after
 * everything it imports.
 */
function addProofs(
  { proofOf, add }: Proofs,
  missing: Iterable<string>,
  files: ReadonlyMap<string, SnapshotFile>,
  common: string,
): void {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  for (const path of missing) if (!order.has(path) && proofOf(path) === undefined) visit(path)

  /** Tarjan's algorithm without recursion: a chain of imports may be longer than the stack. */
  function visit(start: string): void {
    const steps = [enterFile(start)]
    for (let step = steps.at(-1); step; step = steps.at(-1)) {
      const next = step.imports[step.at++]
      if (next === undefined) {
        steps.pop()
        const lowestOrder = lowest.get(step.path) ?? 0
        const parent = steps.at(-1)
        if (parent) lowest.set(parent.path, Math.min(lowest.get(parent.path) ?? 0, lowestOrder))
        if (lowestOrder === order.get(step.path)) close(step.path)
      } else if (!files.has(next) || proofOf(next) !== undefined) continue
      else if (!order.has(next)) steps.push(enterFile(next))
      else if (isOpen.has(next)) lowest.set(step.path, Math.min(lowest.get(step.path) ?? 0, order.get(next) ?? 0))
    }
  }

  function enterFile(path: string): { readonly path: string; readonly imports: readonly string[]; at: number } {
    order.set(path, order.size)
    lowest.set(path, order.size - 1)
    open.push(path)
    isOpen.add(path)
    return { path, imports: files.get(path)?.imports ?? [], at: 0 }
  }

  function close(first: string): void {
    const circle = open.splice(open.lastIndexOf(first)).toSorted()
    for (const path of circle) isOpen.delete(path)
    const parts = [common]
    for (const path of circle) {
      const file = files.get(path)
      parts.push(path, file?.facts.hash ?? '')
      for (const target of file?.imports ?? []) parts.push(target, proofOf(target) ?? '')
    }
    const sum = hash('sha256', parts.join('\0'))
    for (const path of circle) add(path, sum)
  }
}
