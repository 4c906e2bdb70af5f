import { describe, expect, it } from 'vitest'
import { openRoot } from '../../workspace/root.ts'
import { createStaging } from '../../workspace/staging.ts'
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
})
