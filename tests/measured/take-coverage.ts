import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { Coverage } from './read-coverage.ts'

/** Vitest runs this file again for each test file of a process; what is global stays. */
const shared: { toolwrightCoverage?: Session } = Object(globalThis)

/**
 * Counts what the tests of a file run, and writes it down at their end. A process counts once for all its files: V8
 * counts no blocks of a function that it compiled before it was told to.
 */
function countInto(folder: string): void {
  const session = (shared.toolwrightCoverage ??= start())
  afterAll(() => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error
      const scripts = taken.result.filter(({ url }) => url.includes('/src/'))
      const coverage: Coverage = { testFile: expect.getState().testPath ?? '', scripts }
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${process.pid}-${performance.now()}.json`), JSON.stringify(coverage))
    })
  })
}

function start(): Session {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

// Vitest runs this before it loads the tests of a file.
const place = process.env['TOOLWRIGHT_COVERAGE']
if (place) countInto(place)
