import type { Operation } from '../../src/machine/workspace/operation.ts'
import type { Identity } from '../../src/machine/workspace/workspace.ts'
import { directory, file, link, type Tree } from './world.ts'

/** One commit with what must be there before it and after it. */
export interface Scenario {
  readonly name: string
  readonly before: Tree
  readonly after: Tree
  /** How many files the undo record keeps. */
  readonly kept: number
  operations(identity: (path: string) => Identity): Operation[]
}

const put = (path: string, content: string, base: 'absent' | Identity, mode = 0o644): Operation => ({
  kind: 'put',
  path,
  bytes: Buffer.from(content, 'latin1'),
  mode,
  base,
})

const one: Scenario = {
  name: '1 file',
  before: new Map([['a.txt', file('old a')]]),
  after: new Map([['a.txt', file('new a')]]),
  kept: 1,
  operations: identity => [put('a.txt', 'new a', identity('a.txt'))],
}

const three: Scenario = {
  name: '3 files',
  before: new Map([
    ['a.txt', file('old a', 0o600)],
    ['src', directory()],
    ['src/gone.txt', file('old gone')],
    ['src/moved.txt', file('moved')],
  ]),
  after: new Map([
    ['a.txt', file('new a', 0o600)],
    ['lib', directory()],
    ['lib/moved.txt', file('moved')],
    ['src', directory()],
  ]),
  kept: 2,
  operations: identity => [
    { kind: 'mkdir', path: 'lib', mode: 0o755 },
    put('a.txt', 'new a', identity('a.txt'), 0o600),
    { kind: 'delete', path: 'src/gone.txt', base: identity('src/gone.txt') },
    { kind: 'move', from: 'src/moved.txt', to: 'lib/moved.txt', base: identity('src/moved.txt') },
  ],
}

const numbers = [0, 1, 2, 3]

const twenty: Scenario = {
  name: '20 files',
  before: new Map([
    ...numbers.map(i => [`src/change${i}.txt`, file(`old ${i}`)] as const),
    ...numbers.map(i => [`src/deep/gone${i}.txt`, file(`gone ${i}`, 0o600)] as const),
    ['src', directory()],
    ['src/deep', directory(0o750)],
    ['kept.txt', file('kept')],
    ['moving', directory()],
    ['moving/inside.txt', file('inside')],
    ['script.sh', file('#!/bin/sh', 0o644)],
    ['swap1', file('one')],
    ['swap2', file('two')],
    ['pointer', link('kept.txt')],
    ['name', directory()],
    ['name/only.txt', file('only')],
  ]),
  after: new Map([
    ...numbers.map(i => [`src/change${i}.txt`, file(`new ${i}`)] as const),
    ...numbers.map(i => [`new/far/made${i}.txt`, file(`made ${i}`, 0o640)] as const),
    ['src', directory()],
    ['new', directory()],
    ['new/far', directory(0o770)],
    ['kept.txt', file('kept')],
    ['moved', directory()],
    ['moved/inside.txt', file('inside')],
    ['script.sh', file('#!/bin/sh', 0o755)],
    ['swap1', file('two')],
    ['swap2', file('one', 0o600)],
    ['new/pointer', link('kept.txt')],
    ['name', file('a file where a directory was')],
  ]),
  kept: 9,
  operations: identity => [
    ...numbers.map((i): Operation => put(`src/change${i}.txt`, `new ${i}`, identity(`src/change${i}.txt`))),
    ...numbers.map((i): Operation => {
      const path = `src/deep/gone${i}.txt`
      return { kind: 'delete', path, base: identity(path) }
    }),
    { kind: 'delete', path: 'name/only.txt', base: identity('name/only.txt') },
    { kind: 'rmdir', path: 'name' },
    { kind: 'rmdir', path: 'src/deep' },
    { kind: 'mkdir', path: 'new', mode: 0o755 },
    { kind: 'mkdir', path: 'new/far', mode: 0o770 },
    ...numbers.map((i): Operation => put(`new/far/made${i}.txt`, `made ${i}`, 'absent', 0o640)),
    { kind: 'move', from: 'swap1', to: 'swap2', base: identity('swap1'), mode: 0o600 },
    { kind: 'move', from: 'swap2', to: 'swap1', base: identity('swap2') },
    { kind: 'move', from: 'moving', to: 'moved', base: identity('moving') },
    { kind: 'move', from: 'pointer', to: 'new/pointer', base: identity('pointer') },
    { kind: 'mode', path: 'script.sh', mode: 0o755, base: identity('script.sh') },
    put('name', 'a file where a directory was', 'absent'),
  ],
}

const git = [
  ['.git', directory()],
  ['.git/objects', directory()],
  ['.git/objects/pack', directory()],
  ['.git/refs', directory()],
  ['.git/refs/heads', directory()],
] as const

const repository: Scenario = {
  name: 'files and their repository',
  before: new Map([
    ...git,
    ['a.txt', file('old a')],
    ['.git/HEAD', file('ref: refs/heads/main')],
    ['.git/index', file('old index')],
    ['.git/refs/heads/main', file('1')],
    ['.git/refs/heads/packed', file('2')],
    ['.git/refs/heads/name', file('3')],
    ['.git/objects/ab', directory()],
    ['.git/objects/ab/c', file('loose', 0o444)],
  ]),
  after: new Map([
    ...git,
    ['a.txt', file('new a')],
    ['.git/HEAD', file('ref: refs/heads/name/new')],
    ['.git/index', file('new index')],
    ['.git/packed-refs', file('2 refs/heads/packed')],
    ['.git/refs/heads/main', file('4')],
    ['.git/refs/heads/name', directory()],
    ['.git/refs/heads/name/new', file('5')],
    ['.git/objects/pack/pack-1.pack', file('all', 0o444)],
  ]),
  kept: 7,
  operations: identity => [
    { kind: 'delete', path: '.git/refs/heads/packed', base: identity('.git/refs/heads/packed') },
    { kind: 'delete', path: '.git/refs/heads/name', base: identity('.git/refs/heads/name') },
    { kind: 'delete', path: '.git/objects/ab/c', base: identity('.git/objects/ab/c') },
    { kind: 'mkdir', path: '.git/refs/heads/name', mode: 0o755 },
    { kind: 'rmdir', path: '.git/objects/ab' },
    put('.git/HEAD', 'ref: refs/heads/name/new', identity('.git/HEAD')),
    put('.git/index', 'new index', identity('.git/index')),
    put('.git/refs/heads/main', '4', identity('.git/refs/heads/main')),
    put('.git/packed-refs', '2 refs/heads/packed', 'absent'),
    put('.git/refs/heads/name/new', '5', 'absent'),
    put('.git/objects/pack/pack-1.pack', 'all', 'absent', 0o444),
    put('a.txt', 'new a', identity('a.txt')),
  ],
}

export const scenarios: readonly Scenario[] = [one, three, twenty, repository]
