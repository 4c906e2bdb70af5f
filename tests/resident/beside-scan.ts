import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { openResident, type Resident } from '../../src/service/open-resident.ts'
import type { ResidentStatus } from '../../src/service/status.ts'
import type { Freshness, GrepOptions, SearchEngine } from '../../src/knowledge/search/types.ts'
import { openRoot, type Root } from '../../src/machine/workspace/root.ts'
import { anotherProcess, type AnotherProcess } from './another-process.ts'
import { SOON, type World } from './rig.ts'
import { searchOf } from './searches.ts'

/** A workspace whose process is there, with a search that asks it, one that scans, and another process that changes files. */
export interface BesideScan {
  readonly world: World
  readonly root: Root
  readonly resident: Resident
  readonly search: SearchEngine
  readonly scan: SearchEngine
  readonly other: AnotherProcess
  /** Both give the same for this question; how fresh ours says that it is. */
  grepSame(options: Partial<GrepOptions> & Pick<GrepOptions, 'patterns'>): Promise<Freshness>
  /** Both find the same files. */
  findSame(glob?: string): Promise<Freshness>
  close(): void
}

const GREP = { maxResults: 100_000, timeoutMs: 30_000 }
const FIND = { maxResults: 100_000, maxDepth: 100 }

export function besideScan(world: World): BesideScan {
  const root = openRoot(world.workspace.path)
  const resident = openResident({ ...world.options(), use: 'use' })
  const [search, scan] = [searchOf(root, resident), searchOf(root, undefined)]
  const other = anotherProcess(world.workspace.path)
  return {
    world,
    root,
    resident,
    search,
    scan,
    other,
    async grepSame(options) {
      const [{ freshness, ...ours }, { freshness: _, ...theirs }] = [
        await search.grep({ ...GREP, ...options }),
        await scan.grep({ ...GREP, ...options }),
      ]
      expect([options, ours]).toEqual([options, theirs])
      return freshness
    },
    async findSame(glob = '**') {
      const [{ freshness, ...ours }, { freshness: _, ...theirs }] = [
        await search.find('.', glob, FIND),
        await scan.find('.', glob, FIND),
      ]
      expect([glob, ours]).toEqual([glob, theirs])
      return freshness
    },
    close() {
      other.end()
      resident.close()
      root.close()
    },
  }
}

/** Starts the process of a world; comes back when its search index is built. */
export async function startBuilt(world: World): Promise<number> {
  const line = await world.start()
  try {
    for (;;) {
      const { parts } = await line.ask<ResidentStatus>('status', {}, SOON)
      if (parts.some(part => part.name === 'search' && part.state === 'current')) return line.pid
      await pause(20)
    }
  } finally {
    line.close()
  }
}

/** The same numbers in every run. */
export function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
