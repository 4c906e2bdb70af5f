import manifest from '../../../package.json' with { type: 'json' }
import { outputTo } from './output.ts'

const stdout = outputTo(1, () => watched(process.stdout))

/** Answers `--version` before anything else is loaded. */
const [first, ...rest] = process.argv.slice(2)
if (first === '--version' || first === '-V') stdout.write(`${manifest.version}\n`)
else void command(first, rest)

async function command(name: string | undefined, args: readonly string[]): Promise<void> {
  const { dispatch } = await import('./dispatch.ts')
  process.exitCode = await dispatch(name, args, {
    env: process.env,
    cwd: process.cwd(),
    // Opening standard input takes as long as a whole call, and most calls do not read it.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr: outputTo(2, () => watched(process.stderr)),
    version: manifest.version,
  })
}

/** A reader may stop early (`| head`): ends without a failure. */
function watched(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit()
    throw error
  })
}
