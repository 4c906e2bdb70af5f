import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Runs the conformance tests of the cli-agent as Node itself loads them, so that what V8 counts are the files as written. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['tests/conformance/cli-agent/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'take-coverage.ts')],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
