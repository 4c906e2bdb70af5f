import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Situation } from './situation.ts'

/** Places that only root can reach, mounted so that the command's user can reach them. */
interface Bridges {
  /** Precedes the programs that use these places. */
  readonly prefix: readonly string[]
  /** Returns the path at which a place is mounted. */
  at(path: string): string
  remove(): void
}

const NONE: Bridges = { prefix: [], at: path => path, remove() {} }

const UNSHARED = ['/usr/bin/unshare', '--mount', '--propagation', 'private', '--']
const SCRIPT =
  'n=$1; shift; while [ "$n" -gt 0 ]; do mount -n --bind "$1" "$2" || exit 32; shift 2; n=$((n-1)); done; exec "$@"'

/**
 * Builds bridges for the places that need one: our state belongs to root, and rights are dropped before bubblewrap
 * mounts.
 */
export function bridges(places: readonly string[], situation: Situation): Bridges {
  const unreachable = situation.name === 'root-on-user' ? places.filter(place => !mayReach(place, situation)) : []
  if (unreachable.length === 0) return NONE
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-bridge-'))
  chmodSync(directory, 0o755)
  const pairs = unreachable.map((place, at) => [place, join(directory, String(at))] as const)
  for (const [place, target] of pairs) {
    if (statSync(place).isDirectory()) mkdirSync(target)
    else writeFileSync(target, '')
  }
  const targets = new Map(pairs)
  return {
    prefix: [...UNSHARED, '/bin/sh', '-c', SCRIPT, 'sh', String(pairs.length), ...pairs.flat()],
    at: path => targets.get(path) ?? path,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Reports whether a place is reachable without root's rights. Bubblewrap fails at a closed parent directory. */
export function mayReach(place: string, { uid, gid }: Situation): boolean {
  for (let at = dirname(place); at !== '/'; at = dirname(at)) {
    const { mode, uid: owner, gid: group } = statSync(at)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
  }
  return true
}
