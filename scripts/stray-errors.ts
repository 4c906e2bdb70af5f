import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** An error outside of every test, with the test file that ran when it was thrown, if vitest knows it. */
export interface StrayError {
  readonly message: string
  readonly file: string | undefined
}

/** A vitest reporter: writes the errors outside of tests, which its JSON report lacks, to TOOLWRIGHT_STRAY_ERRORS. */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its path
export default class StrayErrors implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const target = process.env['TOOLWRIGHT_STRAY_ERRORS']
    if (!target) return
    const strays: readonly StrayError[] = errors.map(error => {
      const path: unknown = error['VITEST_TEST_PATH']
      return { message: error.message, file: typeof path === 'string' ? path : undefined }
    })
    writeFileSync(target, JSON.stringify(strays))
  }
}
