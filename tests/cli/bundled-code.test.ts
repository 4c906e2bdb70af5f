// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')
const start = promisify(execFile)

describe('the command line as it is bundled', () => {
  // The bundle once lost what a parsed file is walked by: every question then found nothing in components, for certain.
  it('reads components and scripts that require, as the library does', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }\n',
      'pay.ts': 'export function pay() { return 1 }\n',
      'Cart.vue': '<script setup>\nimport { pay } from "./pay"\npay()\n</script>\n<template>{{ pay() }}</template>\n',
      'shop.js': 'const { pay } = require("./pay")\nfunction shop() { pay() }\nshop()\n',
    })
    const args = [
      'call',
      'callers',
      JSON.stringify({ name: 'pay', path: 'pay.ts', depth: 1, waitMs: 30_000 }),
      '--json',
    ]
    const { stdout } = await start(process.execPath, [CLI, ...args], { cwd: workspace.path, env: workspace.env })
    const { data } = JSON.parse(stdout)
    expect(data.callers.map(({ path, line }: { path: string; line: number }) => `${path}:${line}`)).toEqual([
      'Cart.vue:3',
      'Cart.vue:5',
      'shop.js:2',
    ])
    expect(data).toMatchObject({ partial: false, basis: 'typescript' })
  })
})
