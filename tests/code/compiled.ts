import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Without its own libraries, whose check takes longer than the project, and with one thread, as other tests run too. */
const OPTIONS = ['--noEmit', '--pretty', 'false', '--skipDefaultLibCheck', '--singleThreaded']

/** What the real compiler finds wrong with a project, line by line; nothing where it compiles. */
export function compiled(folder: string): string[] {
  const here = createRequire(import.meta.url)
  const compiler = join(dirname(here.resolve('typescript/package.json')), 'bin', 'tsc')
  const args = [compiler, '-p', folder, ...OPTIONS]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return `${stdout}${stderr}`.split('\n').filter(line => line !== '')
}
