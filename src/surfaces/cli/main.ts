import manifest from '../../../package.json' with { type: 'json' }

const [first, ...rest] = process.argv.slice(2)
void command(first, rest)

async function command(name: string | undefined, args: readonly string[]): Promise<void> {
  const { outputTo } = await import('./terminal.ts')
  const stdout = outputTo(1, () => endOnBrokenPipe(process.stdout))
  // Answered before anything else is loaded.
  if (name === '--version' || name === '-V') return void stdout.write(`${manifest.version}\n`)
  const { dispatch } = await import('./dispatch.ts')
  process.exitCode = await dispatch(name, args, {
    env: process.env,
    cwd: process.cwd(),
    // Opening standard input takes as long as a whole call, and most calls do not read it.
    get stdin() {
      return process.stdin
    },
    stdout,
    stderr: outputTo(2, () => endOnBrokenPipe(process.stderr)),
    version: manifest.version,
  })
}

/** A reader may stop early (`| head`): ends without a failure. */
function endOnBrokenPipe(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit()
    throw error
  })
}
