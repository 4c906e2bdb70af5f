import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What the real compiler finds wrong with a project, line by line; nothing where it compiles. */
export function compiled(folder: string): string[] {
  const here = createRequire(import.meta.url)
  const compiler = join(dirname(here.resolve('typescript/package.json')), 'bin', 'tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder, '--noEmit', '--pretty', 'false'], {
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`.split('\n').filter(line => line !== '')
}
