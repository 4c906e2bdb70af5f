import { join } from 'node:path'
import { ownProgram } from '../src/machine/own-program.ts'

const repository = join(import.meta.dirname, '..')

/** The file of the command, of the same build as the processes that this test starts. */
export const CLI = ownProgram('resident').endsWith('.ts')
  ? join(repository, 'src/surfaces/cli/main.ts')
  : join(repository, 'dist/cli.cjs')
