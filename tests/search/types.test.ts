import { execFileSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import { expect, it } from 'vitest'
import { compileGlob } from '../../src/guards/glob.ts'
import { fileTypes, globsOfTypes } from '../../src/knowledge/search/file-types.ts'
import { wantedBy } from '../../src/knowledge/search/wanted-files.ts'
import { indexed } from './indexed.ts'

/** A name that a glob of a type matches, and some that it nearly does. */
function namesFor(glob: string): readonly string[] {
  const name = glob.replaceAll('*', 'x').replaceAll(/\[(.)[^\]]*\]/g, '$1')
  return [name, name.toUpperCase(), `${name}x`, `x${name}`, `below/${name}`]
}

it('every type of ripgrep means the same files', { timeout: 120_000 }, async () => {
  const types = await fileTypes()
  expect(types.size).toBeGreaterThan(150)
  const names = [...new Set([...types.values()].flat().flatMap(namesFor))]
  const { path, index } = await indexed(Object.fromEntries(names.map(name => [name, 'needle\n'])))
  for (const type of ['all', ...types.keys()]) {
    const args = ['--no-config', '--files', '--hidden', '--no-ignore', '--sort=path', `--type=${type}`]
    const theirs = execFileSync(rgPath, args, { cwd: path, encoding: 'utf8' }).split('\n').slice(0, -1).toSorted()
    const typeGlobs = globsOfTypes(types, [type])
    const wanted = wantedBy(compileGlob, { typeGlobs })
    const ours = names.filter(name => wanted?.matches(name)).toSorted()
    expect({ type, files: ours }).toEqual({ type, files: theirs })
    const options = { patterns: ['needle'], typeGlobs, only: 'files', maxResults: 10_000, timeoutMs: 30_000 } as const
    const answer = await index.grep({ options })
    if ('scan' in answer) throw new Error(`The index did not answer: ${answer.scan}`)
    expect({ type, files: answer.files?.map(file => file.path).toSorted() }).toEqual({ type, files: theirs })
  }
})
