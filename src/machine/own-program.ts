import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Our programs that run beside the caller, as processes or threads, each an entry of the build: source paths below
 * src/.
 */
export const OWN_PROGRAMS = {
  resident: 'surfaces/resident/main.ts',
  parser: 'knowledge/parser-program/main.ts',
  'search-worker': 'knowledge/search/index/worker.ts',
  'stat-worker': 'knowledge/tree/stat/worker.ts',
  'html-worker': 'machine/web/html/worker.ts',
  'model-thread': 'knowledge/memory/embed/model-thread.ts',
  'documentation-worker': 'knowledge/documentation/worker.ts',
  'graph-host': 'knowledge/code/graph/host/main.ts',
} as const

export type OwnProgram = keyof typeof OWN_PROGRAMS

/**
 * Returns the file that Node runs for a program of ours: its source when running from sources, otherwise its part of
 * the build.
 */
export function ownProgram(name: OwnProgram): string {
  const here = fileURLToPath(import.meta.url)
  if (here.endsWith('.ts')) return join(dirname(here), '..', OWN_PROGRAMS[name])
  // A bundle puts this code into its entry or into a directory of chunks beside it.
  const built = [dirname(here), dirname(dirname(here))].map(folder => join(folder, `${name}.cjs`))
  return built.find(file => existsSync(file)) ?? join(dirname(here), `${name}.cjs`)
}

/** Returns the files of all of them. */
export const ownPrograms = (): string[] => Object.keys(OWN_PROGRAMS).filter(isOwn).map(ownProgram)

const isOwn = (name: string): name is OwnProgram => Object.hasOwn(OWN_PROGRAMS, name)
