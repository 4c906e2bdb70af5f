import { defineConfig } from 'vitest/config'
import { suites } from './tests/suites.ts'

/** The suites run one after another in this order, so that a slow one never disturbs the timing of another. */
export default defineConfig({
  test: {
    projects: suites.map(({ name, include, exclude, workers = 1 }, place) => ({
      test: {
        name,
        include: [...include],
        exclude: [...exclude, '**/node_modules/**', '**/dist/**'],
        maxWorkers: workers,
        // Group 0 is special: with a single worker vitest runs it last.
        sequence: { groupOrder: place + 1 },
        testTimeout: process.env['TOOLWRIGHT_LONG'] === '1' ? 3_600_000 : 60_000,
        hookTimeout: 60_000,
      },
    })),
    allowOnly: false,
  },
})
