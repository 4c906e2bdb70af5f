import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { protectedPlaces } from './protected-places.ts'

const git = (cwd: string, ...words: string[]) => execFileSync('git', words, { cwd, stdio: 'pipe' })

describe('protectedPlaces', () => {
  it('has nothing to say about an ordinary repository', async () => {
    await using workspace = temporaryWorkspace({ 'src/a.ts': '' })
    git(workspace.path, 'init', '-q')
    expect(protectedPlaces(workspace.path)).toEqual([])
    expect(protectedPlaces(join(workspace.path, 'src'))).toEqual([])
  })

  it('SG-18: finds the directory that .git points to', async () => {
    await using workspace = temporaryWorkspace()
    git(workspace.path, 'init', '-q', '--separate-git-dir=store', '.')
    expect(protectedPlaces(workspace.path)).toEqual([{ path: 'store', use: 'git' }])
  })

  it('SG-18: finds the common directory of a worktree', async () => {
    await using workspace = temporaryWorkspace({
      'own/commondir': '../common\n',
      'common/HEAD': '',
      '.git': 'gitdir: own\n',
    })
    expect(protectedPlaces(workspace.path).map(({ path }) => path)).toEqual(['own', 'common'])
  })

  it('SG-18: protects all of a workspace that lies in a git directory of any name', async () => {
    await using workspace = temporaryWorkspace()
    git(workspace.path, 'init', '-q', '--bare', 'store')
    expect(protectedPlaces(join(workspace.path, 'store', 'hooks'))).toEqual([{ path: '.', use: 'git' }])
    expect(protectedPlaces(workspace.path)).toEqual([])
  })

  it('leaves a worktree alone whose repository lies around it', async () => {
    await using workspace = temporaryWorkspace()
    git(workspace.path, 'init', '-q', '--bare', '.')
    mkdirSync(join(workspace.path, 'worktrees/main'), { recursive: true })
    writeFileSync(join(workspace.path, 'worktrees/main/commondir'), '../..\n')
    mkdirSync(join(workspace.path, 'main'))
    writeFileSync(join(workspace.path, 'main/.git'), `gitdir: ${workspace.path}/worktrees/main\n`)
    expect(protectedPlaces(join(workspace.path, 'main'))).toEqual([])
  })

  it('finds a configuration file that lies inside, by the name it was given and by its own', async () => {
    await using workspace = temporaryWorkspace({ 'conf/mine.json': '{}' })
    symlinkSync('conf/mine.json', join(workspace.path, 'link.json'))
    expect(protectedPlaces(workspace.path, join(workspace.path, 'link.json'))).toEqual([
      { path: 'link.json', use: 'configuration' },
      { path: 'conf/mine.json', use: 'configuration' },
    ])
    expect(protectedPlaces(workspace.path, join(workspace.base, 'elsewhere.json'))).toEqual([])
  })

  it('is not led astray by a pointer that leads nowhere or is none', async () => {
    await using workspace = temporaryWorkspace({ '.git': 'gitdir: gone\n', 'a/.git': 'nonsense' })
    expect(protectedPlaces(workspace.path)).toEqual([])
    expect(protectedPlaces(join(workspace.path, 'a'))).toEqual([])
  })
})
