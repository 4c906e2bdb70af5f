// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { configuration } from './configuration.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const PROJECT = {
  'tsconfig.json': configuration(),
  'src/price.ts': `export function price(a: number) { return a }
export interface Item { a: number }
export class Cart { add() { return 1 } }
export function far() { return 2 }
export function auto() { return 3 }
export function alone() { return 4 }
export default function main() {}
`,
  'src/index.ts': "export { price as cost } from './price'\n",
  'src/Setup.vue': `<template>
  <p :title="price(1)" title="price(2)">{{ list.map(price) }} price {{ a.price }}</p>
  <main-part />
</template>
<script setup lang="ts">
import MainPart, { price, type Item } from './price'
const item: Item = { a: 1 }
const total = () => {
  return price(item.a)
}
</script>
<style>.price { color: red }</style>
`,
  'src/Options.vue': `<script>
import { cost as mine } from './index'
import * as all from './price'
export default {
  methods: { sum() { return mine(1) + all.price(2) } },
}
</script>
<template>{{ sum() }}</template>
`,
  'src/Other.vue': `<script setup>
import { price } from './unrelated'
const alone = 1
</script>
<template>{{ price(1) }} {{ alone }}</template>
`,
  'src/unrelated.ts': 'export const price = (a: number) => a\n',
  'src/Loose.vue': `<script setup>
import { far } from '@/price'
import { Cart } from './price'
far()
new Cart().add()
</script>
<template>{{ auto() }}</template>
`,
}

const AT = { path: 'src/price.ts', deadlineMs: 30_000 }

describe('components, whose scripts no server reads', () => {
  it('call and use what they import, in script and template; look-alikes are left out', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const called = await code.engine.callers({ name: 'price', depth: 1, ...AT })
    expect(called.callers.map(({ name, path, line }) => `${name} ${path}:${line}`)).toEqual([
      'sum src/Options.vue:5',
      '<module> src/Setup.vue:2',
      'total src/Setup.vue:9',
    ])
    expect(called.partial).toBe(false)
    // The callers of `total` and `sum` are unknown.
    expect(await code.engine.callers({ name: 'price', depth: 2, ...AT })).toMatchObject({
      partial: true,
      unknown: ['sum', 'total'].map(name => expect.stringMatching(`^${name}, one of its callers, may have more`)),
    })
    const { places, partial } = await code.engine.references({ name: 'price', ...AT })
    expect(places.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
      'src/Options.vue:2:10',
      'src/Options.vue:5:29',
      'src/Options.vue:5:43',
      'src/Setup.vue:2:14',
      'src/Setup.vue:2:53',
      'src/Setup.vue:6:20',
      'src/Setup.vue:9:10',
      'src/index.ts:1:10',
      'src/index.ts:1:19',
    ])
    expect(partial).toBe(false)
    const item = await code.engine.references({ name: 'Item', ...AT })
    expect(item.places.map(({ line, column }) => `${line}:${column}`)).toEqual(['6:32', '7:13'])
    const main = await code.engine.callers({ name: 'main', depth: 1, ...AT })
    expect(main.callers.map(({ path, line }) => `${path}:${line}`)).toEqual(['src/Setup.vue:3'])
    expect(await code.engine.callers({ name: 'alone', depth: 1, ...AT })).toMatchObject({ callers: [], partial: false })
  })

  it('make an answer partial if their meaning is unknown', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    for (const name of ['far', 'auto', 'Cart.add'])
      expect([name, await code.engine.references({ name, ...AT })]).toMatchObject([name, { places: [], partial: true }])
  })

  it('keep what they use from being deleted, and go on finding what moves', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const refactor = (input: object) => kit.call('refactor', { path: 'src/price.ts', effects: 'off', ...input })
    for (const [symbol, where] of Object.entries({ Item: 'src/Setup.vue:6, src/Setup.vue:7', auto: 'src/Loose.vue:7' }))
      expect(await refactor({ kind: 'delete', symbol })).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: `'${symbol}' is still used: ${where}` },
      })
    expect(await refactor({ kind: 'delete', symbol: 'alone' })).toMatchObject({ ok: true })
    expect(await refactor({ kind: 'rename', symbol: 'Item', to: 'Thing' })).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        details: {
          undecided: [
            { path: 'src/Setup.vue', line: 6 },
            { path: 'src/Setup.vue', line: 7 },
          ],
        },
      },
    })
    const include = ['file:src/Setup.vue']
    expect(await refactor({ kind: 'rename', symbol: 'Item', to: 'Thing', include })).toMatchObject({ ok: true })
    expect(text('src/Setup.vue')).not.toMatch(/\bItem\b/)
    expect(await refactor({ kind: 'move', symbol: 'price', to: 'src/new.ts' })).toMatchObject({ ok: true })
    expect(text('src/price.ts')).toContain("export { price } from './new'\n")
  })
})

const SVELTE = {
  'tsconfig.json': configuration(),
  'src/price.ts': `export function price(a: number) { return a }
export function fly() {}
export function gone() {}
export const cart = { subscribe() {} }
`,
  'src/Shop.svelte': `<script context="module" lang="ts">
import { price } from './price'
export const first = price(1)
</script>
<script lang="ts">
import { cart, fly } from './price'
export let amount = 1
function show() { return price(amount) }
</script>
<!-- price(2) -->
<button on:click={() => price(3)} title="price(4)" use:fly>{price(5)} price {show()}</button>
<p>{$cart.total}</p>
`,
}

describe('components of Svelte', () => {
  it('call and use what they import, in scripts and markup; what may be a store is undecided', async () => {
    await using workspace = temporaryWorkspace(SVELTE)
    await using code = openedCode(workspace)
    const called = await code.engine.callers({ name: 'price', depth: 1, ...AT })
    expect(called.callers.map(({ name, path, line }) => `${name} ${path}:${line}`)).toEqual([
      '<module> src/Shop.svelte:3',
      'show src/Shop.svelte:8',
      '<module> src/Shop.svelte:11',
    ])
    const { places } = await code.engine.references({ name: 'price', ...AT })
    expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual(['2:10', '3:22', '8:26', '11:25', '11:61'])
    expect((await code.engine.references({ name: 'fly', ...AT })).places.map(({ line }) => line)).toEqual([6, 11])
    expect(await code.engine.references({ name: 'cart', ...AT })).toMatchObject({ partial: true })
    expect(await code.engine.callers({ name: 'gone', depth: 1, ...AT })).toMatchObject({ callers: [], partial: false })
  })
})
