import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'

/** What the numbers were measured on, because they mean nothing without it. */
export const machineFacts = (): Readonly<Record<string, string>> => ({
  node: process.version,
  system: `${type()} ${release()} ${arch()}`,
  cpu: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} usable`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  load: loadavg()
    .map(value => value.toFixed(1))
    .join(' '),
  'temporary files': `${tmpdir()} (${fileSystemOf(tmpdir())})`,
})

function fileSystemOf(path: string): string {
  try {
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map(line => line.split(' '))
    const holding = mounts.filter(([, at = '?']) => path === at || path.startsWith(at === '/' ? at : `${at}/`))
    return holding.toSorted(([, one = ''], [, other = '']) => other.length - one.length)[0]?.[2] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
