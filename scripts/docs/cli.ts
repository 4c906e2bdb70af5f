import { dispatch } from '../../src/surfaces/cli/dispatch.ts'
import manifest from '../../package.json' with { type: 'json' }

/** The command line from its sources, for pages that show its output. */
const [name, ...args] = process.argv.slice(2)
process.exitCode = await dispatch(name, args, {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version: manifest.version,
})
