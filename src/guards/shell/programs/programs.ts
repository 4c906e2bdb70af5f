import { ARCHIVES } from './archives.ts'
import { BUILTINS } from './builtins.ts'
import { COMPILERS } from './compilers.ts'
import { CONTAINER_PROGRAMS } from './containers.ts'
import { FILTERS } from './filters.ts'
import { GIT_PROGRAMS } from './git.ts'
import { INTERPRETERS } from './interpreters.ts'
import { LISTINGS } from './listings.ts'
import { MAKE } from './make.ts'
import { OPENSSL } from './openssl.ts'
import { PACKAGES } from './packages.ts'
import type { Program } from './program.ts'
import { SEARCHERS } from './searchers.ts'
import { SED } from './sed.ts'
import { SQLITE } from './sqlite.ts'
import { SYSTEM } from './system.ts'
import { TEST_RUNNERS } from './test-runners.ts'
import { TEXT_READERS } from './text-readers.ts'
import { TRANSFERS } from './transfers.ts'
import { VIEWERS } from './viewers.ts'
import { WRITERS } from './writers.ts'

/** Every program with a table. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  ...ARCHIVES,
  ...BUILTINS,
  ...COMPILERS,
  ...CONTAINER_PROGRAMS,
  ...FILTERS,
  ...GIT_PROGRAMS,
  ...INTERPRETERS,
  ...LISTINGS,
  ...MAKE,
  ...OPENSSL,
  ...PACKAGES,
  ...SEARCHERS,
  ...SED,
  ...SQLITE,
  ...SYSTEM,
  ...TEST_RUNNERS,
  ...TEXT_READERS,
  ...TRANSFERS,
  ...VIEWERS,
  ...WRITERS,
])

/** Returns the table of a program; undefined if it has none. */
export const programOf = (name: string): Program | undefined =>
  PROGRAMS.get(name) ?? (/^(python|pypy)[\d.]+$/.test(name) ? PROGRAMS.get('python') : undefined)
