import { createRequire } from 'node:module'

/** Answers `--version` before anything else is loaded. */
const [first, ...rest] = process.argv.slice(2)
if (first === '--version' || first === '-V') process.stdout.write(`${version()}\n`)
else {
  // Whoever reads us may stop reading (`| head`): that is the end of our work and no failure.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', error => {
      if ('code' in error && error.code === 'EPIPE') process.exit()
      throw error
    })
  const { dispatch } = await import('./dispatch.ts')
  process.exitCode = await dispatch(first, rest, {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version: version(),
  })
}

function version(): string {
  const found: unknown = createRequire(import.meta.url)('../package.json')
  return typeof found === 'object' && found !== null && 'version' in found ? String(found.version) : 'unknown'
}
