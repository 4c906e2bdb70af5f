// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import type { EditEffects } from '../../src/kernel/edit-effects.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { SessionHandle, ToolkitOptions } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap', 'clangd')

const WRITE: Omit<ToolkitOptions, 'root' | 'env'> = { permissions: ['fs:write'], effects: 'complete' }

const PROJECT = {
  'include/shop/price.h': '#ifndef PRICE_H\n#define PRICE_H\nint price(int item);\n#endif\n',
  'include/shop/all.h': '#ifndef ALL_H\n#define ALL_H\n#include "price.h"\n#endif\n',
  'src/price.c': '#include <shop/price.h>\nint price(int item) {\n  return item;\n}\n',
  'src/one.c': '#include <shop/price.h>\nint one(void) {\n  return price(1);\n}\n',
  'src/two.c': '#include "shop/all.h"\nint two(void) {\n  int sum = price(1);\n  return sum + price(2);\n}\n',
  'src/other.c': 'static int price(int a) { return a; }\nint other(void) { return price(1); }\n',
  'tests/one_test.c': '#include "../include/shop/price.h"\nint main(void) {\n  return price(3) == 3 ? 0 : 1;\n}\n',
}

async function edit(kit: SessionHandle, path: string, old: string, text: string): Promise<EditEffects> {
  const { outcome } = await kit.run('edit', { path, edits: [{ old, new: text }] })
  if (!outcome.ok) throw outcome.error
  if (!outcome.meta.effects) throw new Error('The answer tells nothing of what the edit breaks')
  return outcome.meta.effects
}

const lines = ({ first }: EditEffects['introduced']): string[] =>
  first.map(({ path, line, code }) => `${path}:${line} ${code}`)

/** What the compiler in clangd says of the files as they are on disk. */
async function compiled({ path }: TemporaryWorkspace, files: readonly string[]): Promise<string[]> {
  const found = files.map(async file => {
    const args = [`--check=${file}`, '--check-lines=9999']
    const run = promisify(execFile)('clangd', args, { cwd: path })
    const { stderr } = await run.catch((error: { readonly stderr: string }) => error)
    return [...stderr.matchAll(/^E\[[^\]]+\] \[([\w-]+)\] Line (\d+):/gm)].map(
      ([, code, line]) => `${file}:${line} ${code}`,
    )
  })
  return (await Promise.all(found)).flat()
}

const SOURCES = Object.keys(PROJECT).filter(path => path.endsWith('.c'))

describe('what an edit breaks in C', () => {
  it('is what the compiler says afterwards in every file that includes the header, and is cured by the next', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    workspace.write('compile_flags.txt', '-Iinclude\n-xc\n')
    const kit = await workspace.open(WRITE)
    const broken = await edit(kit, 'include/shop/price.h', 'int item', 'int item, int count')
    expect(broken).toMatchObject({ complete: true, left: 0, unjudged: [], cured: { total: 0 } })
    const said = await compiled(workspace, SOURCES)
    expect(lines(broken.introduced).toSorted()).toEqual(said.toSorted())
    // The header itself is well formed; the nearest come first.
    expect(lines(broken.introduced)).toEqual([
      'src/one.c:3 typecheck_call_too_few_args',
      'src/price.c:2 conflicting_types',
      'tests/one_test.c:3 typecheck_call_too_few_args',
      'src/two.c:3 typecheck_call_too_few_args',
      'src/two.c:4 typecheck_call_too_few_args',
    ])
    expect(broken.introduced.first[0]?.message).toBe('Too few arguments to function call, expected 2, have 1')
    expect(broken.callers.first.map(({ name, path, line, calls }) => `${path}:${line} ${name} ${calls}`)).toEqual([
      'src/one.c:3 one price',
      'tests/one_test.c:3 main price',
      'src/two.c:3 two price',
      'src/two.c:4 two price',
    ])
    expect(broken.tests).toEqual({ total: 1, first: ['tests/one_test.c'] })
    const mended = await edit(kit, 'include/shop/price.h', 'int item, int count', 'int item')
    expect(mended).toMatchObject({ complete: true, introduced: { total: 0 }, cured: { total: 5 } })
    expect(await compiled(workspace, SOURCES)).toEqual([])
  })

  it('has the callers behind macros', async () => {
    await using workspace = temporaryWorkspace({
      'price.h': '#pragma once\nint price(int item);\n#define COST(x) price(x)\n#define LEAST COST(1)\n',
      'shop.c': '#include "price.h"\nint cost(void) {\n  return COST(2);\n}\nint least(void) { return LEAST; }\n',
    })
    workspace.write('compile_flags.txt', '-xc\n')
    const kit = await workspace.open(WRITE)
    const broken = await edit(kit, 'price.h', 'int item', 'int item, int count')
    expect(broken.callers.first.map(({ name, line, calls }) => `${line} ${name} ${calls}`)).toEqual([
      '3 cost price',
      '5 least price',
    ])
  })

  it('is known of files that are only staged, without a build description', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    const kit = await workspace.open(WRITE)
    const write = async (path: string, content: string) => {
      await kit.run('read', { path })
      return (await kit.run('write', { path, content })).outcome.meta.effects
    }
    await kit.run('stage', { action: 'begin' })
    // A word of C++, but no C++.
    const header = await write('include/shop/cart.h', '#pragma once\nstruct cart { int class; };\n')
    expect(header).toMatchObject({ complete: true, introduced: { total: 0 } })
    const text = PROJECT['src/one.c'].replace(
      'one(void) {',
      'one(void) {\n  struct cart it = { 1 };\n  it.none = it.class;',
    )
    const used = await write('src/one.c', `#include "shop/cart.h"\n${text}`)
    expect(used).toMatchObject({ complete: true, introduced: { total: 1, first: [{ path: 'src/one.c', line: 5 }] } })
    const many = Array.from({ length: 30 }, (_, at) => `  name${at} = 1;\n`).join('')
    const long = await write('src/many.c', `void many(void) {\n${many}}\n`)
    expect(long).toMatchObject({ complete: true, introduced: { total: 30 } })
  })

  it('is not claimed where a file that is still included is only staged to be gone', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    const kit = await workspace.open(WRITE)
    await kit.run('stage', { action: 'begin' })
    const { outcome } = await kit.run('delete', { path: 'include/shop/price.h' })
    expect(outcome.meta.effects).toMatchObject({
      complete: false,
      left: 5,
      why: 'No language server sees that include/shop/price.h is not there before the change has landed',
    })
  })
})
