import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isBuilt } from './scripts/bundle.mjs'
import { fastDirectory } from './tests/memory-directory.ts'
import { SlowFirst } from './tests/slow-first.ts'
import { groupOf, suites } from './tests/suites.ts'

// Threads and processes start from TypeScript hundreds of times: what Node made of a file once is kept.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** Without vite in between, the offsets that V8 counts by are those of the files. */
const asWritten = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  isolate: false,
  setupFiles: [
    ...(isBuilt() ? [join(import.meta.dirname, 'tests/measured/start-built.ts')] : []),
    join(import.meta.dirname, 'tests/measured/take-coverage.ts'),
  ],
}

/** A part of the tests covers a part of the lines: only a run that has counted all of them is judged. */
const unjudged = process.env['TOOLWRIGHT_COVERAGE'] ? [] : ['**/tests/measured/contracts.test.ts']

// A build of other sources would not be what is tested.
const built = isBuilt() ? ['tests/built-programs.ts'] : []

/** The suites begin in this order; what fills the machine on purpose runs when the others are over. */
export default defineConfig({
  test: {
    projects: suites.map(
      (
        { name, include, exclude, workers = 1, shared = false, covered = false, startsBuilt = false, inMemory = false },
        place,
      ) => ({
        test: {
          name,
          include: [...include],
          exclude: [...exclude, ...unjudged, '**/node_modules/**', '**/dist/**'],
          maxWorkers: workers,
          isolate: !shared,
          setupFiles: startsBuilt ? built : [],
          env: {
            // In tests every answer is matched with its schema.
            TOOLWRIGHT_CHECK_ANSWERS: '1',
            ...(inMemory && { TMPDIR: process.env['TMPDIR'] ?? fastDirectory }),
          },
          // Group 0 is special: with a single worker vitest runs it last.
          sequence: { groupOrder: groupOf(place) + 1 },
          // Ends what hangs; how fast something is it does not judge, since a machine may give a tenth of itself.
          testTimeout: process.env['TOOLWRIGHT_LONG'] === '1' ? 3_600_000 : 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
          // Many tests leave much behind at once, which is cheaper to collect in large pieces.
          execArgv: ['--max-semi-space-size=64', '--no-parallel-scavenge'],
          ...(covered && asWritten),
        },
      }),
    ),
    sequence: { sequencer: SlowFirst },
    // A stored file is written when it is asked for (vitest -u), not because it is missing.
    update: 'none',
    allowOnly: false,
  },
})
