import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cCommands } from './commands.ts'
import { includingFiles } from '../../knowledge/code/servers/including-files.ts'

it('gives each file of C a command, with the folders of headers, and leaves to the build what it says', () => {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-c-'))
  try {
    mkdirSync(join(root, 'built', 'build'), { recursive: true })
    writeFileSync(join(root, 'built/build/compile_commands.json'), '[]')
    const files = ['src/a.c', 'include/shop/a.h', 'compat/string.h', 'built/src/b.c', 'main.cc']
    const plain = Object(cCommands(files.slice(0, 4), root, existsSync))
    const folders = [`-I${root}/`, `-iquote${root}/compat`, `-I${root}/include`, `-I${root}/include/shop`]
    expect(plain.fallbackFlags.map((flag: string) => flag.replace(/\/$/, ''))).toEqual(
      folders.map(flag => flag.replace(/\/$/, '')),
    )
    expect(Object.keys(plain.compilationDatabaseChanges).map(path => path.slice(root.length + 1))).toEqual([
      'src/a.c',
      'include/shop/a.h',
      'compat/string.h',
    ])
    const { compilationCommand, workingDirectory } = plain.compilationDatabaseChanges[join(root, 'src/a.c')]
    expect([workingDirectory, compilationCommand.slice(0, 2), compilationCommand.slice(-2)]).toEqual([
      root,
      ['clang', '-xc'],
      ['-c', join(root, 'src/a.c')],
    ])
    const kindOf = (path: string, among: readonly string[]) =>
      Object(cCommands(among, root, existsSync)).compilationDatabaseChanges[join(root, path)].compilationCommand[1]
    expect(kindOf('a.h', ['a.h', 'a.c'])).toBe('-xc-header')
    expect(kindOf('a.h', ['a.h', 'a.cc'])).toBe('-xc++-header')
    expect(kindOf('a.hpp', ['a.hpp'])).toBe('-xc++-header')
    // With both languages present, the language of a header is unknown.
    const mixed = Object(cCommands(files, root, existsSync)).compilationDatabaseChanges
    expect(Object.keys(mixed).map(path => path.slice(root.length + 1))).toEqual(['src/a.c', 'main.cc'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

it('finds what includes a header, through others too, and reads a file again when it has changed', () => {
  const texts = new Map([
    ['a.h', ''],
    ['b.h', '#include "x/a.h"\n'],
    ['c.c', '  # include <b.h>\n'],
    ['d.c', '// #include "a.h" is not here\n'],
  ])
  let stamp = '1'
  const including = includingFiles(
    path => texts.get(path),
    () => stamp,
  )
  expect([...including(['x/a.h'], texts.keys())].toSorted()).toEqual(['b.h', 'c.c'])
  texts.set('d.c', '#include "a.h"\n')
  expect(including(['x/a.h'], texts.keys()).has('d.c')).toBe(false)
  stamp = '2'
  expect(including(['x/a.h'], texts.keys()).has('d.c')).toBe(true)
})
