import manifest from '../../../package.json' with { type: 'json' }

/** Answers `--version` before anything else is loaded. */
const [first, ...rest] = process.argv.slice(2)
if (first === '--version' || first === '-V') process.stdout.write(`${manifest.version}\n`)
else void command(first, rest)

async function command(name: string | undefined, args: readonly string[]): Promise<void> {
  // A reader may stop early (`| head`): end without a failure.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', error => {
      if ('code' in error && error.code === 'EPIPE') process.exit()
      throw error
    })
  const { dispatch } = await import('./dispatch.ts')
  process.exitCode = await dispatch(name, args, {
    env: process.env,
    cwd: process.cwd(),
    // Opening standard input takes as long as a whole call, and most calls do not read it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    version: manifest.version,
  })
}
