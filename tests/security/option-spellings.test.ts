// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap', 'git')

interface Case {
  readonly deny: string
  /** What a recipe runs; no rule spells it so. */
  readonly recipe: string
  /** Reports whether it did what the rule denies, by what is in the workspace afterwards. */
  readonly happened: (root: string) => boolean
}

const has = (root: string, ...names: readonly string[]): boolean => existsSync(join(root, ...names))
const text = (root: string, name: string): string => readFileSync(join(root, name), 'utf8')

const CASES: readonly Case[] = [
  { deny: 'sed -i', recipe: 'sed --in-pl s/one/two/ sed.txt', happened: root => text(root, 'sed.txt') === 'two\n' },
  { deny: 'tar -x', recipe: 'tar xf in.tar', happened: root => has(root, 'packed.txt') },
  { deny: 'sort -o', recipe: 'sort a.txt --outp=sorted.txt', happened: root => has(root, 'sorted.txt') },
  {
    deny: 'git branch -D',
    recipe: 'git branch -d -f old',
    happened: root => !execFileSync('git', ['-C', root, 'branch', '--list', 'old']).toString().includes('old'),
  },
  {
    deny: 'ln -s',
    recipe: 'ln --symb a.txt link',
    happened: root => lstatSync(join(root, 'link'), { throwIfNoEntry: false })?.isSymbolicLink() === true,
  },
  {
    deny: 'tee -a',
    recipe: 'echo two | tee --append tee.txt',
    happened: root => text(root, 'tee.txt').includes('two'),
  },
  { deny: 'cp -r', recipe: 'cp --archive tree copied', happened: root => has(root, 'copied', 'b.txt') },
  { deny: 'rm -rf', recipe: 'rm --for gone/x.txt --recurs gone', happened: root => !has(root, 'gone') },
  { deny: 'mkdir -p', recipe: 'mkdir --paren deep/er', happened: root => has(root, 'deep', 'er') },
  { deny: 'mv -f', recipe: 'mv -v --force from.txt to.txt', happened: root => has(root, 'to.txt') },
  { deny: 'node -e', recipe: `node -pe "fs.writeFileSync('pe.js', '')"`, happened: root => has(root, 'pe.js') },
  { deny: 'node --eval', recipe: `node --print "fs.writeFileSync('p.js', '')"`, happened: root => has(root, 'p.js') },
  { deny: 'perl -e', recipe: `perl -wE 'open(my $$f, ">perl.txt")'`, happened: root => has(root, 'perl.txt') },
  { deny: 'make deploy', recipe: '$(MAKE) -s V=1 all deploy', happened: root => has(root, 'deployed.txt') },
]

/** Harmless lines of the same programs, which go on as before. */
const OTHERS = `sed -n p a.txt; tar tf in.tar; sort -u a.txt; git branch --list; ln a.txt hard; cp -p a.txt plain; mkdir flat`

const makefile = (): string => {
  const recipes = CASES.map(({ recipe }) => `\t-@${recipe} >/dev/null 2>&1\n`).join('')
  return `spellings:\n${recipes}\t@(${OTHERS}) >/dev/null && echo others\nall:\n\t@:\ndeploy:\n\t@echo x > deployed.txt\n`
}

async function run(deny: readonly string[]) {
  await using workspace = repository({
    Makefile: makefile(),
    'sed.txt': 'one\n',
    'tee.txt': 'one\n',
    'tree/b.txt': 'b\n',
    'gone/x.txt': 'x\n',
    'from.txt': 'f\n',
    'packed.txt': 'p\n',
  })
  execFileSync('tar', ['cf', 'in.tar', 'packed.txt'], { cwd: workspace.path })
  execFileSync('rm', ['packed.txt'], { cwd: workspace.path })
  git(workspace, 'branch', 'old')
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'], commands: [{ deny }] })
  const { outcome } = await kit.run('run', { command: 'make -s spellings', timeoutMs: 60_000 })
  if (!outcome.ok) throw outcome.error
  return {
    happened: CASES.filter(({ happened }) => happened(workspace.path)).map(({ deny: rule }) => rule),
    stdout: (outcome.data as { stdout: string }).stdout,
    warnings: outcome.meta.warnings ?? [],
  }
}

describe('an option that a rule denies, spelled otherwise in a Makefile', () => {
  it('does nothing, and other commands of its program go on', { timeout: 90_000 }, async () => {
    const denied = CASES.map(({ deny }) => deny)
    const free = await run([])
    expect(free.happened, 'without rules').toEqual(denied)
    const guarded = await run(denied)
    expect(guarded.happened).toEqual([])
    expect([free.stdout.trim(), guarded.stdout.trim()]).toEqual(['others', 'others'])
    expect(guarded.warnings).toHaveLength(CASES.length)
  })
})
