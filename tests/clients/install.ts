import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Outside the repository and kept, because the programs are large. */
const cache = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'toolwright', 'clients')

/** Where the packages are of a client that is installed with npm, the first time. */
export function installed(spec: string): string {
  const folder = join(cache(), spec.replaceAll('/', '-'))
  const packages = join(folder, 'node_modules')
  if (existsSync(join(packages, '.package-lock.json'))) return packages
  console.log(`Installing ${spec}, once…`)
  mkdirSync(folder, { recursive: true })
  // Both packages start without their install scripts.
  const quietly = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...quietly, '--prefix', folder, spec], { stdio: 'inherit' })
  return packages
}
