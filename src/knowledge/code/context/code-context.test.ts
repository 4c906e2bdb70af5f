import { describe, expect, it } from 'vitest'
import { openRoot } from '../../../machine/workspace/root.ts'
import { createStaging } from '../../../machine/workspace/staging.ts'
import { temporaryWorkspace } from '../../../testing/temporary-workspace.ts'
import { codeContext } from './code-context.ts'

async function contextIn(path: string, text: string | Buffer, line: number, around = 50) {
  await using workspace = temporaryWorkspace({ [path]: text })
  const root = openRoot(workspace.path)
  try {
    return await codeContext({ root, staging: createStaging(), mayRead: () => true }, path, line, { around })
  } finally {
    root.close()
  }
}

const TYPESCRIPT = `import React, { useState as state, useMemo } from 'react'
import * as path from 'node:path'
import type { User } from './user.ts'
import './style.css'

export class Profile {
  /** Loads it. */
  private async load<T extends User>(
    id: string,
    more: { deep: boolean } = { deep: true },
  ): Promise<T[]> {
    const [one] = state(id)
    const inner = (user: User) => {
      return path.join(user.name)
    }
    return inner(one)
  }
}
`

describe('codeContext', () => {
  it('DA-06: gives the lines around one, at both ends of a file too', async () => {
    const text = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n'
    expect(await contextIn('a.txt', text, 3, 1)).toEqual({
      path: 'a.txt',
      line: 3,
      before: 'two',
      text: 'three',
      after: 'four',
      imports: [],
    })
    expect(await contextIn('a.txt', text, 1, 1)).toMatchObject({ before: '', text: 'one', after: 'two' })
    expect(await contextIn('a.txt', text, 5, 9)).toMatchObject({
      text: 'five',
      after: '',
      before: 'one\ntwo\nthree\nfour',
    })
  })

  it('DA-06: a line that is not there is out of range, and says how many there are', async () => {
    for (const [text, line] of [
      ['one\n', 2],
      ['', 1],
    ] as const)
      await expect(contextIn('a.ts', text, line)).rejects.toMatchObject({ code: 'out_of_range' })
    await expect(contextIn('a.bin', Buffer.from([1, 0, 2]), 1)).rejects.toMatchObject({ code: 'binary' })
  })

  it('DA-06: TypeScript: the innermost function, its head on one line, and the imports that are used', async () => {
    const found = await contextIn('a.ts', TYPESCRIPT, 12)
    expect(found.enclosing).toMatchObject({ name: 'load', kind: 'method', from: 8, to: 17, within: ['Profile'] })
    expect(found.enclosing?.signature).toMatch(
      /^private async load<T extends User>\( ?id: string, .*\): Promise<T\[\]>$/,
    )
    expect(found.imports).toEqual([
      { module: 'react', names: ['state'], line: 1 },
      { module: 'node:path', names: ['path'], line: 2 },
      { module: './user.ts', names: ['User'], line: 3 },
    ])
    const inner = await contextIn('a.ts', TYPESCRIPT, 14, 0)
    expect(inner.enclosing).toMatchObject({ name: 'inner', from: 13, to: 15 })
    expect(inner.imports).toEqual([{ module: 'node:path', names: ['path'], line: 2 }])
    expect((await contextIn('a.ts', TYPESCRIPT, 2)).enclosing).toBeUndefined()
  })

  it.each([
    [
      'a.kt',
      'package a\n\nimport b.Repo\nimport b.Other\nimport c.*\n\nclass A(val repo: Repo) {\n    @Deprecated("x")\n    override fun load(\n        id: Int,\n    ): String = repo.get(id)\n}\n',
      11,
      { name: 'load', within: ['A'], from: 8, to: 11, signature: 'override fun load(id: Int): String' },
      ['b:Repo', 'c:*'],
    ],
    [
      'A.java',
      'package a;\n\nimport b.Repo;\nimport java.util.List;\n\nclass A {\n  @Override\n  public int load(int id) throws X {\n    return Repo.get(id);\n  }\n}\n',
      9,
      { name: 'load', within: ['A'], from: 7, to: 10, signature: 'public int load(int id) throws X' },
      ['b:Repo'],
    ],
    [
      'a.py',
      'import os.path as p\nfrom b import one, two\n\n\n@wrap\ndef load(id: int = 1) -> str:\n    return p.join(one(id))\n',
      7,
      { name: 'load', within: [], from: 5, to: 7, signature: 'def load(id: int = 1) -> str' },
      ['os.path:p', 'b:one'],
    ],
    [
      'a.go',
      'package a\n\nimport (\n\t"fmt"\n\tm "x/math"\n)\n\nfunc (t *T) Load(id int) (int, error) {\n\treturn m.Abs(id), nil\n}\n',
      9,
      { name: 'Load', within: ['T'], from: 8, to: 10, signature: 'func (t *T) Load(id int) (int, error)' },
      ['x.math:m'],
    ],
    [
      'a.c',
      '#include <stdio.h>\n#include "own.h"\n\nstatic int load(int id)\n{\n  return id;\n}\n',
      6,
      { name: 'load', within: [], from: 4, to: 7, signature: 'static int load(int id)' },
      ['stdio.h:*', 'own.h:*'],
    ],
    [
      'a.php',
      '<?php\nuse App\\Repo;\nuse App\\Other as Same;\n\nfunction load(int $id): int {\n  return Same::get($id);\n}\n',
      6,
      { name: 'load', within: [], from: 5, to: 7, signature: 'function load(int $id): int' },
      ['App:Same'],
    ],
    [
      'A.vue',
      '<template>\n  <b />\n</template>\n<script setup lang="ts">\nimport { ref, watch } from "vue"\nconst toggle = (): void => {\n  ref(1)\n}\n</script>\n',
      7,
      { name: 'toggle', within: [], from: 6, to: 8, signature: 'const toggle = (): void' },
      ['vue:ref'],
    ],
  ])('DA-06: %s: the function, its signature and its imports', async (path, text, line, enclosing, imports) => {
    const found = await contextIn(path, text, line)
    expect(found.enclosing).toMatchObject({ ...enclosing, path })
    expect(found.imports.map(({ module, names }) => `${module}:${names.join()}`)).toEqual(imports)
  })

  it('sees what is staged', async () => {
    await using workspace = temporaryWorkspace({ 'a.ts': 'export function one() {\n  return 1\n}\n' })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'], transaction: 'change' })
    await kit.call('read', { path: 'a.ts' })
    await kit.call('write', { path: 'a.ts', content: 'export function two() {\n  return 2\n}\n' })
    expect(await kit.call('context', { path: 'a.ts', line: 2 })).toMatchObject({
      ok: true,
      data: { text: '  return 2', function: { name: 'two', signature: 'export function two()' } },
    })
  })
})
