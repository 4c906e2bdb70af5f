import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../testing/temporary-workspace.ts'
import { parseGitConfig } from './parse-git-config.ts'

const TEXTS: readonly string[] = [
  '[core]\n\tfsmonitor = tools/watch.sh\n',
  '[core] fsmonitor = a\n  hooksPath=b\n',
  '[Core]FsMonitor=a b  c   \n',
  '[filter "x y"]\n\tclean = "a # b" # c\n',
  '[filter "x.\\"y\\\\z"]\n\tclean = a ; c\n',
  '[filter.Old]\n\tclean = a\n',
  '[alias]\n\tx = !sh -c \\\n  "a b" \\\n c\n\ty = z\n',
  '[alias]\n\tx = "a\\tb\\nc\\\\d\\"e"\n',
  '[a]\n\tflag\n\tother\n[b]\n',
  '[a]\r\n\tx = 1\r\n',
  '\uFEFF[a]\n\tx = 1\n',
  '# c\n; d\n[a] # e\n\tx = 1 # f\n\n\ty = ""\n',
  '[a]\n\tx = " lead and trail "  \n',
  '[a]\n\tx =\n\ty = 2\n',
  '[a]\n\tx = 1\n[a]\n\tx = 2',
  '[include]\n\tpath = ~/x\n[includeIf "gitdir:/a/**"]\n\tpath = y\n',
  '[a "b"] x = 1\n[c]y=2\n',
]

/** The settings as git lists them. */
function listed(path: string): readonly (readonly [string, string])[] {
  const text = execFileSync('git', ['config', '--file', path, '--list', '-z'], { encoding: 'utf8' })
  return text
    .split('\0')
    .slice(0, -1)
    .map(entry => {
      const [name = '', ...value] = entry.split('\n')
      return [name.toLowerCase(), value.length === 0 ? 'true' : value.join('\n')]
    })
}

describe('parseGitConfig', () => {
  it.each(TEXTS)('reads %j as git does', async text => {
    await using workspace = temporaryWorkspace({ config: text })
    const ours = parseGitConfig(text).map(({ name, value }) => [name.toLowerCase(), value])
    expect(ours).toEqual(listed(join(workspace.path, 'config')))
  })

  it('reads on after what git refuses', () => {
    expect(parseGitConfig('[a\n%%\n[b]\n\t1 = 2\n\tx = 3\n').map(({ name }) => name)).toEqual(['b.x'])
  })

  it('says the section without its subsection', () => {
    expect(parseGitConfig('[Filter "Lfs"]\n\tClean = a\n')).toEqual([
      { key: 'filter.clean', name: 'Filter.Lfs.Clean', value: 'a' },
    ])
  })
})
